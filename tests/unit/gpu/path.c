/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The paths that the routines take on a GPU, run by threads of the CPU
 * (target_model.h) against a proxy that is late and disorderly (world.h),
 * with a ring, a pool of replies and a staging area so small that all wait for
 * all.  Every byte is checked.
 *
 * ANYSHMEM_TEST_SECONDS is how long a run may take before it counts as hung (60).
 */
#include "tests/unit/gpu/steps.h"
#include "tests/unit/sleep.h"
#include "tests/unit/unit.h"

#include <time.h>

#define THREADS 4u
#define BLOCKS 2u
#define BLOCK_THREADS 3u
/* A worker looks at its area after this many steps at most. */
#define MAX_LOG (AREA / MAX_PUT + 1)

static struct worker workers[MAX_WORKERS];
/* What the threads of a worker do next, from their leader. */
static struct step next_step[MAX_WORKERS];
static unsigned n_workers, steps;

static void *work(void *arg)
{
    static struct step logs[MAX_WORKERS][MAX_LOG];
    static unsigned char own[MAX_WORKERS][AREA];
    struct worker *w = arg;
    struct step *log = logs[w->area], *step = &next_step[w->area];
    uint64_t used = 0;
    unsigned n_log = 0, i;
    model_group = w->group;
    model_rank = w->rank;
    model_random = (w->area + 1) * 1000 + w->rank;
    for (i = 1; i <= steps; i++) {
        if (dev_group_rank(w->scope) == 0) *step = random_step(w, used, own[w->area]);
        dev_group_sync(w->scope);
        run_step(w, step, i);
        dev_group_sync(w->scope);
        if (dev_group_rank(w->scope) != 0) continue;
        if (step->kind < 2 || step->kind == 3) log[n_log++] = *step;
        used += MAX_PUT + model_next() % 16;
        if (used + 2 * MAX_PUT < AREA && i != steps) continue;
        ash_quiet("test");
        compare_area(log, n_log);
        used = n_log = 0;
    }
    dev_store_release64(&w->finished, 1);
    return NULL;
}

static void start_worker(enum ash_scope scope, struct model_group *group, unsigned rank,
                         unsigned area)
{
    struct worker *w = &workers[n_workers++];
    *w = (struct worker){.scope = scope, .group = group, .rank = rank, .area = area};
    assert_int_equal(pthread_create(&w->thread, NULL, work, w), 0);
}

/* A thread that waits indefinitely holds all: the test ends here. */
static void join_all(void)
{
    const char *limit = getenv("ANYSHMEM_TEST_SECONDS");
    time_t end = time(NULL) + (limit != NULL ? atoi(limit) : 60);
    for (unsigned i = 0; i < n_workers; i++) {
        while (dev_load_acquire64(&workers[i].finished) == 0) {
            if (time(NULL) > end) {
                fprintf(stderr, "# hung: ticket %llu, next %llu, replies %llu, stage %llu\n",
                        (unsigned long long)world.channel.ticket,
                        (unsigned long long)world.progress.next,
                        (unsigned long long)world.reply_ticket,
                        (unsigned long long)world.stage_ticket);
                abort();
            }
            sleep_ms(1);
        }
        pthread_join(workers[i].thread, NULL);
    }
}

static void check_amos(void)
{
    uint64_t sum = 0, added = 0;
    for (unsigned pe = 0; pe < PES; pe++) {
        uint64_t n = *shared_word(world.heap[pe], TICKETS);
        sum += *shared_word(world.heap[pe], SUM);
        for (uint64_t i = 0; i < n; i++)
            if (drawn[pe][i] != 1) bad("a number was not drawn once", pe, i);
    }
    for (unsigned i = 0; i < n_workers; i++) added += workers[i].added;
    if (sum != added) bad("sum of adds", sum, added);
}

/* THREADS threads and BLOCKS blocks in the world that was started. */
static void run_workers(unsigned n)
{
    struct model_group groups[BLOCKS];
    pthread_t proxy;
    memset(drawn, 0, sizeof(drawn));
    n_workers = 0;
    steps = n;
    assert_int_equal(pthread_create(&proxy, NULL, play_proxy, NULL), 0);
    for (unsigned i = 0; i < THREADS; i++) start_worker(ASH_SCOPE_THREAD, NULL, 0, i);
    for (unsigned b = 0; b < BLOCKS; b++) {
        groups[b].size = BLOCK_THREADS;
        pthread_barrier_init(&groups[b].barrier, NULL, BLOCK_THREADS);
        for (unsigned i = 0; i < BLOCK_THREADS; i++)
            start_worker(ASH_SCOPE_BLOCK, &groups[b], i, THREADS + b);
    }
    join_all();
    dev_store_release64(&world.stop, 1);
    pthread_join(proxy, NULL);
    check_amos();
    assert_int_equal(world.bad, 0);
    assert_int_equal(model_wrong_atomics, 0);
    assert_int_equal(world.n_late, 0);
    assert_int_equal(world.progress.next, world.channel.ticket);
    assert_true(world.signals > 0 || world.mapped == PES);
    for (unsigned b = 0; b < BLOCKS; b++) pthread_barrier_destroy(&groups[b].barrier);
}

static void test_smallest_ring(void **state)
{
    start_world(2, 2, 2, 6, 0, 0);
    run_workers(1500);
}

static void test_larger_ring(void **state)
{
    start_world(6, 16, 16, 8, 0, 0);
    run_workers(3000);
}

/* Tags, laps and 32 bits wrap on the way. */
static void test_counters_wrap(void **state)
{
    start_world(3, 4, 4, 7, UINT64_C(65535) << 3, (UINT64_C(1) << 32) - 40);
    run_workers(1500);
    assert_true(world.reply_ticket / 4 > UINT64_C(1) << 32);
    assert_true(world.stage_ticket / 4 > UINT64_C(1) << 32);
}

/* A GPU that needs nobody for the atomics of mapped PEs. */
static void test_native_atomics(void **state)
{
    start_world(4, 4, 4, 7, 0, 0);
    model_state.gpu.native_atomics = 1;
    run_workers(1500);
}

/* The host sends nothing, so a fence or a quiet may be left out. */
static void test_all_mapped(void **state)
{
    start_world(3, 4, 4, 7, 0, 0);
    map_below(PES);
    run_workers(1500);
}

static pthread_t start_proxy(unsigned mapped)
{
    pthread_t proxy;
    start_world(4, 4, 4, 7, 0, 0);
    map_below(mapped);
    assert_int_equal(pthread_create(&proxy, NULL, play_proxy, NULL), 0);
    return proxy;
}

static void stop_proxy(pthread_t proxy)
{
    dev_store_release64(&world.stop, 1);
    pthread_join(proxy, NULL);
}

static uint64_t sent(void) { return ash_channel_ticket(&world.channel); }

/* Each fence sends a marker: what the host has sent since the last one is not seen here. */
static void test_fence_on_an_idle_ring(void **state)
{
    pthread_t proxy = start_proxy(MAPPED);
    ash_fence();
    ash_fence();
    assert_int_equal(sent(), 2);
    stop_proxy(proxy);
}

/* Where all are mapped the host sends nothing. */
static void test_fence_where_all_are_mapped(void **state)
{
    pthread_t proxy = start_proxy(PES);
    ash_fence();
    ash_quiet("test");
    assert_int_equal(sent(), 0);
    ash_amo("add", ASH_OP_ADD, shared_word(world.heap[0], SUM), 8, 1, 0, 1);
    ash_quiet("test");
    assert_int_equal(sent(), 2);
    assert_int_equal(*shared_word(world.heap[1], SUM), 1);
    ash_quiet("test");
    ash_fence();
    assert_int_equal(sent(), 2);
    stop_proxy(proxy);
}

static void signal_once(uint64_t signal, int sig_op)
{
    ash_signal("signal_op", shared_word(world.heap[0], SIGNAL), signal, sig_op, 1);
}

/* Signals that the GPU stores and those that the proxy adds, in call order; so are a set and a
 * fetch after an add. */
static void test_signals_in_order(void **state)
{
    pthread_t proxy = start_proxy(PES);
    uint64_t *word = shared_word(world.heap[1], SIGNAL), before, found;
    model_random = 1;
    /* No signal has data. */
    for (unsigned i = 0; i < MAX_CHECKS; i++) world.checks[i].pe = 1;
    for (uint64_t i = 1; i < 3000; i++) {
        before = sent();
        signal_once(i * 10, NVSHMEM_SIGNAL_SET);
        assert_int_equal(sent(), before);
        assert_int_equal(dev_load_acquire64(word), i * 10);
        signal_once(3, NVSHMEM_SIGNAL_ADD);
        found = ash_amo("fetch", ASH_OP_FETCH, shared_word(world.heap[0], SIGNAL), 8, 0, 0, 1);
        assert_int_equal(found, i * 10 + 3);
        /* After a reply the signal is the GPU's again. */
        (void)ash_amo("fetch_add", ASH_OP_FETCH_ADD, shared_word(world.heap[0], SUM), 8, 1, 0, 1);
        before = sent();
        signal_once(i * 10 + 1, NVSHMEM_SIGNAL_SET);
        assert_int_equal(sent(), before);
        signal_once(2, NVSHMEM_SIGNAL_ADD);
        /* As another thread's fence does that has not waited yet. */
        if (i % 2 == 0) (void)ash_channel_fence_send(&world.channel);
        signal_once(i * 10 + 4, NVSHMEM_SIGNAL_SET);
        signal_once(1, NVSHMEM_SIGNAL_ADD);
        ash_quiet("test");
        assert_int_equal(dev_load_acquire64(word), i * 10 + 5);
    }
    assert_int_equal(world.bad, 0);
    stop_proxy(proxy);
}

/* What lies in the heap with all its bytes is not staged. */
static void test_sources_outside_the_heap_are_staged(void **state)
{
    start_world(4, 4, 4, 7, 0, 0);
    assert_false(ash_stages(world.heap[0], HEAP_BYTES));
    assert_false(ash_stages(world.heap[0] + HEAP_BYTES - 8, 8));
    assert_true(ash_stages(world.heap[0] + HEAP_BYTES - 8, 9));
    assert_true(ash_stages(world.heap[0] + HEAP_BYTES, 1));
    assert_true(ash_stages(world.heap[0] - 1, 2));
    assert_false(ash_stages(world.heap[0] - 1, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources_outside_the_heap_are_staged),
        cmocka_unit_test(test_fence_on_an_idle_ring),
        cmocka_unit_test(test_fence_where_all_are_mapped),
        cmocka_unit_test(test_signals_in_order),
        cmocka_unit_test(test_smallest_ring),
        cmocka_unit_test(test_larger_ring),
        cmocka_unit_test(test_counters_wrap),
        cmocka_unit_test(test_native_atomics),
        cmocka_unit_test(test_all_mapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
