/* SPDX-License-Identifier: BSD-3-Clause */
/* Which CPUs this process may use, and what part of them others take. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/hostdev/cpus.h"
#include "tests/unit/unit.h"

static cpu_set_t all, first;

/* This process's CPUs, and the first one of them. */
static int find_cpus(void **state)
{
    size_t cpu = 0;
    /* More CPUs than such a set has: not a machine for this test. */
    if (sched_getaffinity(0, sizeof(all), &all) != 0) exit(77);
    while (!CPU_ISSET(cpu, &all)) cpu++;
    CPU_ZERO(&first);
    CPU_SET(cpu, &first);
    return 0;
}

static void use(const cpu_set_t *cpus)
{
    assert_int_equal(sched_setaffinity(0, sizeof(*cpus), cpus), 0);
}

static int use_all(void **state)
{
    use(&all);
    return 0;
}

static void test_cpus_of_this_process(void **state)
{
    assert_int_equal(ash_cpus_count(), CPU_COUNT(&all));
    use(&first);
    assert_int_equal(ash_cpus_count(), 1);
    assert_true(ash_cpus_only() >= 0 && CPU_ISSET((size_t)ash_cpus_only(), &first));
    use(&all);
    assert_true((ash_cpus_only() < 0) == (CPU_COUNT(&all) > 1));
}

/* What is shared with a process that uses these CPUs. */
static double shared_with(const cpu_set_t *cpus)
{
    cpu_set_t own;
    double part;
    pid_t pid;
    assert_int_equal(sched_getaffinity(0, sizeof(own), &own), 0);
    use(cpus);
    pid = fork();
    if (pid == 0) {
        alarm(60);
        for (;;) (void)pause();
    }
    assert_true(pid > 0);
    use(&own);
    part = ash_cpus_shared_with(pid);
    (void)kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    return part;
}

static void test_share_of_cpus_with_another_process(void **state)
{
    const double n = CPU_COUNT(&all);
    cpu_set_t others;
    assert_true(ash_cpus_shared_with(getpid()) == 1);
    assert_true(shared_with(&all) == 1);
    assert_true(shared_with(&first) == 1);
    use(&first);
    assert_true(shared_with(&first) == 1);
    assert_true(shared_with(&all) == 1 / n);
    if (n < 2) return;
    CPU_XOR(&others, &all, &first);
    assert_true(shared_with(&others) == 0);
}

/* A process that has ended, or has its number elsewhere, is taken to have the same. */
static void test_process_that_has_ended_shares_all(void **state)
{
    pid_t pid = fork();
    if (pid == 0) _exit(0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_true(ash_cpus_shared_with(pid) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_cpus_of_this_process, use_all),
        cmocka_unit_test_teardown(test_share_of_cpus_with_another_process, use_all),
        cmocka_unit_test(test_process_that_has_ended_shares_all),
    };
    return cmocka_run_group_tests(tests, find_cpus, NULL);
}
