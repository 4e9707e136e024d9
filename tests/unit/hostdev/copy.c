/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of one element of 2, 4 or 8 bytes are one store, at any address: it may be a flag.  The C
 * library's memmove, which may store one twice, is for the others.
 */
#include <stddef.h>
#include <string.h>

#include "device/target/target.h"
#include "tests/unit/unit.h"

/* Volatile, for no compiler expects that memmove changes it. */
static volatile unsigned n_calls;

/* In the place of the C library's. */
void *memmove(void *to, const void *from, size_t nbytes)
{
    unsigned char bytes[64];
    const volatile unsigned char *source = from;
    volatile unsigned char *dest = to;
    n_calls++;
    assert_in_range(nbytes, 0, sizeof(bytes));
    for (size_t i = 0; i < nbytes; i++) bytes[i] = source[i];
    for (size_t i = 0; i < nbytes; i++) dest[i] = bytes[i];
    return to;
}

static void *opaque(const void *p) { return (void *)(uintptr_t)dev_opaque((uintptr_t)p); }

/* The compiler would make other calls of those whose size it knows, or that cannot overlap. */
static void copy(void *to, const void *from, size_t nbytes)
{
    dev_copy(opaque(to), opaque(from), nbytes);
}

static void test_elements_are_stored_once(void **state)
{
    unsigned char from[32], to[32];
    (void)state;
    for (unsigned i = 0; i < sizeof(from); i++) from[i] = (unsigned char)(i + 1);
    for (size_t nbytes = 0; nbytes <= 16; nbytes++) {
        bool element = nbytes == 2 || nbytes == 4 || nbytes == 8;
        for (unsigned at = 0; at < 8; at++) {
            n_calls = 0;
            memset(to, 0, sizeof(to));
            copy(to + at, from + 8 - at, nbytes);
            assert_int_equal(n_calls, element ? 0 : 1);
            for (unsigned i = 0; i < sizeof(to); i++)
                assert_int_equal(to[i], i >= at && i < at + nbytes ? from[8 - at + i - at] : 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_elements_are_stored_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
