/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an OpenSHMEM costs, beside what the machine does without one: a program that
 * needs nothing but <shmem.h> and POSIX, so that any implementation can run it.
 *
 *   main.c      options; which cases run
 *   measure.c   batches of the case and of its limit in turn; one line for each
 *   page.c      memory that all PEs of this machine share, without OpenSHMEM
 *   cases.c     the list of cases; amo.c message.c wait.c order.c: what each one does
 *   limit.c     what plain loads, stores, atomics and memcpy do over that memory
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

/*
 * OpenSHMEM 1.4 is what is needed.  1.5's additions, each of which can be given for an
 * implementation that has more, or less, than it says: -DBENCH_SETS=0.
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

#define PES_MAX 256
#define BYTES_MAX ((size_t)1 << 20)
#define VARIABLES_MAX 4096
#define BATCHES_MAX 99

/* What all PEs see; each word on lines of its own. */
struct line {
    uint64_t value;
    uint64_t pad[15];
};

struct page {
    /* How a case goes on: said by PE 0. */
    struct line count, round, expected, bad, started, stop;
    /* Of the limits. */
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
    struct page *page;
    /* Counts up over all bodies; the same on all PEs when one begins. */
    long round;
    /* What the peer's word is in the end; PE 0 knows. */
    long expected;
};

/* Words far enough from each other. */
enum { WORD_AMO = 0, WORD_FLAG = 32, WORD_RING = 64, WORDS = 96 };

/* Does it `count` times. */
typedef void bench_body(struct bench *bench, long count);
/* After all batches, on each PE: is what it has what it should have? */
typedef bool bench_check(const struct bench *bench);

/*
 * Which PEs run a body.  Meanwhile the peer waits in a barrier; looks at the word of
 * the AMOs; or computes for a while and calls nothing.
 */
enum who { FIRST, BOTH, ALL, POLLED, BUSY };

enum sizes { ONE, MESSAGES, BULK, VARIABLES, N_SIZES };

struct limit {
    const char *name;
    bench_body *body;
    /* It needs no peer: it is the limit however the data goes. */
    bool local;
};

struct bench_case {
    const char *group, *name;
    /* us, Mop/s, MB/s, ms: how the table shows it; here all is in ns. */
    const char *unit;
    enum who who;
    enum sizes sizes;
    /* Operations that one turn of a body is. */
    unsigned per_turn;
    /* It is measured with more than two PEs, too. */
    bool many;
    bench_body *body;
    struct limit limit;
    bench_check *check;
};

extern const struct bench_case bench_cases[];
extern const unsigned bench_n_cases;

struct options {
    unsigned batches;
    double batch_ns;
    /* The peer is not reached by loads and stores: no limit made of them. */
    bool remote;
    bool pin;
};

/* measure.c: all PEs call it; PE 0 prints the line. */
void bench_measure(struct bench *bench, const struct options *options,
                   const struct bench_case *test);
double bench_now_ns(void);

/* page.c: NULL: there is none, and why is said; collective. */
struct page *page_open(struct bench *bench);
/* Between two looks at a word: gives the processor up now and then. */
void page_relax(unsigned *turns);
void page_wait(const struct line *line, uint64_t value);

bench_body bench_fetch, bench_fetch_add, bench_swap, bench_compare_swap, bench_set_quiet,
    bench_add_quiet, bench_add_rate, bench_contended;
bench_body bench_p_wait, bench_put_fence_p, bench_put_quiet_p, bench_put_signal, bench_put_bw,
    bench_get;
bench_body bench_wait_all, bench_wait_any, bench_wait_some, bench_test_any,
    bench_wait_all_vector, bench_wait_any_vector, bench_wait_some_vector, bench_p_wait_any;
bench_body bench_ring, bench_barrier;

bench_check check_word, check_target, check_source, check_array;

bench_body limit_load, limit_fetch_add, limit_add, limit_swap, limit_compare_swap, limit_store,
    limit_flag, limit_copy_flag, limit_copy_to, limit_copy_from, limit_scan_all, limit_scan_any,
    limit_ring, limit_barrier, limit_contended;

#endif
