/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines of warps and of blocks as tables, one row for each type or size.
 */
#ifndef TESTS_SUPPORT_SCOPE_TABLE_H
#define TESTS_SUPPORT_SCOPE_TABLE_H

#include <nvshmem.h>

#include "tests/support/rma_table.h"

enum scope_group { SCOPE_WARP, SCOPE_BLOCK, SCOPE_GROUPS };

/* Rows as in rma_table.h, but without p and g. */
#define SCOPE_RMA_ROWS 31
extern const struct rma_row scope_rma[SCOPE_GROUPS][SCOPE_RMA_ROWS];

/* Waits and tests; the types are those of the first rows of rma_rows. */
struct scope_sync_row {
    const char *name;
    size_t width;
    int is_signed;
    void (*wait_until)(void *ivar, int cmp, uint64_t bits);
    int (*test)(void *ivar, int cmp, uint64_t bits);
};

#define SCOPE_SYNC_ROWS 14
extern const struct scope_sync_row scope_sync[SCOPE_GROUPS][SCOPE_SYNC_ROWS];

/* The routines without a type. */
struct scope_routines {
    const char *name;
    uint64_t (*signal_wait_until)(uint64_t *sig_addr, int cmp, uint64_t cmp_val);
    void (*barrier_all)(void);
    void (*sync_all)(void);
    int (*barrier)(nvshmem_team_t team);
    int (*team_sync)(nvshmem_team_t team);
};

extern const struct scope_routines scope_routines[SCOPE_GROUPS];

#endif
