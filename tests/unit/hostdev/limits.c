/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host device at its limits: most threads, memory, wrong arguments, kernels that
 * cannot go on.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "device/hostdev/kernel.h"
#include "tests/unit/hostdev/gate.h"
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

static void *watch_gate(void *arg)
{
    struct gate *gate = arg;
    while (dev_load_acquire64(&gate->arrived) < MANY - 1)
        (void)usleep(1000);
    gate->nbytes = resident_nbytes();
    (void)dev_fetch_add64(&gate->arrived, 1);
    return NULL;
}

/* The watcher counts as the last to arrive, so it measures while all are there. */
static void gather_watched(void *arg)
{
    struct gate *gate = arg;
    struct dev_backoff backoff = dev_backoff_start();
    __syncthreads();
    (void)dev_fetch_add64(&gate->arrived, blockIdx.x + threadIdx.x == 0 ? 0 : 1);
    while (dev_load_acquire64(&gate->arrived) != MANY)
        dev_backoff(&backoff);
}

static void test_many_threads_in_memory(void **state)
{
    struct gate gate = {0, 0, 0};
    uint64_t before = resident_nbytes();
    pthread_t watcher;
    assert_int_equal(pthread_create(&watcher, NULL, watch_gate, &gate), 0);
    assert_int_equal(launch(gather_watched, MANY_BLOCKS, 1024, &gate), 0);
    assert_int_equal(pthread_join(watcher, NULL), 0);
    print_message("# %u device threads: %llu KiB resident, %llu bytes each\n", MANY,
                  (unsigned long long)(gate.nbytes >> 10),
                  (unsigned long long)((gate.nbytes - before) / MANY));
    assert_true(gate.nbytes - before < (uint64_t)MANY * THREAD_NBYTES);
#if !defined(ASH_TOOL_TSAN) && !defined(ASH_TOOL_ASAN)
    /* And all of it comes back. */
    assert_true(resident_nbytes() < before + (16u << 20));
#endif
}

/* Threads that never wait use one stack after another, not one each. */
static void test_threads_that_do_not_wait_share_a_stack(void **state)
{
    uint64_t before = resident_nbytes();
    assert_int_equal(launch(nothing, 2048, 1, NULL), 0);
    assert_true(resident_nbytes() - before < (4u << 20));
}

/* Each block's shared memory is freed when the block ends.  A sanitizer keeps freed memory. */
#if defined(ASH_TOOL_TSAN) || defined(ASH_TOOL_ASAN)
#define KEPT_MAX (UINT64_C(1) << 40)
#else
#define KEPT_MAX (UINT64_C(64) << 20)
#endif
static struct ash_shared_variable megabyte = {1 << 20, 4, "megabyte"};

static void use_megabyte(void *arg)
{
    (void)ash_kernel_shared(&megabyte);
}

static void test_shared_memory_comes_back(void **state)
{
    uint64_t before = resident_nbytes();
    assert_int_equal(launch_shared(use_megabyte, dims(200, 1, 1), dims(2, 1, 1), NULL, 1 << 20), 0);
    assert_true(resident_nbytes() < before + KEPT_MAX);
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
    assert_int_equal(launch(use_stack, 2, 256, &wrong), 0);
    assert_int_equal(wrong, 0);
}

/* ANYSHMEM_HOSTDEV_STACK. */
static void use_large_stack(void *arg)
{
    volatile unsigned char bytes[900 << 10];
    bytes[0] = 1;
    __syncthreads();
    bytes[sizeof(bytes) - 1] = bytes[0];
    if (bytes[sizeof(bytes) - 1] != 1) (void)dev_fetch_add64(arg, 1);
}

static void test_stack_of_another_size(void **state)
{
    uint64_t wrong = 0;
    ash_hostdev_stack = 1 << 20;
    assert_int_equal(launch(use_large_stack, 2, 16, &wrong), 0);
    ash_hostdev_stack = 0;
    assert_int_equal(launch(use_stack, 2, 256, &wrong), 0);
    assert_int_equal(wrong, 0);
}

/* Errors. */

static void test_invalid_values(void **state)
{
    unsigned big = 1u << 31;
    int gridsize = -1;
    assert_int_equal(launch(NULL, 1, 1, NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(launch(nothing, 0, 1, NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(launch(nothing, 1, 0, NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(launch(nothing, 1, 1025, NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(launch(nothing, 270337, 1, NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(launch(nothing, 265, 1024, NULL), NVSHMEMX_ERROR_INVALID_VALUE);
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
    assert_int_equal(nvshmemx_collective_launch_query_gridsize((const void *)nothing,
                                                               dims(10, 10, 10), NULL, 0,
                                                               &gridsize), 0);
    assert_int_equal(gridsize, 270);
    assert_int_equal(launch_shared(nothing, dims(270, 1, 1), dims(10, 10, 10), NULL, 0), 0);
    assert_int_equal(launch_shared(nothing, dims(271, 1, 1), dims(10, 10, 10), NULL, 0),
                     NVSHMEMX_ERROR_INVALID_VALUE);
}

static void test_out_of_memory(void **state)
{
    assert_int_equal(launch_shared(nothing, dims(4, 1, 1), dims(1, 1, 1), NULL, SIZE_MAX / 2),
                     NVSHMEMX_ERROR_OUT_OF_MEMORY);
    assert_int_equal(launch_shared(nothing, dims(4, 1, 1), dims(1, 1, 1), NULL, SIZE_MAX),
                     NVSHMEMX_ERROR_OUT_OF_MEMORY);
    assert_int_equal(ash_hostdev_replies_taken(), 0);
    assert_int_equal(launch(nothing, 4, 1, NULL), 0);
}

/* A thread takes a reply line when it expects a reply, and most kernels do not. */
static void test_out_of_reply_lines(void **state)
{
    uint32_t *lines = malloc(ASH_REPLY_LINES * sizeof(*lines));
    assert_non_null(lines);
    assert_int_equal(ash_hostdev_replies_take(ASH_REPLY_LINES, lines), 0);
    assert_int_equal(launch(nothing, 4, 101, NULL), 0);
    assert_int_equal(ash_hostdev_replies_taken(), ASH_REPLY_LINES);
    ash_hostdev_replies_give(ASH_REPLY_LINES, lines);
    free(lines);
}

static void launch_again(void *arg)
{
    *(int *)arg = launch(nothing, 1, 1, NULL);
}

static void test_nested_launch(void **state)
{
    int status = 0;
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
    memset(&fault_seen, 0xff, sizeof(fault_seen));
    ash_state.n_pes = 0;
    ash_state.on_fault = note_fault;
    if (setjmp(after_fault) == 0) (void)launch(nothing, 1, 1, NULL);
    ash_state.on_fault = saved;
    assert_int_equal(fault_seen.kind, ASH_FAULT_NOT_STARTED);
    assert_string_equal(fault_seen.function, "nvshmemx_collective_launch");
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

static void sync_apart(void *arg)
{
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
    assert_int_not_equal(status_of_child(overflow, 1, 16), 0);
}

static void test_deadlock_is_caught(void **state)
{
    int status = status_of_child(sync_apart, 1, 32);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 70);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOSTDEV_TEST(test_many_threads_in_memory),
        HOSTDEV_TEST(test_threads_that_do_not_wait_share_a_stack),
        HOSTDEV_TEST(test_shared_memory_comes_back),
        HOSTDEV_TEST(test_stack_of_48_kib),
        HOSTDEV_TEST(test_stack_of_another_size),
        HOSTDEV_TEST(test_invalid_values),
        HOSTDEV_TEST(test_query_gridsize),
        HOSTDEV_TEST(test_out_of_memory),
        HOSTDEV_TEST(test_out_of_reply_lines),
        HOSTDEV_TEST(test_nested_launch),
        HOSTDEV_TEST(test_launch_before_init),
        HOSTDEV_TEST(test_stack_overflow_is_caught),
        HOSTDEV_TEST(test_deadlock_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
