/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ANYSHMEM_STATS and ANYSHMEM_TRACE while many threads call at once: threads of the
 * host, threads of a grid, and some that end while the library does.  No call is lost,
 * and none is counted twice.  ThreadSanitizer runs this, too (contrib/ci/sanitizers).
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <nvshmem.h>

#include "tests/unit/hostdev_launch.h"

#define THREADS 4
#define CALLS 150
#define BLOCKS 2
#define BLOCK 16
#define KERNEL_CALLS 10
#define TOTAL (THREADS * CALLS + BLOCKS * BLOCK * KERNEL_CALLS)

static struct {
    uint64_t counter;
    uint64_t word[THREADS + BLOCKS * BLOCK];
} *heap;

static void call_each(unsigned who, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        nvshmem_uint64_p(&heap->word[who], i, 0);
        nvshmem_uint64_atomic_add(&heap->counter, 1, 0);
        (void)nvshmem_uint64_atomic_fetch_inc(&heap->counter, 0);
        nvshmem_quiet();
    }
}

static void *host_thread(void *number)
{
    call_each((unsigned)(uintptr_t)number, CALLS);
    return NULL;
}

static void kernel(void *argument)
{
    call_each(THREADS + blockIdx.x * BLOCK + threadIdx.x, KERNEL_CALLS);
}

static struct {
    char folder[64], trace[96], stats[96];
} path;

/* Its calls are over, its events may not be written yet; it ends when it likes. */
static void *late_thread(void *calls_are_over)
{
    (void)nvshmem_uint64_atomic_fetch(&heap->counter, 0);
    (void)pthread_barrier_wait(calls_are_over);
    return NULL;
}

static void run_threads(void)
{
    pthread_t thread[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, host_thread, (void *)i), 0);
    assert_int_equal(launch(kernel, BLOCKS, BLOCK, NULL), 0);
    nvshmem_uint64_wait_until(&heap->counter, NVSHMEM_CMP_EQ, 2 * TOTAL);
    for (unsigned i = 0; i < THREADS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
}

/* A job of one PE; what it prints at its end is kept. */
static void run_job(const char *disable_direct)
{
    pthread_t late[THREADS];
    pthread_barrier_t calls_are_over;
    int kept = dup(STDERR_FILENO);
    FILE *to = fopen(path.stats, "w");
    assert_non_null(to);
    (void)setenv("ANYSHMEM_DISABLE_DIRECT", disable_direct, 1);
    nvshmem_init();
    heap = nvshmem_calloc(1, sizeof(*heap));
    run_threads();
    assert_int_equal(pthread_barrier_init(&calls_are_over, NULL, THREADS + 1), 0);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&late[i], NULL, late_thread, &calls_are_over), 0);
    (void)pthread_barrier_wait(&calls_are_over);
    assert_true(dup2(fileno(to), STDERR_FILENO) >= 0);
    nvshmem_finalize();
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    for (unsigned i = 0; i < THREADS; i++) assert_int_equal(pthread_join(late[i], NULL), 0);
    assert_int_equal(pthread_barrier_destroy(&calls_are_over), 0);
    assert_int_equal(fclose(to), 0);
    (void)close(kept);
}

/* Lines of the trace with that text. */
static unsigned events(const char *text)
{
    char line[1024];
    unsigned n = 0;
    FILE *from = fopen(path.trace, "r");
    assert_non_null(from);
    while (fgets(line, sizeof(line), from) != NULL) n += strstr(line, text) != NULL;
    (void)fclose(from);
    return n;
}

/* The number that the table has for that kind of call and way; 0: it has no such row. */
static unsigned long long counted(const char *call, const char *way)
{
    char line[1024], name[32], by[32];
    unsigned long long n, found = 0;
    FILE *from = fopen(path.stats, "r");
    assert_non_null(from);
    while (fgets(line, sizeof(line), from) != NULL)
        if (sscanf(line, "[0] %31s %31s %llu", name, by, &n) == 3 && strcmp(name, call) == 0 &&
            strcmp(by, way) == 0)
            found = n;
    (void)fclose(from);
    return found;
}

static void look_at(const char *way)
{
    assert_int_equal(events("\"ph\":\"X\",\"name\":\"nvshmem_uint64_p\""), TOTAL);
    assert_int_equal(events("\"ph\":\"X\",\"name\":\"nvshmem_uint64_atomic_add\""), TOTAL);
    assert_int_equal(events("\"ph\":\"X\",\"name\":\"nvshmem_uint64_atomic_fetch_inc\""), TOTAL);
    assert_int_equal(events("\"ph\":\"X\",\"name\":\"nvshmem_uint64_atomic_fetch\""), THREADS);
    assert_int_equal(events("\"ph\":\"X\",\"name\":\"nvshmem_quiet\""), TOTAL);
    assert_int_equal(events("\"dur\":-"), 0);
    assert_int_equal(counted("p", way), TOTAL);
    assert_int_equal(counted("atomic", way), TOTAL);
    assert_int_equal(counted("atomic_fetching", way), TOTAL + THREADS);
    assert_int_equal(counted("quiet", way), TOTAL);
    assert_int_equal(counted("wait", "own"), 1);
}

static void counts_of_mapped_calls(void **state)
{
    run_job("0");
    look_at("mapped");
    assert_int_equal(events("\"name\":\"push "), 0);
}

static void counts_of_calls_over_the_channel(void **state)
{
    run_job("all");
    look_at("channel");
    assert_int_equal(events("\"name\":\"push p\""), TOTAL);
    assert_int_equal(events("\"name\":\"take p\""), TOTAL);
    assert_int_equal(events("\"name\":\"done p\""), TOTAL);
}

static int begin(void **state)
{
    time_limit_start();
    return 0;
}

static int end(void **state)
{
    (void)alarm(0);
    (void)unlink(path.trace);
    (void)unlink(path.stats);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(counts_of_mapped_calls, begin, end),
        cmocka_unit_test_setup_teardown(counts_of_calls_over_the_channel, begin, end),
    };
    char name[96];
    int failed;
    strcpy(path.folder, "/tmp/observe.XXXXXX");
    if (mkdtemp(path.folder) == NULL) return 99;
    /* %d is the PE. */
    snprintf(name, sizeof(name), "%s/trace.%%d", path.folder);
    snprintf(path.trace, sizeof(path.trace), "%s/trace.0", path.folder);
    snprintf(path.stats, sizeof(path.stats), "%s/stats", path.folder);
    (void)setenv("ANYSHMEM_STATS", "1", 1);
    (void)setenv("ANYSHMEM_TRACE", name, 1);
    failed = cmocka_run_group_tests_name("observe", tests, NULL, NULL);
    (void)rmdir(path.folder);
    return failed;
}
