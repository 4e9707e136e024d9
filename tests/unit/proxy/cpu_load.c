/* SPDX-License-Identifier: BSD-3-Clause */
/* The proxy's estimate of oversubscription: how many threads each CPU has to run. */
#include <unistd.h>

#include "device/hostdev/backoff.h"
#include "proxy/internal.h"
#include "tests/unit/unit.h"

/* The larger number counts: the one known from this node's PEs, or the one measured. */
static void test_larger_of_known_and_seen(void **state)
{
    struct ash_cpu_load load = {.fd = -1, .n_cpus = 2, .running = 9};
    ash_hostdev_oversubscription = 3;
    assert_int_equal(ash_oversubscription(&load), 4);
    ash_hostdev_oversubscription = 8;
    assert_int_equal(ash_oversubscription(&load), 8);
    load.running = 0;
    ash_hostdev_oversubscription = 1;
    assert_int_equal(ash_oversubscription(&load), 1);
}

static bool no_work(void) { return false; }

/* Check the settings of waits for this number of PEs for each CPU, without or with proxies. */
static void check_load(double pes, bool proxy, uint32_t pauses, uint32_t factor, bool early)
{
    ash_hostdev_set_load(pes, proxy);
    assert_int_equal(ash_hostdev_pauses, pauses);
    assert_int_equal(ash_hostdev_oversubscription, factor);
    ash_state.progress = proxy ? no_work : NULL;
    assert_int_equal(ash_hostdev_sleeps_early(), early);
}

static void test_load_sets_pauses(void **state)
{
    const double third = 1.0 / 3;
    check_load(4, false, 2, 4, true);
    check_load(4, true, 2, 4, false);
    check_load(1.5, false, 2, 2, true);
    check_load(third + third + third, false, ASH_WAIT_PAUSES, 1, false);
    check_load(1, true, 2, 1, false);
    check_load(0.5, true, ASH_WAIT_PAUSES, 1, false);
    check_load(0, false, ASH_WAIT_PAUSES, 1, false);
}

/* From a file like /proc/loadavg: a running mean of the fourth field, the running threads. */
static void test_reads_loadavg_file(void **state)
{
    struct ash_cpu_load load = {.n_cpus = 1};
    int fd;
    char name[] = "/tmp/anyshmem-loadavg-XXXXXX";
    ash_hostdev_oversubscription = 1;
    fd = mkstemp(name);
    assert_true(fd >= 0);
    unlink(name);
    assert_int_equal(write(fd, "0.10 0.20 9.00 40/300 77\n", 25), 25);
    load.fd = fd;
    assert_int_equal(ash_oversubscription(&load), 10);
    /* The file is not read again at once. */
    assert_int_equal(ash_oversubscription(&load), 10);
    usleep(60000);
    assert_int_equal(ash_oversubscription(&load), 17);
    ash_cpu_load_stop(&load);
    assert_int_equal(load.fd, -1);
}

/* Start opens /proc/loadavg; without the file the known oversubscription counts. */
static void test_start_opens_loadavg_file(void **state)
{
    struct ash_cpu_load load = {.fd = -1};
    ash_cpu_load_start(&load);
    assert_true(load.n_cpus > 0);
    assert_true(load.fd >= 0);
    ash_hostdev_oversubscription = 1;
    assert_true(ash_oversubscription(&load) >= 1);
    assert_true(load.running > 0);
    ash_cpu_load_stop(&load);
    ash_hostdev_oversubscription = 5;
    assert_true(ash_oversubscription(&load) >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_larger_of_known_and_seen),
        cmocka_unit_test(test_load_sets_pauses),
        cmocka_unit_test(test_reads_loadavg_file),
        cmocka_unit_test(test_start_opens_loadavg_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
