/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The wake word (device/target/waiters.h): each routine that stores into a mapped heap notifies the
 * waiters, no sleeper is forgotten, and a thread that sends much does not notify of each.
 */
#include <nvshmemx.h>
#include <pthread.h>
#include <string.h>

#include "device/target/waiters.h"
#include "device/observe/count.h"
#include "tests/unit/time_limit.h"
#include "tests/unit/unit.h"

#define WORDS 8u
#define ROUNDS 20000u
#define PAIRS 2u
#define LONG_NS UINT64_C(60000000000)
#define FLOOD_NS UINT64_C(200000000)
/*
 * Four, and then it is awake for thousands of turns: some hundreds in that time.  If oversubscribed
 * a timed sleep takes 20 us at least, and each one 1 us more: some 600.
 */
#define POUR_NOTIFICATIONS 2000u

static struct {
    struct ash_wake_word wake;
    uint64_t word[WORDS];
} heap __attribute__((aligned(64)));

static int start(void **state)
{
    static unsigned char *const peers[] = {(unsigned char *)&heap};
    memset(&heap, 0, sizeof(heap));
    ash_state.n_pes = 1;
    ash_state_set_heap(&ash_state, (unsigned char *)&heap, sizeof(heap));
    ash_state.peer = peers;
    ash_state.wake_word = &heap.wake;
    time_limit_start();
    return 0;
}

static int stop(void **state)
{
    (void)alarm(0);
    ash_hostdev_oversubscription = 1;
    memset(&ash_state, 0, offsetof(struct ash_state, on_fault));
    return 0;
}

static uint32_t notifications(void)
{
    return __atomic_load_n(&heap.wake.word, __ATOMIC_RELAXED) / ASH_WAKE_NOTIFIED;
}

static bool is_armed(void)
{
    return (__atomic_load_n(&heap.wake.word, __ATOMIC_RELAXED) & ASH_WAKE_ARMED) != 0;
}

#define W (&heap.word[1])
static uint64_t source[4];

/* One call of each way to store. */
#define STORES(X) \
    X(nvshmem_uint64_p(W, 1, 0)) \
    X(nvshmem_double_p((double *)W, 1, 0)) \
    X(nvshmem_uint64_p((uint64_t *)((char *)W + 4), 1, 0)) \
    X(nvshmem_putmem(W, source, 8, 0)) \
    X(nvshmem_putmem(W, source, 24, 0)) \
    X(nvshmem_putmem_nbi(W, source, 3, 0)) \
    X(nvshmemx_putmem_block(W, source, 8, 0)) \
    X(nvshmem_uint64_put(W, source, 2, 0)) \
    X(nvshmem_putmem_signal(W, source, 8, &heap.word[4], 1, NVSHMEM_SIGNAL_SET, 0)) \
    X(nvshmem_putmem_signal(W, source, 16, &heap.word[4], 1, NVSHMEM_SIGNAL_ADD, 0)) \
    X(nvshmemx_putmem_signal_block(W, source, 16, &heap.word[4], 1, NVSHMEM_SIGNAL_ADD, 0)) \
    X(nvshmemx_signal_op(W, 1, NVSHMEM_SIGNAL_SET, 0)) \
    X(nvshmemx_signal_op(W, 1, NVSHMEM_SIGNAL_ADD, 0)) \
    X(nvshmem_uint64_atomic_set(W, 1, 0)) \
    X(nvshmem_uint64_atomic_add(W, 1, 0)) \
    X(nvshmem_uint64_atomic_inc(W, 0)) \
    X(nvshmem_uint64_atomic_xor(W, 1, 0)) \
    X((void)nvshmem_uint64_atomic_fetch_add(W, 1, 0)) \
    X((void)nvshmem_uint64_atomic_fetch_or(W, 1, 0)) \
    X((void)nvshmem_uint64_atomic_swap(W, 1, 0)) \
    X((void)nvshmem_uint64_atomic_compare_swap(W, 1, 0, 0))

static void test_stores(void **state)
{
#define X(CALL) \
    { \
        uint32_t before = notifications(); \
        (void)ash_hostdev_arm(); \
        CALL; \
        if (is_armed() || notifications() == before) fail_msg("does not notify: %s", #CALL); \
        before = heap.wake.word; \
        CALL; \
        if (heap.wake.word != before) fail_msg("notifies, and is not armed: %s", #CALL); \
    }
    STORES(X)
#undef X
}

static void test_loads(void **state)
{
    uint32_t before;
    (void)ash_hostdev_arm();
    before = heap.wake.word;
    (void)nvshmem_uint64_g(W, 0);
    (void)nvshmem_uint64_atomic_fetch(W, 0);
    nvshmem_getmem(source, W, 24, 0);
    assert_true(is_armed());
    assert_int_equal(heap.wake.word, before);
}

/* That waits sleep early stays as it is. */
static void test_sleeps_early(void **state)
{
    heap.wake.word = ASH_WAKE_SLEEPS_EARLY;
    nvshmem_uint64_p(W, 1, 0);
    assert_int_equal(heap.wake.word, ASH_WAKE_SLEEPS_EARLY);
    (void)ash_hostdev_arm();
    nvshmem_uint64_p(W, 1, 0);
    assert_int_equal(heap.wake.word, ASH_WAKE_SLEEPS_EARLY + ASH_WAKE_NOTIFIED);
}

static void test_limit(void **state)
{
    uint64_t began = ash_now_ns();
    uint32_t armed;
    armed = ash_hostdev_arm();
    assert_int_equal(ash_hostdev_sleep(armed, 2000000), ASH_WOKEN_BY_LIMIT);
    assert_true(ash_now_ns() - began >= 2000000);
    nvshmem_uint64_p(W, 1, 0);
    assert_int_equal(ash_hostdev_sleep(armed, LONG_NS), ASH_WOKEN_BY_NOTIFY);
}

/* Threads in pairs: each sleeps until the other one has stored the next number. */
struct side {
    uint64_t *mine, *other;
    bool first;
    unsigned limits;
};

static void sleep_until(struct side *side, uint64_t value)
{
    for (;;) {
        uint32_t armed = ash_hostdev_arm();
        if (dev_load_acquire64(side->mine) == value) return;
        if (ash_hostdev_sleep(armed, LONG_NS) == ASH_WOKEN_BY_LIMIT) side->limits++;
    }
}

static void *take_turns(void *arg)
{
    struct side *side = arg;
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        if (!side->first) sleep_until(side, round);
        nvshmem_uint64_p(side->other, round, 0);
        if (side->first) sleep_until(side, round);
    }
    return NULL;
}

static void test_none_is_forgotten(void **state)
{
    struct side side[2 * PAIRS];
    pthread_t thread[2 * PAIRS];
    heap.wake.word = ASH_WAKE_SLEEPS_EARLY;
    for (unsigned i = 0; i < 2 * PAIRS; i++) {
        side[i] = (struct side){&heap.word[i], &heap.word[i ^ 1], i % 2 == 0, 0};
        assert_int_equal(pthread_create(&thread[i], NULL, take_turns, &side[i]), 0);
    }
    for (unsigned i = 0; i < 2 * PAIRS; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_int_equal(side[i].limits, 0);
    }
}

static void *wait_for_word(void *arg)
{
    nvshmem_uint64_wait_until(arg, NVSHMEM_CMP_EQ, 1);
    return NULL;
}

/* Somebody waits for one word, and another one gets many. */
static void flood(bool early)
{
    uint64_t end, n = 0;
    pthread_t thread;
    uint32_t before = notifications();
    ash_hostdev_oversubscription = early ? 2 : 1;
    heap.wake.word = early ? ASH_WAKE_SLEEPS_EARLY : 0;
    heap.word[0] = 0;
    assert_int_equal(pthread_create(&thread, NULL, wait_for_word, &heap.word[0]), 0);
    while (!is_armed()) dev_pause();
    end = ash_now_ns() + FLOOD_NS;
    while (ash_now_ns() < end) nvshmem_uint64_p(W, n++, 0);
    nvshmem_uint64_p(&heap.word[0], 1, 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(notifications() > 0);
    if (notifications() - before > POUR_NOTIFICATIONS)
        fail_msg("%u notifications for %llu stores", notifications() - before,
                 (unsigned long long)n);
}

static void test_flood(void **state)
{
    flood(false);
    heap.wake.word = 0;
    flood(true);
}

static uint32_t n_progress;

static bool progress(void)
{
    n_progress++;
    return false;
}

/* Turns of a wait until it has armed the wake word. */
static uint32_t back_off_until_armed(uint32_t *turns)
{
    uint32_t before = n_progress;
    while (!is_armed()) ash_hostdev_backoff((*turns)++);
    return n_progress - before;
}

/* Where CPUs are oversubscribed and all PEs are mapped: alone it sleeps as late as any wait, but
 * after eight yields that gave others the CPU. */
static void test_wait_sleeps_early(void **state)
{
    uint32_t turns = 0;
    ash_hostdev_oversubscription = 2;
    assert_int_equal(back_off_until_armed(&turns), 0);
    assert_in_range(turns, 8 + 1, ASH_WAIT_IDLE_TURNS + 1);
}

/* A wait that was notified for others makes progress again, if there are CPUs enough. */
static void test_awake_again(void **state)
{
    const uint32_t idle = 1000, spurious = 4;
    ash_state.progress = progress;
    for (uint32_t factor = 1; factor <= 2; factor++) {
        uint32_t turns = 0;
        ash_hostdev_oversubscription = factor;
        for (unsigned lap = 0; lap < 3; lap++) {
            uint32_t awake = lap == 0 || factor == 1 ? idle << lap : 0;
            assert_int_equal(back_off_until_armed(&turns), awake);
            for (uint32_t i = factor == 1 || lap == 0 ? 0 : spurious - 1; i < spurious; i++) {
                assert_true(is_armed());
                nvshmem_uint64_p(W, i, 0);
                ash_hostdev_backoff(turns++);
            }
            assert_false(is_armed());
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_stores, start, stop),
        cmocka_unit_test_setup_teardown(test_loads, start, stop),
        cmocka_unit_test_setup_teardown(test_sleeps_early, start, stop),
        cmocka_unit_test_setup_teardown(test_limit, start, stop),
        cmocka_unit_test_setup_teardown(test_none_is_forgotten, start, stop),
        cmocka_unit_test_setup_teardown(test_flood, start, stop),
        cmocka_unit_test_setup_teardown(test_wait_sleeps_early, start, stop),
        cmocka_unit_test_setup_teardown(test_awake_again, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
