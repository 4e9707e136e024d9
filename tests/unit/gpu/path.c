/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The paths that the routines take on a GPU, run by threads of the CPU
 * (target_model.h) against a proxy that is late and disorderly (world.h),
 * with a ring, a pool of replies and a staging area so small that all wait for
 * all.  Every byte is checked.
 *
 * ANYSHMEM_TEST_SECONDS is how long a run may take before it counts as hung (60).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/gpu/steps.h"

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
    struct timespec moment = {0, 1000000};
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
            nanosleep(&moment, NULL);
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
    assert_true(world.signals > 0);
    for (unsigned b = 0; b < BLOCKS; b++) pthread_barrier_destroy(&groups[b].barrier);
}

static void test_smallest_ring(void **state)
{
    (void)state;
    start_world(2, 2, 2, 6, 0, 0);
    run_workers(1500);
}

static void test_larger_ring(void **state)
{
    (void)state;
    start_world(6, 16, 16, 8, 0, 0);
    run_workers(3000);
}

/* Tags, laps and 32 bits wrap on the way. */
static void test_counters_wrap(void **state)
{
    (void)state;
    start_world(3, 4, 4, 7, UINT64_C(65535) << 3, (UINT64_C(1) << 32) - 40);
    run_workers(1500);
    assert_true(world.reply_ticket / 4 > UINT64_C(1) << 32);
    assert_true(world.stage_ticket / 4 > UINT64_C(1) << 32);
}

/* A GPU that needs nobody for the atomics of mapped PEs. */
static void test_native_atomics(void **state)
{
    (void)state;
    start_world(4, 4, 4, 7, 0, 0);
    model_state.gpu.native_atomics = 1;
    run_workers(1500);
}

/* Each fence sends a marker: what the host has sent since the last one is not seen here. */
static void test_fence_on_an_idle_ring(void **state)
{
    pthread_t proxy;
    (void)state;
    start_world(4, 4, 4, 7, 0, 0);
    assert_int_equal(pthread_create(&proxy, NULL, play_proxy, NULL), 0);
    ash_fence();
    ash_fence();
    assert_int_equal(world.channel.ticket & ~ASH_CHANNEL_ARMED, 2);
    dev_store_release64(&world.stop, 1);
    pthread_join(proxy, NULL);
}

/* What lies in the heap with all its bytes is not staged. */
static void test_sources_outside_the_heap_are_staged(void **state)
{
    (void)state;
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
        cmocka_unit_test(test_smallest_ring),
        cmocka_unit_test(test_larger_ring),
        cmocka_unit_test(test_counters_wrap),
        cmocka_unit_test(test_native_atomics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
