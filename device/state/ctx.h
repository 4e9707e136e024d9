/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts of OpenSHMEM, as the routines see them: a handle, and the team by whose numbers the
 * handle's calls name PEs.
 */
#ifndef ASH_DEVICE_STATE_CTX_H
#define ASH_DEVICE_STATE_CTX_H

#include <stdint.h>

/* Contexts at a time; a power of two. */
#define ASH_CTXS 4096u

struct ash_ctx {
    /* The low bits are its index, those above count its uses; 0: there is no such context. */
    uint64_t handle;
    /* n_pes entries: the PEs' numbers in the job; NULL: the same as in the team. */
    const int32_t *pes;
    int32_t n_pes;
    int32_t team;
};

/* Read by: all threads.  Written by: lib/symmetric/ctx.c, under its lock, `handle` last. */
extern __attribute__((visibility("hidden"))) struct ash_ctx ash_ctxs[ASH_CTXS];

#endif
