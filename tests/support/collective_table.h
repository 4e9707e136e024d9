/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The collectives as a table, one row for each type and one for bytes, and a serial model of what
 * they give: each PE's source has small whole numbers, which depend on a seed.
 */
#ifndef TESTS_SUPPORT_COLLECTIVE_TABLE_H
#define TESTS_SUPPORT_COLLECTIVE_TABLE_H

#include <nvshmemx.h>
#include <stdbool.h>

enum collective_form {
    COLLECTIVE_THREAD,
    COLLECTIVE_WARP,
    COLLECTIVE_BLOCK,
    COLLECTIVE_STREAM,
    COLLECTIVE_FORMS
};

enum collective_kind {
    COLLECTIVE_BROADCAST,
    COLLECTIVE_FCOLLECT,
    COLLECTIVE_ALLTOALL,
    COLLECTIVE_REDUCE,
    COLLECTIVE_REDUCESCATTER,
    COLLECTIVE_KINDS
};

enum collective_op {
    COLLECTIVE_SUM,
    COLLECTIVE_PROD,
    COLLECTIVE_MIN,
    COLLECTIVE_MAX,
    COLLECTIVE_AND,
    COLLECTIVE_OR,
    COLLECTIVE_XOR,
    COLLECTIVE_OPS
};

struct collective_row;

/* One call; `stream` is for COLLECTIVE_STREAM alone. */
struct collective_call {
    const struct collective_row *row;
    enum collective_form form;
    enum collective_kind kind;
    /* Of a reduction; of a broadcast. */
    enum collective_op op;
    int root;
    nvshmem_team_t team;
    void *dest, *source;
    size_t n;
    cudaStream_t stream;
};

struct collective_row {
    const char *name;
    size_t size;
    bool is_unsigned;
    /* How many of the operations there are: none for bytes. */
    int ops;
    void (*put)(void *array, size_t i, long value);
    long (*get)(const void *array, size_t i);
    int (*move)(const struct collective_call *c);
    int (*reduce)(const struct collective_call *c);
};

#define COLLECTIVE_ROWS (25 + 1)
/* Bytes behind dest that must not change. */
#define COLLECTIVE_GUARD 16u
extern const struct collective_row collective_rows[];
extern const size_t collective_n_rows;

/* The row of a type's name; that for bytes if there is none. */
const struct collective_row *collective_row_of(const char *name, size_t length);

/* Make the call; what it returns, or -1 if there is no such routine. */
int collective_make(const struct collective_call *c);

/* Make the call, which must succeed: in a kernel if it is by a warp or a block; wait for its
 * stream. */
void collective_run(const struct collective_call *c);

/* Bytes of dest and of source. */
size_t collective_dest_bytes(const struct collective_call *c);
size_t collective_source_bytes(const struct collective_call *c);

/* What PE `pe` of the team has in element i of its source. */
long collective_value(int pe, size_t i, unsigned seed);

/* Fill source; fill dest with what a check takes for untouched. */
void collective_fill(const struct collective_call *c, void *source, unsigned seed);
void collective_clear(const struct collective_call *c);

/* Elements of a dest that are not what PE `me` of the team gets. */
size_t collective_wrong(const struct collective_call *c, const void *dest, int me, unsigned seed);

/* dest is what it should be on this PE, and nothing was written behind it. */
void collective_check(const struct collective_call *c, unsigned seed);

#endif
