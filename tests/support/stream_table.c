/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of the _on_stream routines: macros over NVSHMEM's lists of types and sizes make a
 * wrapper for each routine of a type, and a row for each type or size.
 */
#include "tests/support/stream_table.h"

#include "tests/support/compare_model.h"
#include "tests/support/pe.h"

#define COPY(NAME, TYPE, ROUTINE) \
    static void NAME##_##ROUTINE(void *dest, const void *source, size_t nelems, int pe, \
                                 cudaStream_t stream) \
    { \
        nvshmemx_##NAME##_##ROUTINE##_on_stream((TYPE *)dest, (const TYPE *)source, nelems, pe, \
                                                stream); \
    }
#define SIGNAL(NAME, TYPE, ROUTINE) \
    static void NAME##_##ROUTINE(void *dest, const void *source, size_t nelems, \
                                 uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, \
                                 cudaStream_t stream) \
    { \
        nvshmemx_##NAME##_##ROUTINE##_on_stream((TYPE *)dest, (const TYPE *)source, nelems, \
                                                sig_addr, signal, sig_op, pe, stream); \
    }
#define X(NAME, TYPE) \
    COPY(NAME, TYPE, put) \
    COPY(NAME, TYPE, put_nbi) \
    COPY(NAME, TYPE, get) \
    COPY(NAME, TYPE, get_nbi) \
    SIGNAL(NAME, TYPE, put_signal) \
    SIGNAL(NAME, TYPE, put_signal_nbi) \
    static void NAME##_p(void *dest, uint64_t bits, int pe, cudaStream_t stream) \
    { \
        TYPE value; \
        pe_store_bits(&value, sizeof(value), bits); \
        nvshmemx_##NAME##_p_on_stream((TYPE *)dest, value, pe, stream); \
    }
NVSHMEM_RMA_TYPES(X)
#undef X
#undef COPY
#undef SIGNAL

const struct stream_copy_row stream_copy_rows[] = {
#define X(NAME, TYPE) \
    {#NAME, \
     sizeof(TYPE), \
     {NAME##_put, NAME##_put_nbi}, \
     {NAME##_get, NAME##_get_nbi}, \
     {NAME##_put_signal, NAME##_put_signal_nbi}, \
     NAME##_p},
    NVSHMEM_RMA_TYPES(X)
#undef X
#define ROW(SIZE, BYTES) \
    {#SIZE, \
     BYTES, \
     {nvshmemx_put##SIZE##_on_stream, nvshmemx_put##SIZE##_nbi_on_stream}, \
     {nvshmemx_get##SIZE##_on_stream, nvshmemx_get##SIZE##_nbi_on_stream}, \
     {nvshmemx_put##SIZE##_signal_on_stream, nvshmemx_put##SIZE##_signal_nbi_on_stream}, \
     NULL},
#define X(SIZE) ROW(SIZE, SIZE / 8)
    NVSHMEM_SIZES(X)
    ROW(mem, 1)
#undef X
#undef ROW
};
const size_t stream_n_copy_rows = PE_COUNT(stream_copy_rows);

#define X(NAME, TYPE) \
    static void NAME##_wait_until(void *ivar, int cmp, uint64_t value, cudaStream_t stream) \
    { \
        nvshmemx_##NAME##_wait_until_on_stream((TYPE *)ivar, cmp, (TYPE)value, stream); \
    } \
    static void NAME##_wait(void *ivar, uint64_t value, cudaStream_t stream) \
    { \
        nvshmemx_##NAME##_wait_on_stream((TYPE *)ivar, (TYPE)value, stream); \
    } \
    static void NAME##_wait_until_all(void *ivars, size_t nelems, const int *status, int cmp, \
                                      uint64_t value, cudaStream_t stream) \
    { \
        nvshmemx_##NAME##_wait_until_all_on_stream((TYPE *)ivars, nelems, status, cmp, \
                                                   (TYPE)value, stream); \
    } \
    static void NAME##_wait_until_all_vector(void *ivars, size_t nelems, const int *status, \
                                             int cmp, void *values, cudaStream_t stream) \
    { \
        nvshmemx_##NAME##_wait_until_all_vector_on_stream((TYPE *)ivars, nelems, status, cmp, \
                                                          (TYPE *)values, stream); \
    } \
    COMPARE_MODEL(NAME, TYPE)
NVSHMEM_SYNC_TYPES(X)
#undef X

const struct stream_wait_row stream_wait_rows[] = {
#define X(NAME, TYPE) \
    {#NAME, \
     sizeof(TYPE), \
     NAME##_wait_until, \
     NAME##_wait, \
     NAME##_wait_until_all, \
     NAME##_wait_until_all_vector, \
     NAME##_model},
    NVSHMEM_SYNC_TYPES(X)
#undef X
};
const size_t stream_n_wait_rows = PE_COUNT(stream_wait_rows);
