/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a job with a GPU ends when something is wrong: one message, and waiting
 * kernels are told to end.  Each end is that of a process of its own.
 */
#include "lib/base/end.h"
#include "tests/unit/gpu/cuda_child.h"

/* The child ended with a message of one line, which has all these words. */
static void check_end(void (*body)(void), int wanted, const char *first, const char *second)
{
    int status;
    const char *text = end_of(body, &status), *error = strstr(text, "error: ");
    if (status != wanted) fail_msg("status %d instead of %d: %s", status, wanted, text);
    if (error == NULL || strstr(error + 1, "error: ") != NULL) fail_msg("not one error: %s", text);
    if (strstr(error, first) == NULL) fail_msg("no \"%s\" in: %s", first, text);
    if (strstr(error, second) == NULL) fail_msg("no \"%s\" in: %s", second, text);
}

static void say_poison(void)
{
    fprintf(stderr, "poison is %u\n", __atomic_load_n(copied.gpu.poison, __ATOMIC_RELAXED));
}

static void abort_hook(int status)
{
    say_poison();
}

static void start(void)
{
    anyshmem_module_register(&module);
    nvshmem_init();
    if (__atomic_load_n(copied.gpu.poison, __ATOMIC_RELAXED) != 0) _exit(98);
    ash_abort_hook = abort_hook;
}

static void end_by_fatal(void)
{
    start();
    ash_fatal("an end");
}

static void test_fatal_poisons_kernels(void **state)
{
    check_end(end_by_fatal, ASH_EXIT_FATAL, "an end", "poison is 1");
}

/* Exit handlers run in reverse order: this one after the library's. */
static void end_by_exit(void)
{
    atexit(say_poison);
    start();
    exit(5);
}

static void test_exit_without_finalize(void **state)
{
    int status;
    const char *text;
    text = end_of(end_by_exit, &status);
    assert_int_equal(status, 5);
    assert_non_null(strstr(text, "without nvshmem_finalize"));
    assert_non_null(strstr(text, "poison is 1"));
}

static ssize_t write_poison(void *cookie, const char *text, size_t nbytes)
{
    (void)cookie, (void)text;
    say_poison();
    return (ssize_t)nbytes;
}

/* Files are flushed before the end, which leaves no other chance to say anything. */
static void end_by_global_exit(void)
{
    FILE *file = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_poison});
    start();
    fputs("x", file);
    nvshmem_global_exit(7);
}

static void test_global_exit(void **state)
{
    int status;
    const char *text;
    text = end_of(end_by_global_exit, &status);
    assert_int_equal(status, 7);
    assert_non_null(strstr(text, "poison is 1"));
}

static void end_by_kernel(void)
{
    setenv("FAKE_CUDA_FAIL", "stream_query:700:3", 1);
    start();
    sleep(SECONDS);
}

static void test_kernel_failure(void **state)
{
    check_end(end_by_kernel, ASH_EXIT_FATAL, "CUDA_ERROR_ILLEGAL_ADDRESS", "poison is 1");
}

static void end_by_fault(void)
{
    struct ash_fault_box *box;
    start();
    box = copied.gpu.fault;
    snprintf(box->function, sizeof(box->function), "nvshmem_int_p");
    box->kind = ASH_FAULT_PE;
    box->value = 9;
    box->block[0] = 4;
    box->thread[0] = 31;
    dev_store_release64(&box->ready, 1);
    sleep(SECONDS);
}

static void test_fault_of_a_kernel_ends_the_job(void **state)
{
    check_end(end_by_fault, ASH_EXIT_FATAL, "nvshmem_int_p: pe 9 is out of range",
              "block 4,0,0, thread 31,0,0");
}

/* As after nvshmem_global_exit of the host: no line, and kernels that wait are let go. */
static void end_by_exit_of_a_kernel(void)
{
    FILE *file = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_poison});
    struct ash_fault_box *box;
    start();
    fputs("x", file);
    box = copied.gpu.fault;
    snprintf(box->function, sizeof(box->function), "nvshmem_global_exit");
    box->kind = ASH_FAULT_EXIT;
    box->value = 9;
    dev_store_release64(&box->ready, 1);
    sleep(SECONDS);
}

static void test_global_exit_of_a_kernel(void **state)
{
    int status;
    const char *text;
    text = end_of(end_by_exit_of_a_kernel, &status);
    assert_int_equal(status, 9);
    assert_non_null(strstr(text, "poison is 1"));
    assert_null(strstr(text, "error"));
}

static void end_without_module(void)
{
    nvshmem_init();
    nvshmemx_quiet_on_stream(NULL);
}

static void test_no_module_of_device_code(void **state)
{
    check_end(end_without_module, ASH_EXIT_FATAL, "nvshmemx_quiet_on_stream",
              "libanyshmem_device");
}

static void end_by_old_module(void)
{
    module.version++;
    anyshmem_module_register(&module);
}

static void end_by_other_size(void)
{
    module.state_nbytes -= 8;
    anyshmem_module_register(&module);
}

static void test_module_of_another_version(void **state)
{
    check_end(end_by_old_module, ASH_EXIT_FATAL, "another version", "libanyshmem_device.a");
    check_end(end_by_other_size, ASH_EXIT_FATAL, "another version", "libanyshmem_device.a");
}

static void end_by_state(void)
{
    asked.state_error = 13;
    start();
}

static void test_state_cannot_be_copied(void **state)
{
    check_end(end_by_state, ASH_EXIT_FATAL, "state", "runtime error 13");
}

static void end_by_copy(void)
{
    uint64_t *word, mine = 1;
    start();
    word = nvshmem_malloc(8);
    set_failure("copy:1");
    nvshmemx_putmem_on_stream(word, &mine, 8, 0, NULL);
}

/* After a reset of the device nothing of it may be touched; the job ends as it should. */
static void end_after_reset_of(int at_next_query)
{
    void *symbol;
    fake_cuda_reset_function *reset;
    start();
    symbol = fake_symbol("fake_cuda_reset");
    memcpy(&reset, &symbol, sizeof(reset));
    reset(at_next_query);
    usleep(100000);
    nvshmem_finalize();
    fprintf(stderr, "the end\n");
    _exit(0);
}

static void end_after_reset(void)
{
    end_after_reset_of(0);
}

/* The watch had found the device alive, and asks a stream that is no more. */
static void end_after_reset_in_watch(void)
{
    end_after_reset_of(1);
}

static void check_reset(void (*body)(void))
{
    int status;
    const char *text = end_of(body, &status);
    if (status != 0 || strcmp(text, "the end\n") != 0) fail_msg("status %d: %s", status, text);
}

static void test_device_reset_by_the_program(void **state)
{
    check_reset(end_after_reset);
    check_reset(end_after_reset_in_watch);
}

static void test_failing_copy_on_a_stream(void **state)
{
    check_end(end_by_copy, ASH_EXIT_FATAL, "nvshmemx_putmem_on_stream", "CUDA error 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fatal_poisons_kernels),
        cmocka_unit_test(test_exit_without_finalize),
        cmocka_unit_test(test_global_exit),
        cmocka_unit_test(test_global_exit_of_a_kernel),
        cmocka_unit_test(test_kernel_failure),
        cmocka_unit_test(test_fault_of_a_kernel_ends_the_job),
        cmocka_unit_test(test_no_module_of_device_code),
        cmocka_unit_test(test_module_of_another_version),
        cmocka_unit_test(test_state_cannot_be_copied),
        cmocka_unit_test(test_failing_copy_on_a_stream),
        cmocka_unit_test(test_device_reset_by_the_program),
    };
    set_environment();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
