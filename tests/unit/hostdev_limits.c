/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host device at its limits: most threads, memory, wrong arguments, reply
 * lines, kernels that cannot go on, the life of its workers.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/unit/hostdev_launch.h"

/*
 * ThreadSanitizer has a limit on fibers and ASan needs memory of its own: they
 * run fewer threads against the same bound for each.
 */
#if defined(ASH_TOOL_TSAN)
#define MANY_BLOCKS 2u
#define THREAD_NBYTES (1u << 20)
#elif defined(ASH_TOOL_ASAN)
#define MANY_BLOCKS 16u
#define THREAD_NBYTES (64u << 10)
#else
#define MANY_BLOCKS 64u
#define THREAD_NBYTES (16u << 10)
#endif
#define MANY (MANY_BLOCKS * 1024u)

static void nothing(void *arg) { (void)arg; }

/* Memory. */

static uint64_t resident_nbytes(void)
{
    unsigned long total, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%lu %lu", &total, &resident) != 2) resident = 1ul << 40;
    if (file != NULL) (void)fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

struct crowd {
    uint64_t arrived, go;
    uint64_t nbytes;
};

/* All of the grid is there at once before anybody ends. */
static void gather(void *arg)
{
    struct crowd *crowd = arg;
    struct dev_backoff backoff = dev_backoff_start();
    uint64_t n = (uint64_t)gridDim.x * blockDim.x;
    __syncthreads();
    if (dev_fetch_add64(&crowd->arrived, 1) == n - 1) dev_store_release64(&crowd->go, 1);
    while (dev_load_acquire64(&crowd->go) == 0)
        dev_backoff(&backoff);
    __syncthreads();
}

static void *watch_crowd(void *arg)
{
    struct crowd *crowd = arg;
    while (dev_load_acquire64(&crowd->arrived) < MANY - 1)
        (void)usleep(1000);
    crowd->nbytes = resident_nbytes();
    (void)dev_fetch_add64(&crowd->arrived, 1);
    return NULL;
}

/* The watcher counts as the last to arrive, so it measures while all are there. */
static void gather_watched(void *arg)
{
    struct crowd *crowd = arg;
    struct dev_backoff backoff = dev_backoff_start();
    __syncthreads();
    (void)dev_fetch_add64(&crowd->arrived, blockIdx.x + threadIdx.x == 0 ? 0 : 1);
    while (dev_load_acquire64(&crowd->arrived) != MANY)
        dev_backoff(&backoff);
}

static void test_many_threads_in_memory(void **state)
{
    struct crowd crowd = {0, 0, 0};
    uint64_t before = resident_nbytes();
    pthread_t watcher;
    (void)state;
    assert_int_equal(pthread_create(&watcher, NULL, watch_crowd, &crowd), 0);
    assert_int_equal(launch(gather_watched, MANY_BLOCKS, 1024, &crowd), 0);
    assert_int_equal(pthread_join(watcher, NULL), 0);
    print_message("# %u device threads: %llu KiB resident, %llu bytes each\n", MANY,
                  (unsigned long long)(crowd.nbytes >> 10),
                  (unsigned long long)((crowd.nbytes - before) / MANY));
    assert_true(crowd.nbytes - before < (uint64_t)MANY * THREAD_NBYTES);
#if !defined(ASH_TOOL_TSAN) && !defined(ASH_TOOL_ASAN)
    /* And all of it comes back. */
    assert_true(resident_nbytes() < before + (16u << 20));
#endif
}

/* Threads that never wait use one stack after another, not one each. */
static void test_threads_that_do_not_wait_are_cheap(void **state)
{
    uint64_t before = resident_nbytes();
    (void)state;
    assert_int_equal(launch(nothing, 2048, 1, NULL), 0);
    assert_true(resident_nbytes() - before < (4u << 20));
}

static void use_stack(void *arg)
{
    volatile unsigned char bytes[48 << 10];
    uint64_t *sum = arg;
    uint32_t i;
    for (i = 0; i < sizeof(bytes); i++)
        bytes[i] = (unsigned char)(threadIdx.x + i);
    __syncthreads();
    for (i = 0; i < sizeof(bytes); i++)
        if (bytes[i] != (unsigned char)(threadIdx.x + i)) (void)dev_fetch_add64(sum, 1);
}

static void test_stack_of_48_kib(void **state)
{
    uint64_t wrong = 0;
    (void)state;
    assert_int_equal(launch(use_stack, 2, 256, &wrong), 0);
    assert_int_equal(wrong, 0);
}

/* Errors. */

static void test_invalid_values(void **state)
{
    unsigned big = 1u << 31;
    int gridsize = -1;
    (void)state;
    assert_int_equal(launch(NULL, 1, 1, NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(launch(nothing, 0, 1, NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(launch(nothing, 1, 0, NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(launch(nothing, 1, 1025, NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(launch(nothing, 65537, 1, NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(launch(nothing, 65, 1024, NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(launch_shared(nothing, dims(big, 2, 1), dims(1, 1, 1), NULL, 0),
                     NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(launch_shared(nothing, dims(big, big, 4), dims(1, 1, 1), NULL, 0),
                     NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(launch_shared(nothing, dims(1, 1, 1), dims(32, 33, 1), NULL, 0),
                     NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(nvshmemx_collective_launch_query_gridsize(NULL, dims(1, 1, 1), NULL, 0,
                                                               &gridsize),
                     NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(gridsize, -1);
}

static void test_query_gridsize(void **state)
{
    int gridsize = 0;
    (void)state;
    assert_int_equal(nvshmemx_collective_launch_query_gridsize((const void *)nothing,
                                                               dims(10, 10, 10), NULL, 0,
                                                               &gridsize), 0);
    assert_int_equal(gridsize, 65);
    assert_int_equal(launch_shared(nothing, dims(65, 1, 1), dims(10, 10, 10), NULL, 0), 0);
    assert_int_equal(launch_shared(nothing, dims(66, 1, 1), dims(10, 10, 10), NULL, 0),
                     NVSHMEMX_ERROR_INVALID_VALUE);
}

static void test_out_of_memory(void **state)
{
    (void)state;
    assert_int_equal(launch_shared(nothing, dims(4, 1, 1), dims(1, 1, 1), NULL, SIZE_MAX / 2),
                     NVSHMEMX_ERROR_OUT_OF_MEMORY);
    assert_int_equal(launch_shared(nothing, dims(4, 1, 1), dims(1, 1, 1), NULL, SIZE_MAX),
                     NVSHMEMX_ERROR_OUT_OF_MEMORY);
    assert_int_equal(ash_hostdev_replies_taken(), 0);
    assert_int_equal(launch(nothing, 4, 1, NULL), 0);
}

/* Fewer reply lines than threads. */
static void test_out_of_reply_lines(void **state)
{
    uint32_t n = ASH_REPLY_LINES - 100, *lines = malloc(n * sizeof(*lines));
    (void)state;
    assert_non_null(lines);
    assert_int_equal(ash_hostdev_replies_take(n, lines), 0);
    assert_int_equal(launch(nothing, 1, 101, NULL), NVSHMEMX_ERROR_OUT_OF_MEMORY);
    assert_int_equal(ash_hostdev_replies_taken(), n);
    assert_int_equal(launch(nothing, 1, 100, NULL), 0);
    ash_hostdev_replies_give(n, lines);
    free(lines);
}

static void launch_again(void *arg)
{
    *(int *)arg = launch(nothing, 1, 1, NULL);
}

static void test_nested_launch(void **state)
{
    int status = 0;
    (void)state;
    assert_int_equal(launch(launch_again, 1, 1, &status), 0);
    assert_int_equal(status, NVSHMEMX_ERROR_NOT_SUPPORTED);
}

static jmp_buf after_fault;
static struct ash_fault fault_seen;

static void note_fault(const struct ash_fault *fault)
{
    fault_seen = *fault;
    longjmp(after_fault, 1);
}

static void test_launch_before_init(void **state)
{
    void (*saved)(const struct ash_fault *fault) = ash_state.on_fault;
    (void)state;
    memset(&fault_seen, 0xff, sizeof(fault_seen));
    ash_state.n_pes = 0;
    ash_state.on_fault = note_fault;
    if (setjmp(after_fault) == 0) (void)launch(nothing, 1, 1, NULL);
    ash_state.on_fault = saved;
    assert_int_equal(fault_seen.kind, ASH_FAULT_NOT_STARTED);
    assert_string_equal(fault_seen.function, "nvshmemx_collective_launch");
}

/* Reply lines. */

static uint32_t line_of[4096];

static void note_line(void *arg)
{
    line_of[blockIdx.x * blockDim.x + threadIdx.x] = dev_reply_line();
    gather(arg);
}

static void test_reply_lines_are_unique(void **state)
{
    struct crowd crowd = {0, 0, 0};
    unsigned char *used = calloc(ASH_REPLY_LINES, 1);
    uint32_t i;
    (void)state;
    assert_non_null(used);
    used[dev_reply_line()] = 1;
    assert_int_equal(ash_hostdev_replies_taken(), 1);
    assert_int_equal(launch(note_line, 16, 256, &crowd), 0);
    for (i = 0; i < 4096; i++) {
        assert_true(line_of[i] < ASH_REPLY_LINES);
        assert_int_equal(used[line_of[i]]++, 0);
    }
    assert_int_equal(ash_hostdev_replies_taken(), 1);
    free(used);
}

static void *attach_twice(void *lines)
{
    ((uint32_t *)lines)[0] = dev_reply_line();
    ((uint32_t *)lines)[1] = dev_reply_line();
    return NULL;
}

static void test_posix_thread_gives_its_line_back(void **state)
{
    uint32_t mine = dev_reply_line(), other[2] = {mine, ~mine};
    pthread_t thread;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, attach_twice, other), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_not_equal(other[0], mine);
    assert_int_equal(other[0], other[1]);
    assert_int_equal(ash_hostdev_replies_taken(), 1);
    assert_ptr_equal(ash_context_current, ash_hostdev_attach());
    ash_hostdev_detach();
    assert_int_equal(ash_hostdev_replies_taken(), 0);
}

/* Kernels that cannot go on end the program: tried in a child. */

static __attribute__((noinline)) unsigned deeper(unsigned depth,
                                                const volatile unsigned char *above)
{
    volatile unsigned char bytes[1024];
    bytes[0] = above[0];
    bytes[1023] = (unsigned char)(depth < 400 ? deeper(depth + 1, bytes) : 1);
    return (unsigned)bytes[0] + bytes[1023];
}

/* Below the stack of the last thread are those of the others, who have ended. */
static void overflow(void *arg)
{
    __syncthreads();
    if (threadIdx.x + 1 == blockDim.x) *(unsigned *)arg = deeper(0, arg);
}

static void meet_apart(void *arg)
{
    (void)arg;
    if (threadIdx.x % 2 == 0)
        __syncwarp();
    else
        __syncthreads();
}

static int status_of_child(kernel_function kernel, unsigned blocks, unsigned threads)
{
    uint64_t argument = 0;
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit none = {0, 0};
        (void)setrlimit(RLIMIT_CORE, &none);
        (void)signal(SIGSEGV, SIG_DFL);
        (void)signal(SIGBUS, SIG_DFL);
        (void)close(STDERR_FILENO);
        (void)launch(kernel, blocks, threads, &argument);
        _exit(0);
    }
    while (waitpid(child, &status, 0) != child) {
        if (errno != EINTR) return 0;
    }
    return status;
}

static void test_stack_overflow_is_caught(void **state)
{
    (void)state;
    assert_int_not_equal(status_of_child(overflow, 1, 16), 0);
}

static void test_deadlock_is_caught(void **state)
{
    int status = status_of_child(meet_apart, 1, 32);
    (void)state;
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 70);
}

/* Workers. */

static pthread_t worker_of[6][64];

static void note_worker(void *arg)
{
    pthread_t self = pthread_self();
    (void)arg;
    worker_of[blockIdx.x][threadIdx.x] = self;
    __syncthreads();
    __syncwarp();
    if (!pthread_equal(self, pthread_self())) worker_of[blockIdx.x][threadIdx.x] = 0;
}

static void test_blocks_stay_on_workers(void **state)
{
    uint32_t block, thread, changes = 0;
    (void)state;
    ash_hostdev_workers = 3;
    assert_int_equal(launch(note_worker, 6, 64, NULL), 0);
    for (block = 0; block < 6; block++) {
        for (thread = 0; thread < 64; thread++)
            assert_true(pthread_equal(worker_of[block][thread], worker_of[block][0]));
        if (block > 0) changes += !pthread_equal(worker_of[block][0], worker_of[block - 1][0]);
    }
    assert_int_equal(changes, 2);
    assert_true(pthread_equal(worker_of[0][0], pthread_self()));
}

static void *launch_often(void *arg)
{
    struct crowd crowd;
    uint32_t i;
    for (i = 0; i < 50; i++) {
        memset(&crowd, 0, sizeof(crowd));
        if (launch(gather, i % 7 + 1, 32, &crowd) != 0) (void)dev_fetch_add64(arg, 1);
    }
    return NULL;
}

static void test_launches_from_two_threads(void **state)
{
    uint64_t failed = 0;
    pthread_t thread;
    (void)state;
    ash_hostdev_workers = 3;
    assert_int_equal(pthread_create(&thread, NULL, launch_often, &failed), 0);
    (void)launch_often(&failed);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(failed, 0);
}

static uint32_t posix_threads(void)
{
    unsigned n = 0;
    char line[128];
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        if (sscanf(line, "Threads: %u", &n) == 1) break;
    }
    if (file != NULL) (void)fclose(file);
    return n;
}

/* A joined thread may be in the kernel's list a moment longer: the time limit ends the wait. */
static void expect_posix_threads(uint32_t n)
{
    while (posix_threads() != n)
        (void)usleep(1000);
}

static void test_stop_and_start_again(void **state)
{
    uint32_t i, before;
    (void)state;
    (void)usleep(100000); /* for threads of the tests before */
    before = posix_threads();
    for (i = 0; i < 5; i++) {
        ash_hostdev_workers = 4;
        assert_int_equal(launch(nothing, 4, 4, NULL), 0);
        assert_int_equal(posix_threads(), before + 3);
        ash_hostdev_stop();
        expect_posix_threads(before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOSTDEV_TEST(test_many_threads_in_memory),
        HOSTDEV_TEST(test_threads_that_do_not_wait_are_cheap),
        HOSTDEV_TEST(test_stack_of_48_kib),
        HOSTDEV_TEST(test_invalid_values),
        HOSTDEV_TEST(test_query_gridsize),
        HOSTDEV_TEST(test_out_of_memory),
        HOSTDEV_TEST(test_out_of_reply_lines),
        HOSTDEV_TEST(test_nested_launch),
        HOSTDEV_TEST(test_launch_before_init),
        HOSTDEV_TEST(test_reply_lines_are_unique),
        HOSTDEV_TEST(test_posix_thread_gives_its_line_back),
        HOSTDEV_TEST(test_stack_overflow_is_caught),
        HOSTDEV_TEST(test_deadlock_is_caught),
        HOSTDEV_TEST(test_blocks_stay_on_workers),
        HOSTDEV_TEST(test_launches_from_two_threads),
        HOSTDEV_TEST(test_stop_and_start_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
