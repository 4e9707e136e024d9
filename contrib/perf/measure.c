/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Alternates rounds of ours and of the limit, so that other load on the machine
 * affects both; the ratio is the median of the rounds' ratios.
 */
#include "perf.h"
#include "core.h"

#include <nvshmem.h>
#include <nvshmemx.h>
#include <anyshmem_kernel.h>
#include <stdio.h>

/* Sorts the values; returns the one at the fraction `part`. */
static double quantile(double *values, unsigned n, double part)
{
    sort_by_value(values, n);
    return values[(unsigned)(part * (n - 1) + 0.5)];
}

long perf_share(struct perf *perf, long value)
{
    uint64_t *word = &perf->words[PERF_WORD_DATA + 8];
    if (perf->me == 0)
        for (int pe = perf->n_pes - 1; pe >= 0; pe--)
            nvshmem_uint64_p(word, (uint64_t)value, pe);
    nvshmem_barrier_all();
    value = (long)__atomic_load_n(word, __ATOMIC_ACQUIRE);
    nvshmem_barrier_all();
    return value;
}

/* The word's owner polls it, as a waiting PE does, until PE 0 is done. */
static void poll_word(const struct perf *perf, uint64_t round)
{
    unsigned turns = 0;
    while (__atomic_load_n(&perf->words[PERF_WORD_DATA], __ATOMIC_ACQUIRE) != round) {
        (void)__atomic_load_n(&perf->words[PERF_WORD_AMO], __ATOMIC_ACQUIRE);
        relax(&turns);
    }
}

static bool takes_part(const struct perf *perf, enum perf_who who)
{
    return who == PERF_ALL || perf->me == 0 || (who == PERF_BOTH && perf->me == perf->peer);
}

struct call {
    struct perf *perf;
    perf_body *body;
    long count;
    double ns;
};

static void timed(struct call *call)
{
    double start = now_ns();
    call->body(call->perf, call->count);
    call->ns = now_ns() - start;
}

static void in_kernel(struct call *call)
{
    if (call->body != NULL) timed(call);
}

static void run_kernel(struct call *call)
{
    dim3 one = {1, 1, 1};
    void *arguments[] = {&call};
    if (nvshmemx_collective_launch((const void *)in_kernel, one, one, arguments, 0, 0) == 0) return;
    fprintf(stderr, "anyshmem-perf: the kernel could not be launched\n");
    nvshmem_global_exit(1);
}

/* Time of `count` iterations, in ns; valid on PE 0. */
static double run(struct perf *perf, const struct perf_options *options, enum perf_who who,
                  perf_body *body, long count)
{
    bool mine = takes_part(perf, who);
    struct call call = {perf, mine ? body : NULL, count, 0};
    uint64_t round = ++perf->round;
    nvshmem_barrier_all();
    if (options->kernel)
        run_kernel(&call);
    else if (mine)
        timed(&call);
    if (who == PERF_POLLED && perf->me == perf->peer && !options->kernel) poll_word(perf, round);
    if (who == PERF_POLLED && perf->me == 0)
        nvshmem_uint64_p(&perf->words[PERF_WORD_DATA], round, perf->peer);
    /* Bodies that two PEs run add `count` to round, which must stay the same on all PEs. */
    if (!mine && who == PERF_BOTH) perf->round += (uint64_t)count;
    nvshmem_barrier_all();
    return call.ns;
}

/* Finds the number of iterations with which a batch takes batch_ms. */
static long calibrate(struct perf *perf, const struct perf_options *options, enum perf_who who,
                      perf_body *body)
{
    double wanted = 1e6 * options->batch_ms;
    long count = 4;
    if (options->iterations > 0) return options->iterations;
    for (int i = 0; i < 12; i++) {
        double ns = run(perf, options, who, body, count), factor = wanted / (ns > 1 ? ns : 1);
        long next = (long)((double)count * (factor > 10 ? 10 : factor)) + 1;
        next = perf_share(perf, factor < 2 ? -next : next);
        if (next < 0) return -next;
        count = next;
    }
    return count;
}

static struct perf_limit limit_of(const struct perf *perf, const struct perf_case *test)
{
    static const struct perf_limit none;
    struct perf_limit limit = perf->peer_words != NULL ? test->mapped : test->remote;
    if (perf->peer_words == NULL && perf->ucx == NULL) return none;
    return limit;
}

void perf_measure(struct perf *perf, const struct perf_options *options,
                  const struct perf_case *test, struct perf_row *ret_row)
{
    static double ours[PERF_ROUNDS_MAX], ratios[PERF_ROUNDS_MAX], limits[PERF_ROUNDS_MAX];
    struct perf_limit limit = limit_of(perf, test);
    enum perf_who limit_who = limit.both ? PERF_BOTH : test->who;
    unsigned n = options->rounds;
    /* A host thread measures the limit, even if a kernel calls our routines. */
    struct perf_options host = *options;
    long count = calibrate(perf, options, test->who, test->body), limit_count = 0;
    /* The ring needs whole rounds. */
    if (test->who == PERF_ALL) count = (count + perf->n_pes - 1) / perf->n_pes * perf->n_pes;
    host.kernel = false;
    if (limit.body != NULL) limit_count = calibrate(perf, &host, limit_who, limit.body);
    for (unsigned i = 0; i < options->warmup + n; i++) {
        unsigned at = i < options->warmup ? 0 : i - options->warmup;
        ours[at] = run(perf, options, test->who, test->body, count) / (double)count /
                   test->per_turn;
        if (limit.body == NULL) continue;
        limits[at] = run(perf, &host, limit_who, limit.body, limit_count) /
                     (double)limit_count / test->per_turn;
        ratios[at] = ours[at] / limits[at];
    }
    *ret_row = (struct perf_row){.way = perf->way, .test = test, .size = perf->size,
                                 .n_pes = perf->n_pes, .limit_name = limit.name};
    ret_row->median = quantile(ours, n, 0.5);
    ret_row->least = ours[0];
    ret_row->spread = (quantile(ours, n, 0.75) - quantile(ours, n, 0.25)) / ret_row->median;
    if (limit.body == NULL) return;
    ret_row->limit = quantile(limits, n, 0.5);
    ret_row->ratio = quantile(ratios, n, 0.5);
}
