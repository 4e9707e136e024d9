/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Alternates batches of the case and of its limit, so that other load on the machine
 * affects both; prints medians, and the median of the batches' ratios.
 */
#include "bench.h"

#include <stdio.h>
#include <string.h>

/* The longest time that the target computes while PE 0 runs the body. */
#define BUSY_NS 20e6

static void store(struct line *line, uint64_t value)
{
    __atomic_store_n(&line->value, value, __ATOMIC_RELEASE);
}

static uint64_t load(const struct line *line)
{
    return __atomic_load_n(&line->value, __ATOMIC_ACQUIRE);
}

/* The owner polls the word of the AMOs, as a waiting PE does, until PE 0 is done. */
static void poll_word(const struct bench *bench, const uint64_t *raw, uint64_t turn)
{
    const long *word = &bench->words[WORD_AMO];
    unsigned turns = 0;
    store(&bench->page->started, turn);
    while (load(&bench->page->stop) != turn) {
        if (raw != NULL)
            (void)__atomic_load_n(raw, __ATOMIC_ACQUIRE);
        else
            (void)__atomic_load_n(word, __ATOMIC_ACQUIRE);
        relax(&turns);
    }
}

/* Computes without any call of OpenSHMEM. */
static void compute(const struct bench *bench, uint64_t turn)
{
    double end = now_ns() + BUSY_NS;
    volatile double value = 1;
    store(&bench->page->started, turn);
    while (load(&bench->page->stop) != turn && now_ns() < end)
        for (int i = 0; i < 1000; i++) value = value * 0.999 + 1;
}

/* Runs on a PE that does not run the body, before it waits in the barrier. */
static void attend(const struct bench *bench, enum who who, bool raw, uint64_t turn)
{
    if (bench->me != bench->peer) return;
    if (who == POLLED) poll_word(bench, raw ? &bench->page->amo.value : NULL, turn);
    if (who == BUSY) compute(bench, turn);
}

/* Time of `count` iterations, in ns; valid on PE 0. */
static double run(struct bench *bench, enum who who, bench_body *body, bool raw, long count)
{
    struct page *page = bench->page;
    double start, ns = 0;
    uint64_t turn;
    if (bench->me == 0) store(&page->round, (uint64_t)++bench->round);
    shmem_barrier_all();
    turn = load(&page->round);
    bench->round = (long)turn;
    if (bench->me == 0 || who == ALL || (who == BOTH && bench->me == bench->peer)) {
        if (who == POLLED || who == BUSY) page_wait(&page->started, turn);
        start = now_ns();
        body(bench, count);
        ns = now_ns() - start;
    } else {
        attend(bench, who, raw, turn);
    }
    if (bench->me == 0) store(&page->stop, turn);
    shmem_barrier_all();
    return ns;
}

/* Finds the number of iterations with which a batch takes batch_ns. */
static long calibrate(struct bench *bench, const struct options *options, enum who who,
                      bench_body *body, bool raw)
{
    long count = 1;
    /* The first call may have to connect PEs. */
    run(bench, who, body, raw, count);
    for (int i = 0; i < 16; i++) {
        double ns = run(bench, who, body, raw, count);
        double factor = options->batch_ns / (ns > 1 ? ns : 1);
        long next = (long)((double)count * (factor > 10 ? 10 : factor < 0.5 ? 0.5 : factor)) + 1;
        if (bench->me == 0) store(&bench->page->count, (uint64_t)(factor < 2 ? -next : next));
        shmem_barrier_all();
        count = (long)load(&bench->page->count);
        shmem_barrier_all();
        if (count < 0) return -count;
    }
    return count;
}

static double median(double *values, unsigned n)
{
    sort_by_value(values, n);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

/* Does each PE have the expected data?  Valid on PE 0. */
static bool all_right(struct bench *bench, const struct bench_case *test)
{
    struct page *page = bench->page;
    if (bench->me == 0) store(&page->expected, (uint64_t)bench->expected);
    shmem_barrier_all();
    if (test->check != NULL && !test->check(bench)) store(&page->bad, 1);
    shmem_barrier_all();
    return load(&page->bad) == 0;
}

static void prepare(struct bench *bench)
{
    size_t nbytes = bench->size < BYTES_MAX ? bench->size : BYTES_MAX;
    memset(bench->target, 0, nbytes);
    memset(bench->source, bench->me + 1, nbytes);
    if (bench->dest != NULL) memset(bench->dest, bench->me + 1, (size_t)bench->n_pes * bench->size);
    bench->expected = 0;
    bench->words[WORD_AMO] = 0;
    for (size_t i = 0; i < VARIABLES_MAX; i++) bench->array[i] = 1;
    if (bench->me == 0) store(&bench->page->bad, 0);
    shmem_barrier_all();
}

static void print(const struct bench *bench, const struct bench_case *test, unsigned n,
                  double *ours, double *limits, double *ratios)
{
    double middle = median(ours, n);
    printf("bench %s %zu %d %s %.5g %.5g ", test->name, bench->size, bench->n_pes, test->unit,
           middle, ours[0]);
    if (ratios == NULL) {
        puts("- - - -");
        return;
    }
    middle = median(limits, n);
    printf("%.5g %.5g %.4g %s\n", middle, limits[0], median(ratios, n), test->limit.name);
}

void bench_measure(struct bench *bench, const struct options *options,
                   const struct bench_case *test)
{
    static double ours[BATCHES_MAX], limits[BATCHES_MAX], ratios[BATCHES_MAX];
    const struct limit *limit = &test->limit;
    bool limited = limit->body != NULL && (limit->local || !options->remote);
    double per_turn = test->per_turn != 0 ? test->per_turn : bench->n_pes;
    long count, limit_count = 1;
    prepare(bench);
    count = calibrate(bench, options, test->who, test->body, false);
    if (limited) limit_count = calibrate(bench, options, test->who, limit->body, true);
    for (unsigned i = 0; i < options->batches; i++) {
        ours[i] = run(bench, test->who, test->body, false, count) / (double)count / per_turn;
        if (!limited) continue;
        limits[i] = run(bench, test->who, limit->body, true, limit_count) /
                    (double)limit_count / per_turn;
        ratios[i] = ours[i] / limits[i];
    }
    if (!all_right(bench, test)) {
        if (bench->me == 0) printf("bench %s %zu %d %s wrong - - - - -\n", test->name, bench->size,
                                   bench->n_pes, test->unit);
    } else if (bench->me == 0) {
        print(bench, test, options->batches, ours, limits, limited ? ratios : NULL);
    }
    fflush(stdout);
}
