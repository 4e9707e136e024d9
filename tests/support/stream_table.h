/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The _on_stream routines as tables, one row for each type or size.  Elements are
 * passed as bytes, values as the low bits of a number.
 */
#ifndef TESTS_SUPPORT_STREAM_TABLE_H
#define TESTS_SUPPORT_STREAM_TABLE_H

#include <nvshmemx.h>
#include <stddef.h>
#include <stdint.h>

typedef void (*stream_copy)(void *dest, const void *source, size_t nelems, int pe,
                            cudaStream_t stream);
typedef void (*stream_signal)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr,
                              uint64_t signal, int sig_op, int pe, cudaStream_t stream);

struct stream_copy_row {
    const char *name;
    /* Size of an element in bytes. */
    size_t size;
    /* Each: the blocking routine, and the one with _nbi. */
    stream_copy put[2], get[2];
    stream_signal put_signal[2];
    /* NULL in the rows of sizes and of mem. */
    void (*p)(void *dest, uint64_t bits, int pe, cudaStream_t stream);
};

struct stream_wait_row {
    const char *name;
    size_t width;
    void (*wait_until)(void *ivar, int cmp, uint64_t value, cudaStream_t stream);
    void (*wait)(void *ivar, uint64_t value, cudaStream_t stream);
    void (*wait_until_all)(void *ivars, size_t nelems, const int *status, int cmp, uint64_t value,
                           cudaStream_t stream);
    void (*wait_until_all_vector)(void *ivars, size_t nelems, const int *status, int cmp,
                                  void *values, cudaStream_t stream);
    /* C's comparisons: bit `cmp` is set if a cmp b. */
    unsigned (*model)(uint64_t a, uint64_t b);
};

#define STREAM_COPY_ROWS (25 + 5 + 1)
#define STREAM_WAIT_ROWS 14
extern const struct stream_copy_row stream_copy_rows[];
extern const size_t stream_n_copy_rows;
extern const struct stream_wait_row stream_wait_rows[];
extern const size_t stream_n_wait_rows;

#endif
