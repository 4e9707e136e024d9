/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A proxy with its thread, a host and a GPU that run at once: nobody is lost, and
 * nobody waits for a proxy that sleeps.
 */
#include <pthread.h>

#include "tests/unit/gpu_proxy.h"

#define HOST_AT 64
#define GPU_AT 128
#define ADDS 20000u

static enum way way;

static int start(void **state)
{
    way = *(const enum way *)*state;
    start_way(way);
    attach();
    return ash_proxy_start(proxy);
}

static int stop(void **state)
{
    (void)state;
    stop_way();
    return 0;
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Nobody wakes a proxy that has been idle; and its GPU is watched. */
static void test_idle(void **state)
{
    double times[9];
    unsigned seen;
    (void)state;
    ash_proxy_detach_gpu(proxy);
    usleep(50000); /* it sleeps for 100 ms now */
    attach();
    for (unsigned i = 0; i < 9; i++) {
        double begin = ash_seconds();
        gpu_quiet();
        times[i] = ash_seconds() - begin;
        usleep(20000);
    }
    qsort(times, 9, sizeof(times[0]), by_time);
    if (times[4] > 0.01) fail_msg("a request waited for %g s", times[4]);
    seen = __atomic_load_n(&watched, __ATOMIC_RELAXED);
    usleep(200000);
    seen = __atomic_load_n(&watched, __ATOMIC_RELAXED) - seen;
    if (seen < 3 || seen > 25) fail_msg("looked at %u times in 200 ms", seen);
    ash_proxy_detach_gpu(proxy);
    seen = __atomic_load_n(&watched, __ATOMIC_RELAXED);
    usleep(50000);
    assert_int_equal(__atomic_load_n(&watched, __ATOMIC_RELAXED), seen);
}

/* Add to a common word; now and then a fence and a quiet. */
static void *add(void *arg)
{
    struct ash_channel *channel = arg;
    uint64_t mine = channel == &gpu ? GPU_AT : HOST_AT, t;
    for (uint64_t i = 1; i <= ADDS; i++) {
        give(channel, (struct ash_request){{ASH_WORD0(ASH_OP_ADD, 3, 0, 0), 0, 1, 0}});
        give(channel, (struct ash_request){{ASH_WORD0(ASH_OP_ADD, 3, 0, 0), 0, 1, mine}});
        if (i % 8 == 0 && channel == &gpu && way == DIRECT) {
            t = give_op(channel, ASH_OP_FENCE);
            wait_for(&gpu_progress.tail, t + 1);
            if (word(mine) != i) return (void *)1;
        }
        if (i % 256 != 0) continue;
        t = give_op(channel, ASH_OP_QUIET);
        wait_for(&channel->progress->completed, t + 1);
        if (word(mine) != i) return (void *)2;
    }
    t = give_op(channel, ASH_OP_QUIET);
    wait_for(&channel->progress->completed, t + 1);
    return NULL;
}

/* All at once, while the GPU comes and goes: nothing is lost, nothing done twice. */
static void test_threads(void **state)
{
    pthread_t threads[2];
    void *wrong;
    (void)state;
    assert_int_equal(pthread_create(&threads[0], NULL, add, &host), 0);
    assert_int_equal(pthread_create(&threads[1], NULL, add, &gpu), 0);
    for (unsigned i = 0; i < 50; i++) {
        usleep(500);
        ash_proxy_detach_gpu(proxy);
        attach();
    }
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    assert_int_equal(word(HOST_AT), ADDS);
    assert_int_equal(word(GPU_AT), ADDS);
    assert_int_equal(word(0), 2 * ADDS);
}

static enum way ways[] = {DIRECT, UCX, MESSAGES};

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"idle", test_idle, start, stop, &ways[DIRECT]},
        {"threads, direct", test_threads, start, stop, &ways[DIRECT]},
        {"threads, UCX", test_threads, start, stop, &ways[UCX]},
        {"threads, messages", test_threads, start, stop, &ways[MESSAGES]},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
