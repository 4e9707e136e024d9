/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting on the host device: device threads wait for each other and for others, and
 * a thread that waits long yields its core, makes progress, and sleeps.
 */
#include <nvshmemx.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "tests/unit/hostdev_launch.h"
#include "tests/unit/sleep.h"

/* Threads that wait for each other: ThreadSanitizer is slow to make and to switch fibers. */
#if defined(ASH_TOOL_TSAN)
#define DEEP 80u
#else
#define DEEP 512u
#endif

static void wait_for(const uint64_t *word, uint64_t wanted)
{
    struct dev_backoff backoff = dev_backoff_start();
    while (dev_load_acquire64(word) != wanted)
        dev_backoff(&backoff);
}

/* Thread t waits for t + 1: nobody goes on before the last one has started. */
static void chain(void *arg)
{
    uint64_t *words = arg;
    uint32_t self = blockIdx.x * blockDim.x + threadIdx.x;
    if (self + 1 < gridDim.x * blockDim.x) wait_for(&words[self + 1], 1);
    dev_store_release64(&words[self], 1);
}

static void test_wait_for_device_thread(void **state)
{
    static uint64_t words[1024];
    ash_hostdev_workers = 1;
    assert_int_equal(launch(chain, 1, DEEP, words), 0);
    memset(words, 0, sizeof(words));
    ash_hostdev_workers = 2;
    assert_int_equal(launch(chain, 8, 64, words), 0);
}

/* A loop around a test that does not wait, as programs write it. */
static void poll(void *arg)
{
    uint64_t *word = arg;
    if (threadIdx.x + 1 == blockDim.x) dev_store_release64(word, 1);
    while (dev_load_acquire64(word) == 0)
        dev_test_failed();
}

/* The same by our routines that read a variable: in a thread that comes first. */
static uint64_t polled[5];

static uint64_t look(unsigned how)
{
    switch (how) {
    case 0: return nvshmem_signal_fetch(&polled[0]);
    case 1: return nvshmem_uint64_atomic_fetch(&polled[1], 0);
    case 2: return nvshmem_uint64_g(&polled[2], 0);
    case 3: return nvshmem_uint64_atomic_compare_swap(&polled[3], 1, 2, 0);
    default: return nvshmem_uint64_atomic_fetch_add(&polled[4], 0, 0);
    }
}

static void poll_by_fetch(void *arg)
{
    const unsigned *how = arg;
    if (threadIdx.x + 1 == blockDim.x) dev_store_release64(&polled[*how], 1);
    else
        while (look(*how) == 0) continue;
}

static void use_polled(bool as_heap)
{
    static unsigned char *const peers[] = {(unsigned char *)polled};
    ash_state_set_heap(&ash_state, as_heap ? (unsigned char *)polled : NULL,
                       as_heap ? sizeof(polled) : 0);
    ash_state.peer = as_heap ? peers : NULL;
    ash_hostdev_workers = 1;
}

static void test_poll_by_fetch(void **state)
{
    unsigned how;
    use_polled(true);
    for (how = 0; how < 5; how++) assert_int_equal(launch(poll_by_fetch, 1, 2, &how), 0);
    use_polled(false);
}

/*
 * A thread takes and frees a lock until another one has had it, with so many fetches before that:
 * it must not yield always with the lock taken.  Freeing it fetches, or does not.
 */
#define LOCK_TURNS 1000000u

struct locking {
    unsigned fetches;
    bool by_swap;
    unsigned turns;
};

static void take(void)
{
    while (nvshmem_uint64_atomic_swap(&polled[0], 1, 0) != 0) continue;
}

static void free_lock(bool by_swap)
{
    if (by_swap)
        (void)nvshmem_uint64_atomic_swap(&polled[0], 0, 0);
    else
        nvshmem_uint64_atomic_set(&polled[0], 0, 0);
}

static void lock_often(void *arg)
{
    struct locking *locking = arg;
    bool done = false;
    if (threadIdx.x == 0) {
        for (unsigned i = 0; i < locking->fetches; i++)
            (void)nvshmem_uint64_atomic_fetch(&polled[1], 0);
        dev_store_release64(&polled[1], 1);
        for (; !done && locking->turns < LOCK_TURNS; locking->turns++) {
            take();
            done = dev_load_acquire64(&polled[2]) != 0;
            free_lock(locking->by_swap);
        }
    } else {
        wait_for(&polled[1], 1);
        take();
        dev_store_release64(&polled[2], 1);
        free_lock(locking->by_swap);
    }
}

static void test_lock_is_free_at_yields(void **state)
{
    struct locking locking;
    use_polled(true);
    for (unsigned i = 0; i < 8; i++) {
        memset(polled, 0, sizeof(polled));
        locking = (struct locking){i / 2, i % 2 == 0, 0};
        assert_int_equal(launch(lock_often, 1, 2, &locking), 0);
        assert_in_range(locking.turns, 1, LOCK_TURNS - 1);
    }
    use_polled(false);
}

static void test_poll_for_device_thread(void **state)
{
    uint64_t word = 0;
    ash_hostdev_workers = 1;
    assert_int_equal(launch(poll, 1, 64, &word), 0);
}

/*
 * A waiter that must sleep: its word is set when it has slept SLEEPS times.  The
 * kernel counts sleeps as voluntary switches and sched_yield as others.  A waiter
 * that never sleeps runs into the time limit, however busy the machine is.
 */
#define SLEEPS 20

struct sleeper {
    uint64_t word;
    long tid;
};

static long sleeps_of(long tid)
{
    char line[128];
    long n = -1;
    FILE *file;
    (void)snprintf(line, sizeof(line), "/proc/self/task/%ld/status", tid);
    file = fopen(line, "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        if (sscanf(line, "voluntary_ctxt_switches: %ld", &n) == 1) break;
    }
    if (file != NULL) (void)fclose(file);
    return n;
}

static void *set_when_slept(void *arg)
{
    struct sleeper *sleeper = arg;
    long before = sleeps_of(sleeper->tid);
    while (before < 0 || sleeps_of(sleeper->tid) < before + SLEEPS)
        sleep_ms(1);
    dev_store_release64(&sleeper->word, 1);
    return NULL;
}

static void wait_for_one(void *word) { wait_for(word, 1); }

/* Device threads wait, their worker being the calling thread; or that one waits itself. */
static void check_sleep(bool in_grid)
{
    struct sleeper sleeper = {0, syscall(SYS_gettid)};
    pthread_t thread;
    ash_hostdev_workers = 1;
    assert_int_equal(pthread_create(&thread, NULL, set_when_slept, &sleeper), 0);
    if (in_grid)
        assert_int_equal(launch(wait_for_one, 2, 4, &sleeper.word), 0);
    else
        wait_for(&sleeper.word, 1);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void test_wait_for_posix_thread(void **state)
{
    check_sleep(true);
}

static void test_posix_thread_waits(void **state)
{
    check_sleep(false);
}

static long own_sleeps(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_THREAD, &usage), 0);
    return usage.ru_nvcsw;
}

/*
 * Who only yields is put off by the kernel, which forgives it to who sleeps: each 256th
 * yield is followed by a sleep where others want the CPU, each 4096th where nobody does.
 */
static void check_tests_sleep(unsigned intervals)
{
    const unsigned sleeps = 4;
    long before = own_sleeps();
    unsigned yields = 0;
    while (own_sleeps() < before + sleeps && yields < 2 * 4096 * sleeps) {
        for (unsigned i = 0; i < 64 * intervals * ASH_TESTS_PER_YIELD; i++) dev_test_failed();
        yields += 64;
    }
    assert_in_range(yields, 256 * (sleeps - 1), 4096 * (sleeps + 1));
}

static void test_polling_thread_sleeps_at_intervals(void **state)
{
    check_tests_sleep(ASH_INTERVALS_PER_YIELD);
    ash_hostdev_oversubscription = 2;
    check_tests_sleep(1);
    ash_hostdev_oversubscription = 1;
}

static unsigned progress_calls;

static bool count_progress(void)
{
    progress_calls++;
    return false;
}

/* An interval of tests that does not yield makes progress all the same: the test may be for what a
 * message brings. */
static void test_polling_thread_makes_progress(void **state)
{
    const unsigned intervals = 8 * ASH_INTERVALS_PER_YIELD;
    ash_state.progress = count_progress;
    for (unsigned i = 0; i < intervals * ASH_TESTS_PER_YIELD; i++) dev_test_failed();
    ash_state.progress = NULL;
    /* Their lengths vary. */
    assert_in_range(progress_calls, intervals * 3 / 4, intervals * 5 / 4);
}

/* Progress, made by a worker that backs off, needs more than a device thread's stack. */
static uint64_t *progressed_word;
static uint32_t progressed_in_grid;

static bool progress(void)
{
    volatile unsigned char bytes[512 << 10];
    bytes[0] = 1;
    bytes[sizeof(bytes) - 1] = bytes[0];
    if (ash_context_current != NULL && ash_context_current->in_grid)
        (void)__atomic_fetch_add(&progressed_in_grid, 1, __ATOMIC_RELAXED);
    dev_store_release64(progressed_word, bytes[sizeof(bytes) - 1]);
    return true;
}

static void test_waiting_worker_progresses_proxy(void **state)
{
    uint64_t word = 0;
    progressed_in_grid = 0;
    progressed_word = &word;
    ash_hostdev_workers = 1;
    ash_state.progress = progress;
    assert_int_equal(launch(wait_for_one, 2, 4, &word), 0);
    ash_state.progress = NULL;
    assert_int_equal(progressed_in_grid, 0);
}

/* So it is in a loop of tests with a barrier each time. */
static void test_in_block(void *arg)
{
    while (!anyshmemx_uint64_test_block(arg, NVSHMEM_CMP_EQ, 1)) continue;
}

static void test_in_warp(void *arg)
{
    while (!anyshmemx_uint64_test_warp(arg, NVSHMEM_CMP_EQ, 1)) continue;
}

static void test_testing_groups_progress_proxy(void **state)
{
    uint64_t word;
    progressed_word = &word;
    ash_hostdev_workers = 1;
    ash_state.progress = progress;
    word = 0;
    assert_int_equal(launch(test_in_block, 1, 64, &word), 0);
    word = 0;
    assert_int_equal(launch(test_in_warp, 1, 64, &word), 0);
    ash_state.progress = NULL;
}

static uint32_t work_left, progress_yielded;

static bool progress_while_work(void)
{
    if (work_left == 0) return false;
    work_left--;
    return true;
}

static void count_yield(void) { progress_yielded++; }

/* Who waits sleeps when the proxy has had no work for a while, not while it has some. */
static void test_progressing_caller_stays_awake(void **state)
{
    const uint32_t busy = 5000, idle = 1000;
    uint32_t turns = 0;
    work_left = busy;
    progress_yielded = 0;
    ash_state.progress = progress_while_work;
    ash_state.yield_progress = count_yield;
    while (work_left > 0) ash_hostdev_backoff(turns++);
    assert_int_equal(progress_yielded, 0);
    while (progress_yielded == 0 && turns < busy + 2 * idle) ash_hostdev_backoff(turns++);
    assert_in_range(turns, busy + idle, busy + idle + 1);
    ash_state.progress = NULL;
    ash_state.yield_progress = NULL;
}

static void test_wake_writes_to_eventfd(void **state)
{
    int fd = eventfd(0, EFD_NONBLOCK);
    uint64_t count = 0;
    assert_true(fd >= 0);
    ash_hostdev_wake(fd);
    ash_hostdev_wake(fd);
    assert_int_equal(read(fd, &count, sizeof(count)), sizeof(count));
    assert_int_equal(count, 2);
    (void)close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOSTDEV_TEST(test_wait_for_device_thread),
        HOSTDEV_TEST(test_poll_by_fetch),
        HOSTDEV_TEST(test_lock_is_free_at_yields),
        HOSTDEV_TEST(test_poll_for_device_thread),
        HOSTDEV_TEST(test_wait_for_posix_thread),
        HOSTDEV_TEST(test_polling_thread_sleeps_at_intervals),
        HOSTDEV_TEST(test_polling_thread_makes_progress),
        HOSTDEV_TEST(test_waiting_worker_progresses_proxy),
        HOSTDEV_TEST(test_testing_groups_progress_proxy),
        HOSTDEV_TEST(test_progressing_caller_stays_awake),
        HOSTDEV_TEST(test_posix_thread_waits),
        HOSTDEV_TEST(test_wake_writes_to_eventfd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
