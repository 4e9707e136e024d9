/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A proxy with its thread, a host and a GPU that run at once: nobody is lost,
 * nobody waits for a proxy that sleeps, and neither keeps the other from it.
 */
#include <pthread.h>

#include "tests/unit/gpu_proxy.h"

#define HOST_AT 64
#define GPU_AT 128
#define ADDS 20000u

#define LINE 2u
#define FOR_EVER_NS UINT64_C(1000000000000)

/* A sleep that nobody ends is longer than any wait here, and so is seen. */
static int start_without_gpu(void **state)
{
    start_path_of(state);
    proxy->sleep_ns = FOR_EVER_NS;
    return ash_proxy_start(proxy);
}

static int start(void **state)
{
    start_path_of(state);
    proxy->sleep_ns = FOR_EVER_NS;
    attach();
    return ash_proxy_start(proxy);
}

static void wait_asleep(void)
{
    double end = ash_seconds() + LIMIT_SECONDS;
    while (!__atomic_load_n(&proxy->asleep, __ATOMIC_RELAXED)) {
        if (ash_seconds() > end) fail_msg("the proxy does not sleep");
        usleep(100);
    }
}

/* Who attaches a GPU wakes the proxy, which the GPU cannot. */
static void test_attach_wakes_the_proxy(void **state)
{
    for (unsigned i = 0; i < 10; i++) {
        wait_asleep();
        attach();
        gpu_quiet();
        ash_proxy_detach_gpu(proxy);
    }
}

/* How often this thread can sleep for 1 ms while the proxy finds and does a request. */
static unsigned sleeps_of_request(void)
{
    uint64_t ticket = give_op(&gpu, ASH_OP_QUIET);
    double end = ash_seconds() + LIMIT_SECONDS;
    unsigned sleeps = 0;
    while (load(&gpu_progress.completed) <= ticket) {
        if (ash_seconds() > end) fail_msg("a request was not found");
        usleep(1000);
        sleeps++;
    }
    return sleeps;
}

/*
 * Nobody wakes a proxy that has been idle.  It is as fast as this thread's own
 * sleeps, of which the load of the machine makes longer ones, too.
 */
static void test_idle_proxy_polls_the_gpu(void **state)
{
    unsigned sleeps, slow = 0;
    ash_proxy_detach_gpu(proxy);
    wait_asleep();
    attach();
    for (unsigned i = 0; i < 9; i++) {
        sleeps = sleeps_of_request();
        slow += sleeps > 10;
        usleep(20000);
    }
    if (slow > 4) fail_msg("%u of 9 requests took longer than 10 ms, one %u", slow, sleeps);
}

/* The GPU is watched every 10 ms, until it goes. */
static void test_gpu_is_watched_until_detach(void **state)
{
    double begin = ash_seconds(), most;
    unsigned seen = __atomic_load_n(&watched, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < 20; i++) usleep(10000);
    seen = __atomic_load_n(&watched, __ATOMIC_RELAXED) - seen;
    most = 100 * (ash_seconds() - begin) + 5;
    if (seen < 3 || seen > most) fail_msg("looked at %u times, at most %g in time", seen, most);
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
        if (i % 8 == 0 && channel == &gpu && path == DIRECT) {
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
static void test_host_and_gpu_at_once(void **state)
{
    pthread_t threads[2];
    void *wrong;
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

static uint64_t popped(const struct ash_channel *channel)
{
    return channel->proxy->next;
}

/* Neither ring is emptied before the other one is looked at. */
static void test_rings_are_served_alternately(void **state)
{
    struct ash_channel *busy[] = {&gpu, &host}, *other[] = {&host, &gpu};
    attach();
    for (unsigned k = 0; k < 2; k++) {
        uint64_t before[2] = {popped(busy[k]), popped(other[k])};
        for (unsigned i = 0; i < SLOTS; i++) give_p(busy[k], GPU_AT, i);
        give_p(other[k], HOST_AT, k + 1);
        ash_clients_drain(proxy);
        assert_int_equal(popped(other[k]), before[1] + 1);
        assert_int_equal(word(HOST_AT), k + 1);
        assert_in_range(popped(busy[k]) - before[0], 1, SLOTS / 2);
        wait_for(&busy[k]->proxy->next, before[0] + SLOTS);
    }
}

/*
 * Both rings are full, and one transfer at a time becomes free, at every turn or
 * at every second, third or fourth: each gets every other one.
 */
static void test_free_transfers_are_shared_fairly(void **state)
{
    const uint64_t word0 = ASH_WORD0(ASH_OP_FETCH_ADD, 3, 0, LINE + 1);
    const struct ash_request request = {{word0, 0, 1, HOST_AT}};
    uint32_t others = 0;
    attach();
    for (unsigned i = 0; i < SLOTS; i++) give(&host, request);
    for (unsigned i = 0; i < SLOTS; i++) give(&gpu, request);
    for (unsigned period = 1; period <= 4; period++) {
        const uint64_t before[2] = {popped(&host), popped(&gpu)};
        for (unsigned turn = 0; turn < 16 * period; turn++) {
            if (turn % period == 0) others += ASH_LIVE_MAX - 1 - proxy->live;
            if (turn % period == 0) proxy->live = ASH_LIVE_MAX - 1;
            ash_clients_drain(proxy);
            assert_true(proxy->live >= ASH_LIVE_MAX);
        }
        assert_int_equal(popped(&host) - before[0], 8);
        assert_int_equal(popped(&gpu) - before[1], 8);
    }
    proxy->live -= others;
    wait_for(&host_replies[LINE].sequence, SLOTS);
    wait_for(&gpu_replies[LINE].sequence, SLOTS);
    assert_int_equal(word(HOST_AT), 2 * SLOTS);
}

static enum path paths[] = {DIRECT, UCX, MESSAGES};

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"attach wakes the proxy", test_attach_wakes_the_proxy, start_without_gpu, stop_path,
         &paths[DIRECT]},
        {"rings are served alternately", test_rings_are_served_alternately, start_path_of,
         stop_path, &paths[DIRECT]},
        {"free transfers are shared fairly", test_free_transfers_are_shared_fairly, start_path_of,
         stop_path, &paths[MESSAGES]},
        {"idle proxy polls the GPU", test_idle_proxy_polls_the_gpu, start, stop_path,
         &paths[DIRECT]},
        {"GPU is watched until detach", test_gpu_is_watched_until_detach, start, stop_path,
         &paths[DIRECT]},
        {"host and GPU at once, direct", test_host_and_gpu_at_once, start, stop_path,
         &paths[DIRECT]},
        {"host and GPU at once, UCX", test_host_and_gpu_at_once, start, stop_path, &paths[UCX]},
        {"host and GPU at once, messages", test_host_and_gpu_at_once, start, stop_path,
         &paths[MESSAGES]},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
