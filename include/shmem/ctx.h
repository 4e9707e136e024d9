/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM: communication contexts.
 *
 * Document: OpenSHMEM 1.5, "Communication Management Routines"; 1.6 for sessions.  The routines
 * that take a context (shmem_ctx_...) do what the ones without it do, which use the default
 * context; a context that was made from a team names PEs by their numbers in that team.
 */
#ifndef SHMEM_CTX_H
#define SHMEM_CTX_H

#include <nvshmem/init.h>
#include <shmem/team.h>
#include <shmem/types.h>

NVSHMEM_BEGIN_DECLS

/* A handle; no program looks behind it. */
typedef struct shmem_ctx *shmem_ctx_t;

#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)1)

/* Options of a new context, combined by |: the program promises that one thread at a time uses it
 * (SERIALIZED), or only the thread that made it (PRIVATE, which makes calls to PEs that are not
 * mapped faster), or that it never needs its stores to be completed (NOSTORE). */
#define SHMEM_CTX_SERIALIZED (1L << 0)
#define SHMEM_CTX_PRIVATE (1L << 1)
#define SHMEM_CTX_NOSTORE (1L << 2)

/* Hints of shmem_ctx_session_start. */
#define SHMEM_CTX_SESSION_TOTAL_OPS (1L << 0)
#define SHMEM_CTX_SESSION_BATCH (1L << 0)

typedef struct {
    size_t total_ops;
} shmem_ctx_session_config_t;

/**
 * Make a context: of all PEs, or of a team, by whose numbers its calls name PEs.
 *
 * @param team     a team that the calling PE is in, or SHMEM_TEAM_INVALID
 * @param options  0 or SHMEM_CTX_SERIALIZED, _PRIVATE, _NOSTORE
 * @param ctx      out: the context; SHMEM_CTX_INVALID after an error
 * @return         0; nonzero for an invalid team or unknown options, and if 4,096 contexts are
 *                 in use
 *
 * Local to the calling PE.  Callable: host.  Concurrency: any number of threads.
 * Errors: as returned; a ctx that is NULL ends the program with a message.
 */
NVSHMEM_EXPORT int shmem_ctx_create(long options, shmem_ctx_t *ctx);
NVSHMEM_EXPORT int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *ctx);

/**
 * Complete what was sent in a context (quiet), and destroy it.
 *
 * @param ctx  the context; SHMEM_CTX_INVALID does nothing
 *
 * A context ends also when its team is destroyed.  Callable: host.  Errors: the default context,
 * and one that was destroyed, end the program with a message.
 */
NVSHMEM_EXPORT void shmem_ctx_destroy(shmem_ctx_t ctx);

/**
 * Get the team that a context was made from.
 *
 * @param ctx   a context, or SHMEM_CTX_INVALID
 * @param team  out: the team; SHMEM_TEAM_INVALID for SHMEM_CTX_INVALID
 * @return      0; nonzero for SHMEM_CTX_INVALID
 *
 * Callable: host.  Errors: a team that is NULL and a context that was destroyed end the program
 * with a message.
 */
NVSHMEM_EXPORT int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team);

/**
 * Order (fence) or complete (quiet) what the calling PE has sent in a context; pe_quiet: to some
 * PEs.  See shmem_fence and shmem_quiet.  What was sent in other contexts is waited for only where
 * it went to the same PEs; a barrier completes what was sent in SHMEM_CTX_DEFAULT alone.
 *
 * @param ctx         a context; SHMEM_CTX_INVALID: fence and quiet do nothing
 * @param target_pes  npes numbers of PEs in the context's team
 * @param npes        number of these PEs
 *
 * Callable: host.  Concurrency: any number of threads.  Errors: an invalid context or PE ends the
 * program with a message.
 */
NVSHMEM_EXPORT void shmem_ctx_fence(shmem_ctx_t ctx);
NVSHMEM_EXPORT void shmem_ctx_quiet(shmem_ctx_t ctx);
NVSHMEM_EXPORT void shmem_ctx_pe_quiet(shmem_ctx_t ctx, const int *target_pes, size_t npes);

/**
 * Begin and end a session: a hint that many operations of a context follow.
 *
 * @param ctx          a context; SHMEM_CTX_INVALID: nothing is done
 * @param options      0 or SHMEM_CTX_SESSION_BATCH
 * @param config       NULL, or more hints
 * @param config_mask  which of them are set: 0 or SHMEM_CTX_SESSION_TOTAL_OPS
 *
 * Without effect.  Callable: host.  Errors: an invalid context ends the program with a message.
 */
NVSHMEM_EXPORT void shmem_ctx_session_start(shmem_ctx_t ctx, long options,
                                            const shmem_ctx_session_config_t *config,
                                            long config_mask);
NVSHMEM_EXPORT void shmem_ctx_session_stop(shmem_ctx_t ctx);

NVSHMEM_END_DECLS

#endif
