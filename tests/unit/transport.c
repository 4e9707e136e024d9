/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What UCX writes about the lanes of a connection (transport.c), of 1.13 and 1.20.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proxy/internal.h"

#define HEAD "#\n# UCP endpoint \n#\n#               peer: <no debug data>\n"
#define TCP "#         lane[0]:  1:tcp/lo.0 md[1]      -> md[1]/tcp/sysdev[255] rma_bw#0 am\n"
#define NEW "#         lane[1]:  2:tcp/eth0.0 md[1]  -> md[1]/tcp/sysdev[255] seg 429 am wireup\n"
#define SYSV "#         lane[1]:  3:sysv/memory.0 md[2] -> md[2]/sysv/sysdev[255] amo#0 am\n"
#define CUT "#         lane[2]:  1"
#define TAIL "#\n#                 am_send: 0..<egr/short>..8185..<rndv>..(inf)\n#\n"

static void test_lanes(void **state)
{
    (void)state;
    assert_true(ash_lanes_are_tcp(HEAD TCP TAIL));
    assert_true(ash_lanes_are_tcp(HEAD TCP NEW TAIL));
    assert_false(ash_lanes_are_tcp(HEAD TCP SYSV TAIL));
    assert_false(ash_lanes_are_tcp(HEAD SYSV TCP TAIL));
    assert_false(ash_lanes_are_tcp(HEAD SYSV TAIL));
}

/* What nobody knows is not TCP. */
static void test_other_text(void **state)
{
    (void)state;
    assert_false(ash_lanes_are_tcp(""));
    assert_false(ash_lanes_are_tcp(HEAD TAIL));
    assert_false(ash_lanes_are_tcp(HEAD TCP CUT));
    assert_false(ash_lanes_are_tcp(HEAD TCP CUT ":"));
    assert_false(ash_lanes_are_tcp(HEAD CUT ":tcp\n" TCP));
    assert_false(ash_lanes_are_tcp("lane["));
    assert_false(ash_lanes_are_tcp("lane[0]:"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_other_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
