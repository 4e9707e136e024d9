/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of RMA routines: macros over NVSHMEM's lists of types and sizes make a wrapper with
 * pointers to void for each routine, and a row for each type or size.
 */
#include "tests/support/rma_table.h"

#include "tests/support/family.h"
#include "tests/support/pe.h"

/* The wrappers of one routine of a type: of a put or get, and of a put with signal. */
#define COPY(NAME, TYPE, ROUTINE) \
    static void NAME##_##ROUTINE(void *dest, const void *source, size_t nelems, int pe) \
    { \
        FAMILY_TYPED(NAME, ROUTINE)((TYPE *)dest, (const TYPE *)source, nelems, pe); \
    }
#define SIGNAL(NAME, TYPE, ROUTINE) \
    static void NAME##_##ROUTINE(void *dest, const void *source, size_t nelems, \
                                 uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) \
    { \
        FAMILY_TYPED(NAME, ROUTINE)((TYPE *)dest, (const TYPE *)source, nelems, sig_addr, signal, \
                                   FAMILY_SIGNAL_OP(sig_op), pe); \
    }
#define X(NAME, TYPE) \
    COPY(NAME, TYPE, put) \
    COPY(NAME, TYPE, put_nbi) \
    COPY(NAME, TYPE, get) \
    COPY(NAME, TYPE, get_nbi) \
    SIGNAL(NAME, TYPE, put_signal) \
    SIGNAL(NAME, TYPE, put_signal_nbi) \
    static void NAME##_p(void *dest, uint64_t bits, int pe) \
    { \
        TYPE value; \
        pe_store_bits(&value, sizeof(value), bits); \
        FAMILY_TYPED(NAME, p)((TYPE *)dest, value, pe); \
    } \
    static uint64_t NAME##_g(const void *source, int pe) \
    { \
        TYPE value = FAMILY_TYPED(NAME, g)((const TYPE *)source, pe); \
        return pe_load_bits(&value, sizeof(value)); \
    }
FAMILY_RMA_TYPES(X)
#undef X
#define X(SIZE) \
    SIGNAL_OF_SIZE(put##SIZE##_signal) \
    SIGNAL_OF_SIZE(put##SIZE##_signal_nbi)
#define SIGNAL_OF_SIZE(ROUTINE) \
    static void ROUTINE(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, \
                        uint64_t signal, int sig_op, int pe) \
    { \
        FAMILY(ROUTINE)(dest, source, nelems, sig_addr, signal, FAMILY_SIGNAL_OP(sig_op), pe); \
    }
NVSHMEM_SIZES(X)
X(mem)
#undef X
#undef SIGNAL_OF_SIZE
#undef COPY
#undef SIGNAL

const struct rma_row rma_rows[] = {
#define X(NAME, TYPE) \
    {#NAME, sizeof(TYPE), NAME##_put, NAME##_put_nbi, NAME##_get, NAME##_get_nbi, \
     NAME##_put_signal, NAME##_put_signal_nbi, NAME##_p, NAME##_g},
    FAMILY_RMA_TYPES(X)
#undef X
#define ROW_OF_SIZE(SIZE, BYTES) \
    {#SIZE, BYTES, FAMILY(put##SIZE), FAMILY(put##SIZE##_nbi), FAMILY(get##SIZE), \
     FAMILY(get##SIZE##_nbi), put##SIZE##_signal, put##SIZE##_signal_nbi, NULL, NULL},
#define X(SIZE) ROW_OF_SIZE(SIZE, SIZE / 8)
    NVSHMEM_SIZES(X)
    ROW_OF_SIZE(mem, 1)
#undef X
};

const size_t rma_n_rows = PE_COUNT(rma_rows);
