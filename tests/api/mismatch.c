/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mismatch CASE: PE 1 makes another collective call than the other PEs, or the same one with
 * other arguments.  tests/api/mismatch.sh runs the cases and knows what must be said.
 */
#include <nvshmemx.h>
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/pe.h"

/* Symmetric memory, and a team of all PEs. */
static long *x, *y;
static void *block, *other;
static nvshmem_team_t all;

static void split_strided(int start, int size)
{
    nvshmem_team_t team;
    (void)nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, start, 1, size, NULL, 0, &team);
}

static void split_2d(int xrange)
{
    nvshmem_team_t rows, columns;
    (void)nvshmem_team_split_2d(NVSHMEM_TEAM_WORLD, xrange, NULL, 0, &rows, NULL, 0, &columns);
}

static void finalize(void)
{
    nvshmem_finalize();
    printf("mismatch: PE %d: CAME BACK\n", pe_me);
    exit(0);
}

/* X(case, call of all PEs but PE 1, call of PE 1) */
#define WORLD NVSHMEM_TEAM_WORLD
#define CASES(X) \
    X(malloc_barrier, (void)nvshmem_malloc(64), nvshmem_barrier_all()) \
    X(malloc_free, (void)nvshmem_malloc(64), nvshmem_free(block)) \
    X(malloc_calloc, (void)nvshmem_malloc(64), (void)nvshmem_calloc(8, 8)) \
    X(malloc_split, (void)nvshmem_malloc(64), split_strided(0, pe_n)) \
    X(malloc_size, (void)nvshmem_malloc(64), (void)nvshmem_malloc(65)) \
    X(free_block, nvshmem_free(block), nvshmem_free(other)) \
    X(split_size, split_strided(0, pe_n), split_strided(0, pe_n - 1)) \
    X(split_xrange, split_2d(1), split_2d(2)) \
    X(split_kind, split_2d(1), split_strided(0, 1)) \
    X(destroy_barrier, nvshmem_team_destroy(all), (void)nvshmem_barrier(all)) \
    X(sync_broadcast, (void)nvshmem_team_sync(WORLD), \
      (void)nvshmem_long_broadcast(WORLD, y, x, 1, 0)) \
    X(broadcast_root, (void)nvshmem_long_broadcast(WORLD, y, x, 1, 0), \
      (void)nvshmem_long_broadcast(WORLD, y, x, 1, 1)) \
    X(broadcast_none, (void)nvshmem_long_broadcast(WORLD, y, x, 1, 1), \
      (void)nvshmem_long_broadcast(WORLD, y, x, 1, 0)) \
    X(broadcast_size, (void)nvshmem_long_broadcast(WORLD, y, x, 1, 0), \
      (void)nvshmem_long_broadcast(WORLD, y, x, 2, 0)) \
    X(broadcast_large, (void)nvshmem_long_broadcast(WORLD, y, x, 1, 0), \
      (void)nvshmem_long_broadcast(WORLD, y, x, 8000, 0)) \
    X(reduce_large, (void)nvshmem_long_sum_reduce(WORLD, y, x, 8000), \
      (void)nvshmem_long_sum_reduce(WORLD, y, x, 1)) \
    X(reduce_alltoall, (void)nvshmem_long_sum_reduce(WORLD, y, x, 8), \
      (void)nvshmem_long_alltoall(WORLD, y, x, 8)) \
    X(broadcast_dest, (void)nvshmem_long_broadcast(WORLD, y, x, 1, 0), \
      (void)nvshmem_long_broadcast(WORLD, y + 1, x, 1, 0)) \
    X(fcollect_alltoall, (void)nvshmem_int_fcollect(all, (int *)y, (int *)x, 1), \
      (void)nvshmem_int_alltoall(all, (int *)y, (int *)x, 1)) \
    X(reduce_op, (void)nvshmem_long_sum_reduce(WORLD, y, x, 8), \
      (void)nvshmem_long_max_reduce(WORLD, y, x, 8)) \
    X(reduce_type, (void)nvshmem_long_sum_reduce(WORLD, y, x, 8), \
      (void)nvshmem_double_sum_reduce(WORLD, (double *)y, (double *)x, 8)) \
    X(reduce_scatter, (void)nvshmem_long_sum_reduce(WORLD, y, x, 1), \
      (void)nvshmem_long_sum_reducescatter(WORLD, y, x, 1)) \
    X(order, first_then(true), first_then(false)) \
    X(inscan_exscan, (void)shmem_long_sum_inscan(SHMEM_TEAM_WORLD, y, x, 1), \
      (void)shmem_long_sum_exscan(SHMEM_TEAM_WORLD, y, x, 1)) \
    X(collect_dest, (void)shmem_long_collect(SHMEM_TEAM_WORLD, y, x, (size_t)pe_me), \
      (void)shmem_long_collect(SHMEM_TEAM_WORLD, y + 1, x, 1)) \
    X(alltoalls_sst, (void)shmem_long_alltoalls(SHMEM_TEAM_WORLD, y, x, 2, 1, 8), \
      (void)shmem_long_alltoalls(SHMEM_TEAM_WORLD, y, x, 2, 3, 8)) \
    X(set_calls, shmem_barrier(0, 0, 3, NULL), shmem_fcollect64(y, x, 1, 0, 0, 3, NULL)) \
    X(set_root, shmem_broadcast64(y, x, 1, 0, 0, 0, 3, NULL), \
      shmem_broadcast64(y, x, 1, 1, 0, 0, 3, NULL)) \
    X(set_pes, shmem_sync(0, 0, 3, NULL), shmem_sync(0, 0, 2, NULL)) \
    X(finalize, finalize(), nvshmem_barrier_all())

/* The same two calls in both orders. */
static void first_then(bool reduce_first)
{
    if (reduce_first) (void)nvshmem_long_sum_reduce(WORLD, y, x, 1);
    (void)nvshmem_long_broadcast(WORLD, y, x, 1, 0);
    if (!reduce_first) (void)nvshmem_long_sum_reduce(WORLD, y, x, 1);
}

#define X(NAME, USUAL, ODD) \
    static void usual_##NAME(void) { USUAL; } \
    static void odd_##NAME(void) { ODD; }
CASES(X)
#undef X

static const struct {
    const char *name;
    void (*usual)(void), (*odd)(void);
} cases[] = {
#define X(NAME, USUAL, ODD) {#NAME, usual_##NAME, odd_##NAME},
    CASES(X)
#undef X
};

/* Two threads of PE 1 call collectives to which the other PEs do not come, so that the thread that
 * comes first is still there when the other one comes. */
static void *wait_in_barrier(void *unused)
{
    nvshmem_barrier_all();
    printf("mismatch: PE %d: CAME BACK\n", pe_me);
    return unused;
}

static void two_threads(bool in_heap)
{
    pthread_t thread;
    if (pe_me != 1) nvshmem_long_wait_until(x, NVSHMEM_CMP_NE, 0);
    PE_NEED(pthread_create(&thread, NULL, wait_in_barrier, NULL) == 0);
    if (in_heap)
        (void)nvshmem_malloc(64);
    else
        nvshmem_sync_all();
}

/* What must not be taken for a mistake. */
static void nothing_wrong(void)
{
    nvshmem_team_t odd;
    if (pe_me == 1)
        nvshmem_sync_all();
    else
        nvshmem_barrier_all();
    /* Nothing is moved, so the addresses may be anything. */
    (void)nvshmem_long_broadcast(WORLD, pe_me == 1 ? y : NULL, x, 0, 0);
    PE_EQUAL(nvshmem_team_split_strided(all, 1, 1, 2, NULL, 0, &odd), 0);
    if (odd != NVSHMEM_TEAM_INVALID) (void)nvshmem_team_sync(odd);
    if (odd != NVSHMEM_TEAM_INVALID) nvshmem_team_destroy(odd);
    for (int i = 0; i < 100; i++) {
        x[0] = pe_me;
        (void)nvshmem_long_sum_reduce(WORLD, y, x, 1);
        PE_EQUAL((uint64_t)y[0], (uint64_t)(pe_n * (pe_n - 1) / 2));
        nvshmem_free(nvshmem_malloc(64));
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) return 99;
    setenv("NVSHMEM_SYMMETRIC_SIZE", "16M", 1);
    pe_start("mismatch");
    x = pe_alloc(1 << 16);
    y = pe_alloc(1 << 16);
    block = pe_alloc(64);
    other = pe_alloc(64);
    PE_NEED(nvshmem_team_split_strided(WORLD, 0, 1, pe_n, NULL, 0, &all) == 0);
    nvshmem_barrier_all();
    if (strcmp(argv[1], "nothing_wrong") == 0) {
        nothing_wrong();
        return pe_finish();
    }
    if (strcmp(argv[1], "threads") == 0 || strcmp(argv[1], "threads_heap") == 0) {
        two_threads(argv[1][7] != '\0');
        return 99;
    }
    for (size_t i = 0; i < PE_COUNT(cases); i++) {
        if (strcmp(cases[i].name, argv[1]) != 0) continue;
        if (pe_me == 1)
            cases[i].odd();
        else
            cases[i].usual();
        printf("mismatch: PE %d: CAME BACK\n", pe_me);
        fflush(stdout);
        nvshmem_barrier_all();
        nvshmem_barrier_all();
        return 99;
    }
    return 99;
}
