/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of waits that last, and what is made of it: entries of host threads,
 * of threads of grids, of threads that are cancelled; a table that is full; the
 * words of a report; the time limit and the warning.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <nvshmem.h>

#include "device/hostdev/wait_table.h"
#include "lib/base/env.h"
#include "lib/base/cause.h"
#include "lib/report/report.h"
#include "lib/report/text.h"
#include "tests/unit/cancelled.h"
#include "tests/unit/child.h"
#include "tests/unit/hostdev_launch.h"
#include "tests/unit/sleep.h"

#define TEXT 1024

/* Waits in the table. */
static unsigned listed(void)
{
    struct ash_wait_entry entry;
    uint64_t use;
    unsigned n = 0;
    for (uint32_t i = 1; i <= ASH_WAIT_ENTRIES; i++) n += ash_hostdev_wait_read(i, &entry, &use);
    return n;
}

/* Until there are n; the time limit of the test ends what does not come. */
static void wait_for_listed(unsigned n)
{
    while (listed() != n) sleep_ms(1);
}

static int nothing_left(void **state)
{
    int rc = test_end(state);
    return rc != 0 || listed() != 0 || ash_hostdev_waits_unlisted() != 0 ? -1 : 0;
}

static const char *described(void)
{
    static char text[TEXT];
    ash_report_describe(text, sizeof(text));
    return text;
}

static struct ash_wait_info on_variable(const int *variable, int value)
{
    const struct ash_wait_info info = {.function = "nvshmem_int_wait_until",
                                        .argument = "ivar",
                                        .address = (uintptr_t)variable,
                                        .value = (uint64_t)(int64_t)value,
                                        .kind = ASH_WAIT_FOR_VARIABLE,
                                        .width = sizeof(*variable),
                                        .is_signed = 1,
                                        .cmp = NVSHMEM_CMP_LE};
    return info;
}

static void report_of_a_wait_for_a_variable(void **state)
{
    int variable = -3;
    struct ash_wait_info info = on_variable(&variable, -5);
    char wanted[TEXT];
    uint32_t number;
    assert_string_equal(described(), "in no routine of the library");
    number = ash_hostdev_wait_register(&info);
    snprintf(wanted, sizeof(wanted), "in nvshmem_int_wait_until: ivar %p <= -5, is -3",
             (void *)&variable);
    assert_string_equal(described(), wanted);
    ash_hostdev_wait_unregister(number);
    assert_string_equal(described(), "in no routine of the library");
}

/* Whoever waited for it is gone, and its memory, too. */
static void report_of_a_wait_on_unreadable_memory(void **state)
{
    struct ash_wait_info info = on_variable((const int *)16, 7);
    uint32_t number = ash_hostdev_wait_register(&info);
    assert_string_equal(described(), "in nvshmem_int_wait_until: ivar 0x10 <= 7");
    info.kind = ASH_WAIT_FOR_ANY;
    info.count = 3;
    ash_hostdev_wait_unregister(number);
    number = ash_hostdev_wait_register(&info);
    assert_string_equal(described(),
                        "in nvshmem_int_wait_until: any of 3 ivars 0x10 <= 7, are");
    ash_hostdev_wait_unregister(number);
}

/* Three are named; the process's own work is named if there is nothing else. */
static void report_of_many_waits(void **state)
{
    uint32_t work = ash_hostdev_register_work("a stream", "what is queued on it"), number[5];
    assert_string_equal(described(), "in a stream: what is queued on it");
    for (int i = 0; i < 5; i++) number[i] = ash_hostdev_register_call("nvshmem_init", "x");
    assert_string_equal(
        described(), "in nvshmem_init: x; in nvshmem_init: x; in nvshmem_init: x; and 2 more");
    for (int i = 0; i < 5; i++) ash_hostdev_wait_unregister(number[i]);
    ash_hostdev_wait_unregister(work);
}

static void full_table(void **state)
{
    static uint32_t number[ASH_WAIT_ENTRIES + 10];
    for (size_t i = 0; i < ASH_WAIT_ENTRIES + 10; i++)
        number[i] = ash_hostdev_register_call("nvshmem_init", "x");
    assert_int_equal(listed(), ASH_WAIT_ENTRIES);
    assert_int_equal(ash_hostdev_waits_unlisted(), 10);
    assert_non_null(strstr(described(), "; and 263 more"));
    for (size_t i = 0; i < ASH_WAIT_ENTRIES + 10; i++) ash_hostdev_wait_unregister(number[i]);
}

/* The words of an entry that is read while others fill it are of one wait. */
static int stopped;

static void *begin_and_end(void *argument)
{
    uint64_t i = (uint64_t)(uintptr_t)argument << 32;
    while (!__atomic_load_n(&stopped, __ATOMIC_RELAXED)) {
        const struct ash_wait_info info = {.function = "", .address = i, .word0 = i};
        ash_hostdev_wait_unregister(ash_hostdev_wait_register(&info));
        i++;
    }
    return NULL;
}

static void entries_are_read_whole(void **state)
{
    struct ash_wait_entry entry;
    pthread_t threads[2];
    uint64_t use, seen = 0, torn = 0;
    stopped = 0;
    for (uintptr_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, begin_and_end, (void *)(i + 1)), 0);
    while (seen < 50000)
        for (uint32_t i = 1; i <= ASH_WAIT_ENTRIES; i++) {
            if (!ash_hostdev_wait_read(i, &entry, &use)) continue;
            seen++;
            torn += entry.info.address != entry.info.word0;
        }
    __atomic_store_n(&stopped, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert_int_equal(torn, 0);
}

static int variables[8];

static void *wait_for_variable(void *argument)
{
    nvshmem_int_wait_until(argument, NVSHMEM_CMP_EQ, 1);
    return NULL;
}

static void cancelled_thread_leaves_no_entry(void **state)
{
    static uint32_t number[ASH_WAIT_ENTRIES];
    pthread_t thread;
    memset(variables, 0, sizeof(variables));
    assert_int_equal(pthread_create(&thread, NULL, wait_for_variable, &variables[0]), 0);
    wait_for_listed(1);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    assert_int_equal(listed(), 0);
    /* The same where it is only counted. */
    for (size_t i = 0; i < ASH_WAIT_ENTRIES; i++) number[i] = ash_hostdev_register_call("f", "x");
    assert_int_equal(pthread_create(&thread, NULL, wait_for_variable, &variables[0]), 0);
    while (ash_hostdev_waits_unlisted() != 1) sleep_ms(1);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    assert_int_equal(ash_hostdev_waits_unlisted(), 0);
    for (size_t i = 0; i < ASH_WAIT_ENTRIES; i++) ash_hostdev_wait_unregister(number[i]);
}

/* Bits of the blocks and threads that wait: block b and thread t are bit 4 * b + t. */
static void *look_and_release(void *ret_bits)
{
    struct ash_wait_entry entry;
    uint64_t use, *bits = ret_bits;
    wait_for_listed(8);
    for (uint32_t i = 1; i <= ASH_WAIT_ENTRIES; i++)
        if (ash_hostdev_wait_read(i, &entry, &use) && entry.block >= 0)
            *bits |= UINT64_C(1) << (4 * entry.block + entry.thread);
    for (int i = 0; i < 8; i++) __atomic_store_n(&variables[i], 1, __ATOMIC_RELEASE);
    return NULL;
}

static void wait_in_grid(void *argument)
{
    wait_for_variable(&variables[4 * blockIdx.x + threadIdx.x]);
}

static void waits_of_grid_threads(void **state)
{
    pthread_t thread;
    uint64_t bits = 0;
    memset(variables, 0, sizeof(variables));
    assert_int_equal(pthread_create(&thread, NULL, look_and_release, &bits), 0);
    assert_int_equal(launch(wait_in_grid, 2, 4, NULL), 0);
    pthread_join(thread, NULL);
    assert_int_equal(bits, 0xff);
}

/* In a forked child the waits of other threads are not there. */
static void forked_child_has_no_entries_of_others(void **state)
{
    pthread_t thread;
    pid_t child;
    int status;
    uint32_t own;
    memset(variables, 0, sizeof(variables));
    assert_int_equal(pthread_create(&thread, NULL, wait_for_variable, &variables[0]), 0);
    wait_for_listed(1);
    own = ash_hostdev_register_call("own", "x");
    child = fork();
    if (child == 0) {
        ash_report_forked();
        if (strcmp(described(), "in own: x") != 0) _exit(1);
        ash_hostdev_wait_unregister(own);
        _exit(listed() == 0 ? 0 : 2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    ash_hostdev_wait_unregister(own);
    __atomic_store_n(&variables[0], 1, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
}

/* A child that looks at its waits as the watch does, for so many milliseconds. */
static void wait_and_look(const void *ms)
{
    uint32_t number = ash_hostdev_register_call("f", "what does not come");
    uint32_t work = ash_hostdev_register_work("g", "what takes its time");
    for (int i = 0; i < *(const int *)ms; i += 20) {
        ash_report_tick();
        sleep_ms(20);
    }
    ash_hostdev_wait_unregister(number);
    ash_hostdev_wait_unregister(work);
}

static void warning_after_its_time(void **state)
{
    const int ms = 3000;
    char text[TEXT], *line;
    int status;
    ash_env.warn_after = 1;
    ash_env.timeout = 0;
    run_child(wait_and_look, &ms, text, sizeof(text), &status);
    assert_int_equal(WEXITSTATUS(status), CHILD_RETURNED);
    line = strstr(text, "warn: waiting for 1 s in f: what does not come\n");
    assert_non_null(line);
    assert_null(strstr(line + 1, "warn: "));
}

static void time_limit_ends_the_job(void **state)
{
    const int ms = 10000;
    char text[TEXT];
    int status;
    ash_env.warn_after = 0;
    ash_env.timeout = 1;
    run_child(wait_and_look, &ms, text, sizeof(text), &status);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), ASH_EXIT_FATAL);
    assert_non_null(strstr(text, "report: a wait exceeds ANYSHMEM_TIMEOUT\n"));
    assert_non_null(
        strstr(text, "error: f: what does not come: timed out after ANYSHMEM_TIMEOUT=1 s\n"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_begin, nothing_left)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(report_of_a_wait_for_a_variable),
                                       TEST(report_of_a_wait_on_unreadable_memory),
                                       TEST(report_of_many_waits),
                                       TEST(full_table),
                                       TEST(entries_are_read_whole),
                                       TEST(cancelled_thread_leaves_no_entry),
                                       TEST(waits_of_grid_threads),
                                       TEST(forked_child_has_no_entries_of_others),
                                       TEST(warning_after_its_time),
                                       TEST(time_limit_ends_the_job)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
