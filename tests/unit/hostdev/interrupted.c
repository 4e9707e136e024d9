/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A signal handler that waits for what its signal has interrupted ends the program; any other
 * wait goes on.
 */
#include "device/hostdev/wait_table.h"
#include "tests/unit/stream_heap.h"

static bool holds_proxy;

static bool interrupted(void) { return holds_proxy; }

static int begin(void **state)
{
    holds_proxy = false;
    if (stream_begin(state) != 0) return -1;
    ash_state.interrupted = interrupted;
    return 0;
}

/* A wait of this kind lasts; it is over again. */
static void last(enum ash_wait_kind kind)
{
    const struct ash_wait_info info = {.function = "f", .kind = (uint8_t)kind};
    ash_hostdev_wait_unregister(ash_hostdev_wait_register(&info));
}

/* The thread does the proxy's work, without which nothing comes. */
static void test_wait_for_the_proxy(void **state)
{
    holds_proxy = true;
    for (volatile int kind = ASH_WAIT_FOR_VARIABLE; kind < ASH_WAIT_FOR_CALL; kind++) {
        FAULT(last((enum ash_wait_kind)kind));
        assert_int_equal(fault_seen.kind, ASH_FAULT_INTERRUPTED);
    }
    last(ASH_WAIT_FOR_CALL);
    last(ASH_WAIT_FOR_WORK);
    /* Without a proxy there is none to wait for. */
    ash_state.interrupted = NULL;
    last(ASH_WAIT_FOR_VARIABLE);
}

#define INTERRUPTED_TEST(name) cmocka_unit_test_setup_teardown(name, begin, stream_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        INTERRUPTED_TEST(test_wait_for_the_proxy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
