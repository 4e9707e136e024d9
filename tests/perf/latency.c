/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Latency of the routines beside the raw limit, measured in the same run.
 *
 *   direct (2 PEs, mapped)     fetch-add against a CPU atomic on the same word;
 *                              put-with-signal ping-pong against plain stores
 *   channel (ANYSHMEM_DISABLE_DIRECT=all)   fetch-add round trip over channel,
 *                              proxy and UCX against two threads that answer each
 *                              other over two cache lines
 *   any number of PEs          ring hop and barrier_all
 *
 * Each figure is the median of batches.  Not run by make check.
 */
#include <nvshmem.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BATCHES 31

static int me, n_pes;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median over batches of the time of one of `count` repetitions, in ns. */
static double median(void (*body)(int count), int count)
{
    double times[BATCHES];
    body(count / 10 + 1);
    for (int i = 0; i < BATCHES; i++) {
        double start = now();
        body(count);
        times[i] = (now() - start) / count;
    }
    qsort(times, BATCHES, sizeof(times[0]), by_value);
    return times[BATCHES / 2];
}

static void row(const char *name, double ours, const char *raw_name, double raw)
{
    if (me != 0) return;
    if (raw > 0)
        printf("%-34s %9.1f ns   %-26s %9.1f ns   ratio %.2f\n", name, ours, raw_name, raw,
               ours / raw);
    else
        printf("%-34s %9.1f ns\n", name, ours);
    fflush(stdout);
}

/* Symmetric words, each on lines of its own. */
static uint64_t *word;
#define WORD(i) (word + 32 * (i))
static uint64_t round_number;
/* Where fetched values go, so that they are fetched. */
static volatile uint64_t sink;

static void relax(unsigned *turns)
{
    if (++*turns % 200 == 0) sched_yield();
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void raw_wait(const uint64_t *p, uint64_t value)
{
    unsigned turns = 0;
    while (__atomic_load_n(p, __ATOMIC_ACQUIRE) != value) relax(&turns);
}

static void fetch_add(int count)
{
    for (int i = 0; i < count; i++)
        sink = nvshmem_uint64_atomic_fetch_add(WORD(0), 1, n_pes - 1);
}

static void raw_fetch_add(int count)
{
    uint64_t *p = nvshmem_ptr(WORD(0), n_pes - 1);
    for (int i = 0; i < count; i++) sink = __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
}

static void ping_pong(int count)
{
    uint64_t data = 0;
    for (int i = 0; i < count; i++) {
        round_number++;
        if (me == 0)
            nvshmem_uint64_put_signal(WORD(2), &data, 1, WORD(1), round_number,
                                      NVSHMEM_SIGNAL_SET, 1);
        data = nvshmem_signal_wait_until(WORD(1), NVSHMEM_CMP_EQ, round_number);
        if (me == 1)
            nvshmem_uint64_put_signal(WORD(2), &data, 1, WORD(1), round_number,
                                      NVSHMEM_SIGNAL_SET, 0);
    }
}

static void raw_ping_pong(int count)
{
    uint64_t *data = nvshmem_ptr(WORD(2), 1 - me), *flag = nvshmem_ptr(WORD(1), 1 - me);
    for (int i = 0; i < count; i++) {
        round_number++;
        if (me == 1) raw_wait(WORD(1), round_number);
        __atomic_store_n(data, round_number, __ATOMIC_RELAXED);
        __atomic_store_n(flag, round_number, __ATOMIC_RELEASE);
        if (me == 0) raw_wait(WORD(1), round_number);
    }
}

static void ring(int count)
{
    int next = (me + 1) % n_pes;
    for (int i = 0; i < count; i++) {
        round_number++;
        if (me == 0)
            nvshmemx_signal_op(WORD(1), round_number, NVSHMEM_SIGNAL_SET, next);
        nvshmem_signal_wait_until(WORD(1), NVSHMEM_CMP_EQ, round_number);
        if (me != 0) nvshmemx_signal_op(WORD(1), round_number, NVSHMEM_SIGNAL_SET, next);
    }
}

static void barrier(int count)
{
    for (int i = 0; i < count; i++) nvshmem_barrier_all();
}

/* Two threads of one PE that answer each other over two lines. */
static struct {
    _Alignas(128) uint64_t ask;
    _Alignas(128) uint64_t answer;
} lines;

static void raw_round_trip(int count)
{
    static uint64_t number;
    for (int i = 0; i < count; i++) {
        __atomic_store_n(&lines.ask, ++number, __ATOMIC_RELEASE);
        raw_wait(&lines.answer, number);
    }
}

static void *answerer(void *arg)
{
    uint64_t number = 0;
    unsigned turns = 0;
    (void)arg;
    for (;;) {
        uint64_t asked = __atomic_load_n(&lines.ask, __ATOMIC_ACQUIRE);
        if (asked == UINT64_MAX) return NULL;
        if (asked != number) __atomic_store_n(&lines.answer, number = asked, __ATOMIC_RELEASE);
        else relax(&turns);
    }
}

static double measure_raw_round_trip(void)
{
    pthread_t thread;
    double time;
    if (pthread_create(&thread, NULL, answerer, NULL) != 0) return 0;
    time = median(raw_round_trip, 20000);
    __atomic_store_n(&lines.ask, UINT64_MAX, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    return time;
}

static void measure_fetch_add(int direct)
{
    double ours = 0, raw = 0;
    if (me == 0) {
        ours = median(fetch_add, direct ? 20000 : 2000);
        raw = direct ? median(raw_fetch_add, 20000) : measure_raw_round_trip();
    }
    nvshmem_barrier_all();
    row(direct ? "direct fetch_add, nobody looks" : "fetch_add over proxy and UCX", ours,
        direct ? "CPU atomic" : "two-line ping-pong", raw);
}

/* The same while the word's owner polls its line, as a waiter does. */
static void measure_polled_fetch_add(void)
{
    double ours, raw;
    if (me == 0) {
        ours = median(fetch_add, 20000);
        raw = median(raw_fetch_add, 20000);
        nvshmem_uint64_atomic_set(WORD(3), 1, 1);
        row("direct fetch_add, target polls", ours, "CPU atomic", raw);
    } else {
        while (__atomic_load_n(WORD(3), __ATOMIC_ACQUIRE) == 0)
            (void)__atomic_load_n(WORD(0), __ATOMIC_ACQUIRE);
    }
    nvshmem_barrier_all();
}

static void measure_ping_pong(int direct)
{
    double ours = median(ping_pong, direct ? 10000 : 1000) / 2, raw = 0;
    nvshmem_barrier_all();
    if (direct) raw = median(raw_ping_pong, 10000) / 2;
    nvshmem_barrier_all();
    row("put_signal half round trip, 8 B", ours, "stores and loads", raw);
}

int main(void)
{
    int direct;
    nvshmem_init();
    me = nvshmem_my_pe();
    n_pes = nvshmem_n_pes();
    word = nvshmem_calloc(32 * 4, sizeof(*word));
    if (word == NULL) return 1;
    direct = nvshmem_ptr(word, n_pes - 1) != NULL;
    if (me == 0) printf("%d PEs, %s\n", n_pes, direct ? "direct" : "over channel, proxy and UCX");
    measure_fetch_add(direct);
    if (n_pes == 2 && direct) measure_polled_fetch_add();
    if (n_pes == 2) measure_ping_pong(direct);
    nvshmem_barrier_all();
    row("ring hop", median(ring, n_pes > 4 ? 100 : 2000) / n_pes, "", 0);
    row("barrier_all", median(barrier, n_pes > 4 ? 100 : 2000), "", 0);
    nvshmem_finalize();
    return sink == UINT64_MAX;
}
