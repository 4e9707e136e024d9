/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bodies of the collectives, in the words of one of three interfaces (BENCH_COLLECTIVES).  A
 * block has bench->size bytes.  Each PE is the root of a broadcast in turn.
 */
#include "bench.h"

#if BENCH_COLLECTIVES

#if BENCH_COLLECTIVES == BENCH_NVSHMEM
#include <nvshmem.h>
#elif BENCH_COLLECTIVES == BENCH_MPI
#include <mpi.h>
#endif

#define LONGS(bench) ((bench)->size / sizeof(long))

#if BENCH_COLLECTIVES == BENCH_ACTIVE_SET

/* Calls use these alternately, because one PE may still be in the call before. */
#define SYNCS 4
#define SYNC(bench, i) ((bench)->sync + (i) % SYNCS * BENCH_SYNC_WORDS)

#define REDUCE(i) \
    shmem_long_sum_to_all((long *)bench->dest, (long *)bench->block, (int)LONGS(bench), 0, 0, \
                          bench->n_pes, bench->work, SYNC(bench, i))
#define BROADCAST(i) \
    shmem_broadcast64(bench->dest, bench->block, LONGS(bench), (int)(i) % bench->n_pes, 0, 0, \
                      bench->n_pes, SYNC(bench, i))
#define COLLECT(i) \
    shmem_collect64(bench->dest, bench->block, LONGS(bench), 0, 0, bench->n_pes, SYNC(bench, i))
#define FCOLLECT(i) \
    shmem_fcollect64(bench->dest, bench->block, LONGS(bench), 0, 0, bench->n_pes, SYNC(bench, i))
#define ALLTOALL(i) \
    shmem_alltoall64(bench->dest, bench->block, LONGS(bench), 0, 0, bench->n_pes, SYNC(bench, i))

#elif BENCH_COLLECTIVES == BENCH_NVSHMEM

#define WORLD NVSHMEM_TEAM_WORLD
#define REDUCE(i) \
    nvshmem_long_sum_reduce(WORLD, (long *)bench->dest, (long *)bench->block, LONGS(bench))
#define BROADCAST(i) \
    nvshmem_long_broadcast(WORLD, (long *)bench->dest, (long *)bench->block, LONGS(bench), \
                           (int)(i) % bench->n_pes)
/* NVSHMEM has none. */
#define COLLECT(i) \
    shmem_long_collect(SHMEM_TEAM_WORLD, (long *)bench->dest, (long *)bench->block, LONGS(bench))
#define FCOLLECT(i) \
    nvshmem_long_fcollect(WORLD, (long *)bench->dest, (long *)bench->block, LONGS(bench))
#define ALLTOALL(i) \
    nvshmem_long_alltoall(WORLD, (long *)bench->dest, (long *)bench->block, LONGS(bench))

#else

#define N ((int)LONGS(bench))
#define REDUCE(i) \
    MPI_Allreduce(bench->block, bench->dest, N, MPI_LONG, MPI_SUM, MPI_COMM_WORLD)
/* From the root's memory to the same of the others. */
#define BROADCAST(i) MPI_Bcast(bench->dest, N, MPI_LONG, (int)(i) % bench->n_pes, MPI_COMM_WORLD)
/* Each PE's number of elements must be known to all. */
#define COLLECT(i) collect(bench)
static void collect(struct bench *bench)
{
    int counts[PES_MAX], first[PES_MAX], n = N;
    MPI_Allgather(&n, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    for (int pe = 0, sum = 0; pe < bench->n_pes; sum += counts[pe++]) first[pe] = sum;
    MPI_Allgatherv(bench->block, n, MPI_LONG, bench->dest, counts, first, MPI_LONG, MPI_COMM_WORLD);
}
#define FCOLLECT(i) \
    MPI_Allgather(bench->block, N, MPI_LONG, bench->dest, N, MPI_LONG, MPI_COMM_WORLD)
#define ALLTOALL(i) \
    MPI_Alltoall(bench->block, N, MPI_LONG, bench->dest, N, MPI_LONG, MPI_COMM_WORLD)

#endif

#define BODY(NAME, CALL) \
    void NAME(struct bench *bench, long count) \
    { \
        for (long i = 0; i < count; i++) CALL(i); \
    }
BODY(bench_reduce, REDUCE)
BODY(bench_broadcast, BROADCAST)
BODY(bench_collect, COLLECT)
BODY(bench_fcollect, FCOLLECT)
BODY(bench_alltoall, ALLTOALL)

/* Has each byte of a block this value? */
static bool has(const struct bench *bench, int block, int value)
{
    const char *bytes = bench->dest + (size_t)block * bench->size;
    for (size_t i = 0; i < bench->size; i++)
        if (bytes[i] != (char)value) return false;
    return true;
}

/* Each byte of a source is the PE's number plus 1. */
bool check_reduce(const struct bench *bench)
{
    return has(bench, 0, bench->n_pes * (bench->n_pes + 1) / 2);
}

/* The last root is not known here, only that all bytes are of one.  MPI's is in place. */
bool check_broadcast(const struct bench *bench)
{
    int value = bench->dest[0];
    return (BENCH_COLLECTIVES == BENCH_MPI || (value >= 1 && value <= bench->n_pes)) &&
           has(bench, 0, value);
}

bool check_blocks(const struct bench *bench)
{
    for (int block = 0; block < bench->n_pes; block++)
        if (!has(bench, block, block + 1)) return false;
    return true;
}

#endif
