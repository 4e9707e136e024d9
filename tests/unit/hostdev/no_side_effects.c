/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A refused call has no side effects: a bad atomic, signal or put-with-signal of a PE that is
 * mapped ends the job before memory is written.
 */
#include <limits.h>
#include <nvshmemx.h>

#include "tests/unit/stream_heap.h"

#define PATTERN UINT64_C(0x0102030405060708)

/* The call is refused for this, and the heap is as it was. */
#define REFUSED(KIND, CALL) \
    do { \
        FAULT(CALL); \
        assert_int_equal(fault_seen.kind, ASH_FAULT_##KIND); \
        has_no_side_effects(); \
    } while (0)

static void fill(void)
{
    for (unsigned i = 0; i < HEAP_WORDS; i++) heap[i] = PATTERN + i;
}

static void has_no_side_effects(void)
{
    for (unsigned i = 0; i < HEAP_WORDS; i++) assert_true(heap[i] == PATTERN + i);
}

/* So many bytes behind a word's beginning. */
static uint64_t *wide(size_t offset) { return (void *)((char *)&heap[7] + offset); }
static uint32_t *narrow(size_t offset) { return (void *)((char *)&heap[7] + offset); }

static void refused_at(size_t offset)
{
    REFUSED(ALIGNMENT, nvshmem_uint64_atomic_add(wide(offset), 5, 0));
    REFUSED(ALIGNMENT, nvshmem_uint64_atomic_inc(wide(offset), 0));
    REFUSED(ALIGNMENT, nvshmem_uint64_atomic_set(wide(offset), 5, 0));
    REFUSED(ALIGNMENT, nvshmem_uint64_atomic_and(wide(offset), 5, 0));
    REFUSED(ALIGNMENT, (void)nvshmem_uint64_atomic_swap(wide(offset), 5, 0));
    REFUSED(ALIGNMENT, (void)nvshmem_uint64_atomic_fetch_add(wide(offset), 5, 0));
    REFUSED(ALIGNMENT, (void)nvshmem_uint64_atomic_fetch_xor(wide(offset), 5, 0));
    REFUSED(ALIGNMENT, (void)nvshmem_uint64_atomic_compare_swap(wide(offset), 0, 5, 0));
    REFUSED(ALIGNMENT, nvshmemx_signal_op(wide(offset), 5, NVSHMEM_SIGNAL_ADD, 0));
    REFUSED(ALIGNMENT, nvshmem_putmem_signal(heap, &(uint64_t){5}, 8, wide(offset), 5,
                                             NVSHMEM_SIGNAL_SET, 0));
    if (offset % 4 == 0) return;
    REFUSED(ALIGNMENT, nvshmem_uint32_atomic_add(narrow(offset), 5, 0));
    REFUSED(ALIGNMENT, (void)nvshmem_uint32_atomic_swap(narrow(offset), 5, 0));
}

static void test_misaligned(void **state)
{
    fill();
    for (size_t offset = 1; offset < 8; offset++) refused_at(offset);
}

static void test_out_of_range(void **state)
{
    uint64_t outside = PATTERN, *end = heap + HEAP_WORDS;
    fill();
    REFUSED(RANGE, nvshmem_uint64_atomic_add(end, 5, 0));
    REFUSED(RANGE, nvshmem_uint64_atomic_set(&outside, 5, 0));
    REFUSED(RANGE, nvshmem_putmem(end - 1, &(uint64_t[2]){5, 5}, 16, 0));
    REFUSED(RANGE, nvshmem_putmem_signal(heap, &(uint64_t){5}, 8, end, 5, NVSHMEM_SIGNAL_SET, 0));
    REFUSED(PE, nvshmem_uint64_atomic_add(heap, 5, 1));
    REFUSED(PE, nvshmem_uint64_p(heap, 5, INT_MIN));
    REFUSED(SIGNAL_OP, nvshmemx_signal_op(heap, 5, 11, 0));
    REFUSED(SIGNAL_OP, nvshmem_putmem_signal(heap, &(uint64_t){5}, 8, heap + 9, 5, 11, 0));
    assert_true(outside == PATTERN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STREAM_TEST(test_misaligned),
        STREAM_TEST(test_out_of_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
