/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/rma_table.h"

#include <nvshmem.h>

#include "tests/support/pe.h"

/* NAME, what the element's pointers are declared as, argument list of a copy. */
#define COPY(NAME, TYPE, ROUTINE) \
    static void NAME##_##ROUTINE(void *dest, const void *source, size_t nelems, int pe) \
    { \
        nvshmem_##NAME##_##ROUTINE((TYPE *)dest, (const TYPE *)source, nelems, pe); \
    }
#define SIGNAL(NAME, TYPE, ROUTINE) \
    static void NAME##_##ROUTINE(void *dest, const void *source, size_t nelems, \
                                 uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) \
    { \
        nvshmem_##NAME##_##ROUTINE((TYPE *)dest, (const TYPE *)source, nelems, sig_addr, signal, \
                                   sig_op, pe); \
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
        nvshmem_##NAME##_p((TYPE *)dest, value, pe); \
    } \
    static uint64_t NAME##_g(const void *source, int pe) \
    { \
        TYPE value = nvshmem_##NAME##_g((const TYPE *)source, pe); \
        return pe_load_bits(&value, sizeof(value)); \
    }
NVSHMEM_RMA_TYPES(X)
#undef X
#undef COPY
#undef SIGNAL

const struct rma_row rma_rows[] = {
#define X(NAME, TYPE) \
    {#NAME, sizeof(TYPE), NAME##_put, NAME##_put_nbi, NAME##_get, NAME##_get_nbi, \
     NAME##_put_signal, NAME##_put_signal_nbi, NAME##_p, NAME##_g},
    NVSHMEM_RMA_TYPES(X)
#undef X
#define X(SIZE) \
    {#SIZE, SIZE / 8, nvshmem_put##SIZE, nvshmem_put##SIZE##_nbi, nvshmem_get##SIZE, \
     nvshmem_get##SIZE##_nbi, nvshmem_put##SIZE##_signal, nvshmem_put##SIZE##_signal_nbi, NULL, \
     NULL},
    NVSHMEM_SIZES(X)
    {"mem", 1, nvshmem_putmem, nvshmem_putmem_nbi, nvshmem_getmem, nvshmem_getmem_nbi,
     nvshmem_putmem_signal, nvshmem_putmem_signal_nbi, NULL, NULL},
#undef X
};

const size_t rma_n_rows = PE_COUNT(rma_rows);
