/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers and collectives of a team that are queued on a stream (stream.h).
 *
 * A team runs one collective at a time, on a stream or not, and all its PEs must
 * run them in the same order.  On one stream they run in the order of their calls;
 * between streams, and between a stream and the host, the program must order those
 * of one team.  Collectives of different teams may run at the same time.
 *
 * Document: NVSHMEM, "Collective Communication".
 */
#ifndef NVSHMEM_STREAM_COLLECTIVE_H
#define NVSHMEM_STREAM_COLLECTIVE_H

#include <nvshmem/stream.h>
#include <nvshmem/team.h>

NVSHMEM_BEGIN_DECLS

/**
 * Queue nvshmem_barrier or nvshmem_team_sync.
 *
 * barrier completes what nvshmemx_quiet_on_stream (stream.h) does.
 *
 * @param team    a team that the calling PE is in; must not be destroyed before the
 *                operation is done
 * @param stream  a stream
 * @return        0
 *
 * Collective over the team: each of its PEs queues it.
 * Order: runs after all operations that were queued on the stream before; what the
 * PEs wrote to their own memory before, and with barrier what they sent, is visible
 * to the operations that are queued afterwards.
 * Callable: host.  Concurrency: any number of threads.
 * Errors: a team that the PE is not in, a stream that does not exist, and lack of
 * memory or threads end the program with a message, during the call.
 */
NVSHMEM_EXPORT int nvshmemx_barrier_on_stream(nvshmem_team_t team, cudaStream_t stream);
NVSHMEM_EXPORT int nvshmemx_team_sync_on_stream(nvshmem_team_t team, cudaStream_t stream);

/**
 * Queue an exchange of data or a reduction.
 *
 * nvshmemx_TYPENAME_broadcast_on_stream, _fcollect_on_stream and
 * _alltoall_on_stream, for the 25 standard RMA types, and for bytes
 * (nvshmemx_broadcastmem_on_stream and so on); nvshmemx_TYPENAME_OP_reduce_on_stream
 * and _reducescatter_on_stream, for the types and operations of
 * nvshmem_TYPENAME_OP_reduce.  The arguments are those of the routines without a
 * stream (collective.h), followed by:
 *
 * @param stream  a stream
 * @return        0
 *
 * The call returns at once.  The operation reads source and writes dest when it
 * runs, and the results are bitwise those of the routine without a stream.
 * Order: runs after all operations that were queued on the stream before.  When it is
 * done, dest is complete and source may be changed, on this PE, by the operations that
 * are queued afterwards.  It does not complete the PE's earlier puts.
 * Callable: host.  Concurrency: any number of threads.
 * Errors: an argument that is out of range, a stream that does not exist, and lack of
 * memory or threads end the program with a message, during the call.
 */
#define ASH_DECLARE_GATHER(NAME, TYPE) \
    NVSHMEM_EXPORT int NAME(nvshmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems, \
                            cudaStream_t stream);
#define ASH_DECLARE(PREFIX, SUFFIX, TYPE) \
    NVSHMEM_EXPORT int PREFIX##broadcast##SUFFIX(nvshmem_team_t team, TYPE *dest, \
                                                 const TYPE *source, size_t nelems, \
                                                 int PE_root, cudaStream_t stream); \
    ASH_DECLARE_GATHER(PREFIX##fcollect##SUFFIX, TYPE) \
    ASH_DECLARE_GATHER(PREFIX##alltoall##SUFFIX, TYPE)
#define X(NAME, TYPE) ASH_DECLARE(nvshmemx_##NAME##_, _on_stream, TYPE)
NVSHMEM_RMA_TYPES(X)
#undef X
ASH_DECLARE(nvshmemx_, mem_on_stream, void)
#undef ASH_DECLARE
#define NVSHMEM_REDUCTION(NAME, TYPE, VERB, OP) \
    ASH_DECLARE_GATHER(nvshmemx_##NAME##_##VERB##_reduce_on_stream, TYPE) \
    ASH_DECLARE_GATHER(nvshmemx_##NAME##_##VERB##_reducescatter_on_stream, TYPE)
NVSHMEM_REDUCTIONS
#undef NVSHMEM_REDUCTION
#undef ASH_DECLARE_GATHER

NVSHMEM_END_DECLS

#endif
