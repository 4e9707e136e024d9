/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much the machine and its control groups have left, in trees of files that
 * look like those of other machines.
 */
#include "lib/memory/memory.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

#define MIB (UINT64_C(1) << 20)

static void test_machine_and_control_groups(void **state)
{
    const uint64_t gib = 1024 * MIB, margin = 64 * MIB;
    /* Nothing is known: nothing is refused. */
    assert_true(ash_memory_available_under(tree) > UINT64_C(1) << 60);
    put("proc/meminfo", "MemTotal:  67108864 kB\nMemFree: 1 kB\nMemAvailable: 33554432 kB\n");
    assert_int_equal(ash_memory_available_under(tree), 31 * gib - margin);
    /* Version 2: the group's parent has the limit; cached files count as free. */
    put("proc/self/cgroup", "0::/job/task\n");
    put("sys/fs/cgroup/job/task/memory.max", "max\n");
    put("sys/fs/cgroup/job/memory.max", "4294967296\n");
    put("sys/fs/cgroup/job/memory.current", "3221225472\n");
    assert_int_equal(ash_memory_available_under(tree), gib - 2 * margin);
    put("sys/fs/cgroup/job/memory.stat", "anon 5\ninactive_file 536870912\nactive_file 1048576\n");
    assert_int_equal(ash_memory_available_under(tree), gib + 513 * MIB - 2 * margin);
    put("sys/fs/cgroup/job/task/memory.max", "1048576\n");
    assert_int_equal(ash_memory_available_under(tree), 0);
    /* Version 1, as seen from a container: its group's path is not in its tree. */
    put("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/docker/1234\n1:name=systemd:/\n0::/\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    assert_int_equal(ash_memory_available_under(tree), 31 * gib - margin);
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "4294967296\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "2147483648\n");
    put("sys/fs/cgroup/memory/memory.stat", "inactive_file 7\ntotal_active_file 1048576\n");
    assert_int_equal(ash_memory_available_under(tree), 2 * gib + MIB - 2 * margin);
    put("proc/self/cgroup", "nonsense\n::\n:\n\n");
    assert_true(ash_memory_available_under(tree) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_machine_and_control_groups)};
    return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
