/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures an OpenSHMEM, and the limit of the machine without one.  The program
 * needs only <shmem.h> and POSIX, so that any implementation can run it.
 *
 *   main.c      options; selects the cases
 *   measure.c   alternates batches of the case and of its limit; prints a line for each case
 *   page.c      memory that all PEs of this machine share, without OpenSHMEM
 *   cases.c     the list of cases; amo.c ctx.c message.c wait.c order.c lock.c collective.c: their
 *               bodies
 *   limit.c     limits of plain loads, stores, atomics and memcpy on that memory
 */
#ifndef BENCH_H
#define BENCH_H

/* memfd_create, sched_setaffinity */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <shmem.h>

#include "../perf/core.h"

/*
 * The program needs OpenSHMEM 1.4, and uses these additions of 1.5 where they exist.  Set a
 * macro, as by -DBENCH_SETS=0, for an implementation that has more or less than its version says.
 */
#if defined(SHMEM_MAJOR_VERSION) && \
    (SHMEM_MAJOR_VERSION > 1 || (SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION >= 5))
#define BENCH_NEW 1
#else
#define BENCH_NEW 0
#endif
/* put_signal and signal_wait_until. */
#ifndef BENCH_SIGNALS
#define BENCH_SIGNALS BENCH_NEW
#endif
/* wait_until_all, any, some; test_any. */
#ifndef BENCH_SETS
#define BENCH_SETS BENCH_NEW
#endif
/* wait_until_all_vector, any, some. */
#ifndef BENCH_VECTORS
#define BENCH_VECTORS BENCH_NEW
#endif
/* What the collectives are called: those of OpenSHMEM 1.4, of NVSHMEM, or of MPI, which is
 * measured by a program that has nothing else. */
#define BENCH_ACTIVE_SET 1
#define BENCH_NVSHMEM 2
#define BENCH_MPI 3
#ifndef BENCH_COLLECTIVES
#define BENCH_COLLECTIVES (BENCH_NEW ? 0 : BENCH_ACTIVE_SET)
#endif

#define PES_MAX 256
#define BYTES_MAX ((size_t)1 << 20)
#define VARIABLES_MAX 4096
/* Collectives are measured with so many PEs, with blocks of so many bytes. */
#define COLLECTIVE_PES_MAX 8
#define BLOCK_MAX ((size_t)4 << 20)
#define BATCHES_MAX 99

/* A word in cache lines of its own, in memory that all PEs share. */
struct line {
    uint64_t value;
    uint64_t pad[15];
};

struct page {
    /* State of the current case.  Written by: PE 0, but `bad` by any PE that finds a wrong
     * result, and `started` by the polling or computing peer.  Read by: all PEs. */
    struct line count, round, expected, bad, started, stop;
    /* Memory of the limits. */
    struct line amo, ring[PES_MAX], flags[PES_MAX][8];
    char data[2][BYTES_MAX];
};

struct bench {
    int me, n_pes, peer;
    /* Bytes of a message, or variables of a wait. */
    size_t size;
    /* Symmetric. */
    long *words, *array;
    uint64_t *signal;
    char *target, *source;
    /* The same for collectives, with a block for each PE, and what calls of OpenSHMEM 1.4 want. */
    char *dest, *block;
    long *sync, *work;
    struct page *page;
    /* Increases over all bodies; the same on all PEs when a body begins. */
    long round;
    /* The value that the peer's word should have in the end; valid on PE 0. */
    long expected;
    /* What this PE's WORD_COUNT was when it last waited for it. */
    long counted;
};

/* Indices of words in separate cache lines. */
enum {
    WORD_AMO = 0,
    WORD_FLAG = 32,
    WORD_RING = 64,
    WORD_LOCK = 96,
    WORD_COUNT = 128,
    WORDS = 160
};

/* Runs the operation `count` times. */
typedef void bench_body(struct bench *bench, long count);
/* Called on each PE after all batches: does this PE have the expected data? */
typedef bool bench_check(const struct bench *bench);

/*
 * The PEs that run a body: PE 0; PE 0 and its peer; all.  With POLLED and BUSY it is PE 0 alone,
 * while the peer polls the word of the AMOs, or computes for a while without a call of OpenSHMEM.
 * The PEs that do not take part wait in a barrier.
 */
enum who { FIRST, BOTH, ALL, POLLED, BUSY };

enum sizes { ONE, MESSAGES, BULK, VARIABLES, BLOCKS, N_SIZES };

/* Whether a case is also measured with more than two PEs: with its first size, or all sizes. */
enum many { TWO, FIRST_SIZE, ALL_SIZES };

struct limit {
    const char *name;
    bench_body *body;
    /* The limit needs no peer, so it holds for every path of the data. */
    bool local;
};

struct bench_case {
    const char *group, *name;
    /* The unit in the table: us, Mop/s, MB/s, ms.  This program measures and prints ns. */
    const char *unit;
    enum who who;
    enum sizes sizes;
    /* Operations in one iteration of a body; 0: as many as PEs. */
    unsigned per_turn;
    enum many many;
    bench_body *body;
    struct limit limit;
    bench_check *check;
};

extern const struct bench_case bench_cases[];
extern const unsigned bench_n_cases;

struct options {
    unsigned batches;
    double batch_ns;
    /* Loads and stores do not reach the peer, so they are no limit. */
    bool remote;
    bool pin;
    /* A file that all PEs share, where their hosts do not see each other's processes; or NULL. */
    const char *page;
};

/* measure.c: all PEs call it; PE 0 prints the line. */
void bench_measure(struct bench *bench, const struct options *options,
                   const struct bench_case *test);

/* page.c: returns NULL, with a message, on failure; collective.  path: see struct options. */
struct page *page_open(struct bench *bench, const char *path);
void page_wait(const struct line *line, uint64_t value);

bench_body bench_fetch, bench_fetch_add, bench_swap, bench_compare_swap, bench_set_quiet,
    bench_add_quiet, bench_add_rate, bench_contended;
bench_body bench_ctx_fetch_add, bench_ctx_set_quiet, bench_ctx_add_rate, bench_ctx_create;
bench_body bench_lock, bench_lock_add;
bench_body bench_p_wait, bench_p_test, bench_set_wait, bench_inc_wait, bench_put_fence_p,
    bench_put_quiet_p, bench_put_signal, bench_put_signal_nbi, bench_put_bw, bench_get;
bench_body bench_wait_all, bench_wait_any, bench_wait_some, bench_test_any,
    bench_wait_all_vector, bench_wait_any_vector, bench_wait_some_vector, bench_p_wait_any;
bench_body bench_ring, bench_barrier;

/* Words of one pSync. */
#define BENCH_SYNC_WORDS 1024
bench_body bench_reduce, bench_broadcast, bench_collect, bench_fcollect, bench_alltoall;

bench_check check_reduce, check_broadcast, check_blocks;
bench_check check_word, check_own_word, check_target, check_source, check_array;

bench_body limit_load, limit_fetch_add, limit_add, limit_swap, limit_compare_swap, limit_store,
    limit_flag, limit_copy_flag, limit_copy_to, limit_copy_from, limit_scan_all, limit_scan_any,
    limit_ring, limit_barrier, limit_contended;

#endif
