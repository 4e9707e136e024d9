/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers and collectives on streams: each checks its arguments, as on_stream.c does, and queues
 * an operation, which is the routine that device threads call (device/routine/collective.h).
 */
#include <nvshmemx.h>

#include "device/api/reductions.h"
#include "device/stream/stream.h"

/* Barriers. */

static void queue_barrier(enum ash_stream_kind kind, const char *function, nvshmem_team_t team,
                          cudaStream_t stream)
{
    struct ash_stream_op op = {
        .kind = kind, .function = function, .collective = {.call = {.team = team}}};
    (void)ash_check_team(function, team);
    ash_stream_queue(&op, stream);
}

#define ASH_DEFINE(NAME, KIND) \
    int nvshmemx_##NAME##_on_stream(nvshmem_team_t team, cudaStream_t stream) \
    { \
        queue_barrier(KIND, "nvshmemx_" #NAME "_on_stream", team, stream); \
        return 0; \
    }
ASH_DEFINE(barrier, ASH_STREAM_BARRIER)
ASH_DEFINE(team_sync, ASH_STREAM_SYNC)
#undef ASH_DEFINE

#define ASH_DEFINE(NAME, KIND) \
    void nvshmemx_##NAME##_on_stream(cudaStream_t stream) \
    { \
        queue_barrier(KIND, "nvshmemx_" #NAME "_on_stream", NVSHMEM_TEAM_WORLD, stream); \
    }
ASH_DEFINE(barrier_all, ASH_STREAM_BARRIER)
ASH_DEFINE(sync_all, ASH_STREAM_SYNC)
#undef ASH_DEFINE

/* Exchanges: 25 types, bytes.  Reductions: 25 types, of which 21 have all operations. */

/* The root is 0 where there is none, which is one of every team. */
static int queue_collective(const struct ash_stream_collective *collective, cudaStream_t stream)
{
    struct ash_stream_op op = {.kind = ASH_STREAM_COLLECTIVE,
                               .function = collective->call.function,
                               .collective = *collective};
    struct ash_collective checked = ash_collective_check(&collective->call, collective->kind);
    ash_collective_check_root(&checked, collective->root);
    ash_stream_queue(&op, stream);
    return 0;
}

#define ASH_CALL(NAME, BYTES, NELEMS) \
    .call = {ASH_SCOPE_THREAD, #NAME, team, dest, source, NELEMS, BYTES}
#define ASH_DEFINE_BROADCAST(NAME, TYPE, BYTES) \
    int NAME(nvshmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems, int PE_root, \
             cudaStream_t stream) \
    { \
        const struct ash_stream_collective collective = { \
            ASH_CALL(NAME, BYTES, nelems), .kind = ASH_MEETING_BROADCAST, .root = PE_root}; \
        return queue_collective(&collective, stream); \
    }
#define ASH_DEFINE_GATHER(NAME, TYPE, BYTES, KIND) \
    int NAME(nvshmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems, \
             cudaStream_t stream) \
    { \
        const struct ash_stream_collective collective = {ASH_CALL(NAME, BYTES, nelems), \
                                                         .kind = KIND}; \
        return queue_collective(&collective, stream); \
    }
#define ASH_DEFINE_REDUCTION(NAME, TYPE, KIND, NUMBER, OP) \
    int NAME(nvshmem_team_t team, TYPE *dest, const TYPE *source, size_t nreduce, \
             cudaStream_t stream) \
    { \
        const struct ash_stream_collective collective = { \
            ASH_CALL(NAME, sizeof(TYPE), nreduce), .kind = KIND, .number = NUMBER, .op = OP}; \
        return queue_collective(&collective, stream); \
    }

#define ASH_DEFINE(PREFIX, SUFFIX, TYPE, BYTES) \
    ASH_DEFINE_BROADCAST(PREFIX##broadcast##SUFFIX, TYPE, BYTES) \
    ASH_DEFINE_GATHER(PREFIX##fcollect##SUFFIX, TYPE, BYTES, ASH_MEETING_FCOLLECT) \
    ASH_DEFINE_GATHER(PREFIX##alltoall##SUFFIX, TYPE, BYTES, ASH_MEETING_ALLTOALL)
#define X(NAME, TYPE) ASH_DEFINE(nvshmemx_##NAME##_, _on_stream, TYPE, sizeof(TYPE))
NVSHMEM_RMA_TYPES(X)
#undef X
ASH_DEFINE(nvshmemx_, mem_on_stream, void, 1)
#undef ASH_DEFINE

#define ASH_REDUCTION(NAME, TYPE, NUMBER, VERB, OP) \
    ASH_DEFINE_REDUCTION(nvshmemx_##NAME##_##VERB##_reduce_on_stream, TYPE, ASH_MEETING_REDUCE, \
                         NUMBER, OP) \
    ASH_DEFINE_REDUCTION(nvshmemx_##NAME##_##VERB##_reducescatter_on_stream, TYPE, \
                         ASH_MEETING_REDUCESCATTER, NUMBER, OP)
ASH_REDUCTIONS
#undef ASH_REDUCTION
