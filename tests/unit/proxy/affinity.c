/* SPDX-License-Identifier: BSD-3-Clause */
/* Which CPUs belong to a NUMA node, read from another /sys. */
#include <sched.h>

#include "proxy/internal.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

static void test_cpus_of_numa_node(void **state)
{
    cpu_set_t set;
    put("sys/devices/system/node/node0/cpulist", "0-1,8-9\n");
    put("sys/devices/system/node/node8/cpulist", "2-3,10\n");
    put("sys/devices/system/node/node9/cpulist", "\n");
    put("sys/devices/system/node/node10/cpulist", "4\n");
    put("sys/devices/system/node/node11/cpulist", "5-x\n");
    assert_true(ash_cpus_of_numa_node(tree, 8, &set));
    assert_int_equal(CPU_COUNT(&set), 4);
    assert_true(CPU_ISSET(0, &set) && CPU_ISSET(1, &set) && CPU_ISSET(9, &set));
    assert_true(ash_cpus_of_numa_node(tree, 10, &set));
    assert_int_equal(CPU_COUNT(&set), 3);
    assert_true(CPU_ISSET(2, &set) && CPU_ISSET(3, &set));
    assert_true(ash_cpus_of_numa_node(tree, 4, &set));
    assert_int_equal(CPU_COUNT(&set), 1);
}

/* A CPU of no node, a list that is none, and a system that does not know nodes. */
static void test_unknown_numa_node(void **state)
{
    cpu_set_t set;
    assert_false(ash_cpus_of_numa_node(tree, 5, &set));
    assert_false(ash_cpus_of_numa_node(tree, 11, &set));
    assert_false(ash_cpus_of_numa_node("/nowhere", 0, &set));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cpus_of_numa_node),
        cmocka_unit_test(test_unknown_numa_node),
    };
    return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
