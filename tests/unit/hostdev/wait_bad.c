/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits and tests of an address that is not aligned, at which no update is atomic, are
 * refused, in each family and width; those of an unknown comparison or NULL are as well.
 */
#include <ishmem.h>
#include <ishmemx.h>
#include <nvshmemx.h>
#include <shmem.h>

#include "tests/unit/stream_heap.h"

/* The fault of a call of FUNCTION, which must not read the value: it meets the comparison. */
#define BAD(KIND, FUNCTION, ARGUMENT, ...) \
    do { \
        FAULT((void)FUNCTION(__VA_ARGS__)); \
        assert_int_equal(fault_seen.kind, ASH_FAULT_##KIND); \
        assert_string_equal(fault_seen.function, #FUNCTION); \
        assert_string_equal(fault_seen.argument, ARGUMENT); \
    } while (0)

/* An address `nbytes` behind an aligned one, in the heap. */
#define AT(TYPE, nbytes) ((TYPE *)(void *)((unsigned char *)heap + (nbytes)))

static void test_misaligned_waits(void **state)
{
    BAD(ALIGNMENT, nvshmem_short_wait_until, "ivar", AT(short, 1), NVSHMEM_CMP_EQ, 0);
    BAD(ALIGNMENT, nvshmem_int_wait_until, "ivar", AT(int, 2), NVSHMEM_CMP_EQ, 0);
    BAD(ALIGNMENT, nvshmem_uint64_wait_until, "ivar", AT(uint64_t, 4), NVSHMEM_CMP_GE, 0);
    BAD(ALIGNMENT, nvshmem_long_wait, "ivar", AT(long, 7), 1);
    BAD(ALIGNMENT, nvshmem_signal_wait_until, "sig_addr", AT(uint64_t, 1), NVSHMEM_CMP_EQ, 0);
    BAD(ALIGNMENT, shmem_int_wait_until, "ivar", AT(int, 3), SHMEM_CMP_EQ, 0);
    BAD(ALIGNMENT, shmem_signal_wait_until, "sig_addr", AT(uint64_t, 4), SHMEM_CMP_EQ, 0);
    BAD(ALIGNMENT, ishmem_int_wait_until, "ivar", AT(int, 1), ISHMEM_CMP_EQ, 0);
    BAD(ALIGNMENT, ishmem_signal_wait_until, "sig_addr", AT(uint64_t, 2), ISHMEM_CMP_EQ, 0);
    BAD(ALIGNMENT, ishmemx_long_wait_until_work_group, "ivar", AT(long, 4), ISHMEM_CMP_EQ, 0,
        ISHMEMX_GROUP_THREAD);
    BAD(ALIGNMENT, nvshmemx_int_wait_until_on_stream, "ivar", AT(int, 2), NVSHMEM_CMP_EQ, 0, NULL);
    BAD(ALIGNMENT, nvshmemx_signal_wait_until_on_stream, "sig_addr", AT(uint64_t, 4),
        NVSHMEM_CMP_EQ, 0, NULL);
    BAD(ALIGNMENT, nvshmem_int_wait_until_any, "ivars", AT(int, 2), 2, NULL, NVSHMEM_CMP_EQ, 0);
}

static void test_misaligned_tests(void **state)
{
    BAD(ALIGNMENT, nvshmem_ushort_test, "ivar", AT(unsigned short, 1), NVSHMEM_CMP_EQ, 0);
    BAD(ALIGNMENT, nvshmem_int_test, "ivar", AT(int, 2), NVSHMEM_CMP_EQ, 1);
    BAD(ALIGNMENT, nvshmem_size_test, "ivar", AT(size_t, 4), NVSHMEM_CMP_LT, 1);
    BAD(ALIGNMENT, shmem_long_test, "ivar", AT(long, 4), SHMEM_CMP_NE, 0);
    BAD(ALIGNMENT, ishmem_uint64_test, "ivar", AT(uint64_t, 6), ISHMEM_CMP_EQ, 0);
    BAD(ALIGNMENT, ishmemx_int_test_work_group, "ivar", AT(int, 1), ISHMEM_CMP_EQ, 0,
        ISHMEMX_GROUP_THREAD);
    BAD(ALIGNMENT, nvshmem_signal_fetch, "sig_addr", AT(uint64_t, 4));
    BAD(ALIGNMENT, shmem_signal_fetch, "sig_addr", AT(uint64_t, 1));
    BAD(ALIGNMENT, ishmem_signal_fetch, "sig_addr", AT(uint64_t, 2));
}

static void no_comparison(int cmp, uint64_t value)
{
    BAD(CMP, nvshmem_uint64_wait_until, "cmp", heap, cmp, value);
    BAD(CMP, nvshmem_uint64_test, "cmp", heap, cmp, value);
    BAD(CMP, nvshmem_int_test, "cmp", AT(int, 4), cmp, (int)value - 1);
    BAD(CMP, nvshmem_signal_wait_until, "cmp", heap, cmp, value);
}

/* A comparison is checked only where it is not met at once, so none may be met by another one. */
static void test_unknown_comparisons(void **state)
{
    static const int none[] = {-1, 6, 7, 8, 1 << 30, INT32_MIN, INT32_MAX};
    heap[0] = 1;
    for (size_t i = 0; i < 3 * sizeof(none) / sizeof(none[0]); i++)
        no_comparison(none[i / 3], i % 3);
    BAD(NULL, nvshmem_uint64_wait_until, "ivar", NULL, NVSHMEM_CMP_EQ, 0);
    BAD(NULL, nvshmem_uint64_test, "ivar", NULL, NVSHMEM_CMP_EQ, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STREAM_TEST(test_misaligned_waits),
        STREAM_TEST(test_misaligned_tests),
        STREAM_TEST(test_unknown_comparisons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
