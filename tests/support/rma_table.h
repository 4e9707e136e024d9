/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The RMA routines as a table, one row for each type or size, so that a test is
 * written once for all of them.  Elements are passed as bytes.
 */
#ifndef TESTS_SUPPORT_RMA_TABLE_H
#define TESTS_SUPPORT_RMA_TABLE_H

#include <stddef.h>
#include <stdint.h>

typedef void (*copy_function)(void *dest, const void *source, size_t nelems, int pe);
typedef void (*signal_function)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr,
                                uint64_t signal, int sig_op, int pe);

struct rma_row {
    const char *name;
    /* Size of an element in bytes. */
    size_t size;
    copy_function put, put_nbi, get, get_nbi;
    signal_function put_signal, put_signal_nbi;
    /* NULL in the rows of sizes and of mem.  The low bytes of `bits` are the element. */
    void (*p)(void *dest, uint64_t bits, int pe);
    uint64_t (*g)(const void *source, int pe);
};

extern const struct rma_row rma_rows[];
extern const size_t rma_n_rows;

#endif
