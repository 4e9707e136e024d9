/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts of OpenSHMEM, as the routines see them: a handle, and the team by whose numbers the
 * handle's calls name PEs.
 */
#ifndef ASH_DEVICE_STATE_CTX_H
#define ASH_DEVICE_STATE_CTX_H

#include <stdint.h>

struct ash_channel;

/* Contexts at a time; a power of two. */
#define ASH_CTXS 4096u

struct ash_ctx {
    /* The low bits are its index, those above count its uses; 0: there is no such context. */
    uint64_t handle;
    /* n_pes entries: the PEs' numbers in the job; NULL: the same as in the team. */
    const int32_t *pes;
    int32_t n_pes;
    int32_t team;
    /* Its channel, which stays for the next context of this entry; NULL where all PEs are
     * mapped. */
    struct ash_channel *channel;
};

/* Read by: all threads.  Written by: lib/symmetric/ctx.c, under its lock, `handle` last. */
extern __attribute__((visibility("hidden"))) struct ash_ctx ash_ctxs[ASH_CTXS];

/* The channel of the context that the calling POSIX thread's routine was given.  No routine with
 * a context runs in kernels. */
extern __attribute__((visibility("hidden"), tls_model("initial-exec"))) __thread struct ash_channel
    *ash_ctx_channel;

#endif
