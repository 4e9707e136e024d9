/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams of the host device: bad handles, bad arguments, calls at a wrong time
 * or from a wrong place.  Each is refused in the call and does nothing.
 */
#include <limits.h>
#include <nvshmemx.h>

#include "tests/unit/stream_heap.h"

static void no_kernel(void *arg)
{
    heap[0]++;
}

/* A team of this PE, and one of two PEs, of which it is the second. */
#define PAIR 5

static void set_teams(void)
{
    static const int32_t pes[] = {1, 0};
    ash_state.team[NVSHMEM_TEAM_WORLD] = (struct ash_team){.n_pes = 1};
    ash_state.team[PAIR] = (struct ash_team){.my_pe = 1, .n_pes = 2, .pes = pes};
}

/* What is no stream: by chance, destroyed, of an address. */
static void not_a_stream(cudaStream_t stream)
{
    void *arg = NULL, *args[] = {&arg};
    cudaStream_t before = stream;
    assert_int_equal(anyshmemx_stream_synchronize(stream), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(anyshmemx_stream_query(stream), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(anyshmemx_stream_destroy(stream), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(anyshmemx_launch_host_func(stream, note, &numbers[0]),
                     NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(nvshmemx_collective_launch((const void *)no_kernel, dims(1, 1, 1),
                                                dims(1, 1, 1), args, 0, stream),
                     NVSHMEMX_ERROR_INVALID_VALUE);
    FAULT(nvshmemx_quiet_on_stream(stream));
    assert_int_equal(fault_seen.kind, ASH_FAULT_STREAM);
    assert_string_equal(fault_seen.function, "nvshmemx_quiet_on_stream");
    assert_int_equal(fault_seen.value, (uintptr_t)before);
    FAULT((void)nvshmemx_team_sync_on_stream(NVSHMEM_TEAM_WORLD, stream));
    assert_int_equal(fault_seen.kind, ASH_FAULT_STREAM);
    assert_string_equal(fault_seen.function, "nvshmemx_team_sync_on_stream");
    FAULT((void)nvshmemx_alltoallmem_on_stream(NVSHMEM_TEAM_WORLD, heap, heap, 8, stream));
    assert_int_equal(fault_seen.kind, ASH_FAULT_STREAM);
    assert_string_equal(fault_seen.function, "nvshmemx_alltoallmem_on_stream");
    assert_int_equal(fault_seen.value, (uintptr_t)before);
}

static void test_invalid_handles(void **state)
{
    static const uintptr_t numbers_of_none[] = {3, 17, 4095, 4096, 4097, 8191, 8192, 0x5001,
                                                UINTPTR_MAX, UINTPTR_MAX - 4095};
    cudaStream_t gone, next;
    unsigned i;
    set_teams();
    for (i = 0; i < sizeof(numbers_of_none) / sizeof(numbers_of_none[0]); i++)
        not_a_stream((cudaStream_t)numbers_of_none[i]);
    not_a_stream((cudaStream_t)(uintptr_t)&gone);
    gone = stream_make();
    call(gone, note, &numbers[0]);
    assert_int_equal(anyshmemx_stream_destroy(gone), 0);
    not_a_stream(gone);
    /* Nor if another one takes its place. */
    next = stream_make();
    not_a_stream(gone);
    assert_int_equal(anyshmemx_stream_query(next), 0);
    not_a_stream((cudaStream_t)((uintptr_t)next + 4096));
    assert_int_equal(anyshmemx_stream_create(NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(anyshmemx_launch_host_func(next, NULL, NULL), NVSHMEMX_ERROR_INVALID_VALUE);
}

/* Each says who called, in the call, and queues nothing. */
#define BAD(KIND, FUNCTION, ARGUMENT, ...) \
    do { \
        FAULT(FUNCTION(__VA_ARGS__, stream)); \
        assert_int_equal(fault_seen.kind, ASH_FAULT_##KIND); \
        assert_string_equal(fault_seen.function, #FUNCTION); \
        assert_string_equal(fault_seen.argument, ARGUMENT); \
        assert_int_equal(anyshmemx_stream_query(stream), 0); \
    } while (0)

/* The PE is the caller's own, so what lies outside of the heap as a whole would be valid. */
static void test_invalid_arguments(void **state)
{
    cudaStream_t stream = stream_make();
    uint64_t local[2] = {0, 0}, *end = heap + HEAP_WORDS;
    void *last = (char *)end - 1;
    int *ints = (int *)heap;
    BAD(PE, nvshmemx_int_put_on_stream, "pe", ints, ints, 1, 1);
    BAD(PE, nvshmemx_putmem_nbi_on_stream, "pe", heap, local, 0, -1);
    BAD(RANGE, nvshmemx_put64_on_stream, "dest", end - 1, local, 2, 0);
    BAD(RANGE, nvshmemx_float_put_nbi_on_stream, "dest", (float *)last, (float *)local, 1, 0);
    BAD(NULL, nvshmemx_short_put_on_stream, "source", (short *)heap, NULL, 1, 0);
    BAD(SIZE, nvshmemx_put128_on_stream, "nelems", heap, local, SIZE_MAX / 16 + 2, 0);
    BAD(PE, nvshmemx_get8_on_stream, "pe", local, heap, 1, INT_MAX);
    BAD(RANGE, nvshmemx_getmem_nbi_on_stream, "source", local, last, 2, 0);
    BAD(NULL, nvshmemx_long_get_on_stream, "dest", NULL, (long *)heap, 1, 0);
    BAD(PE, nvshmemx_uint8_p_on_stream, "pe", (uint8_t *)heap, 1, 2);
    BAD(RANGE, nvshmemx_ushort_p_on_stream, "dest", (unsigned short *)last, 1, 0);
    BAD(SIGNAL_OP, nvshmemx_int_put_signal_on_stream, "sig_op", ints, ints, 1, heap, 1, 8, 0);
    BAD(PE, nvshmemx_putmem_signal_nbi_on_stream, "pe", heap, local, 8, heap, 1, 9, 1);
    BAD(RANGE, nvshmemx_put32_signal_on_stream, "sig_addr", heap, local, 2, local, 1, 9, 0);
    BAD(RANGE, nvshmemx_put16_signal_on_stream, "dest", last, local, 1, heap, 1, 9, 0);
    BAD(ALIGNMENT, nvshmemx_put8_signal_nbi_on_stream, "sig_addr", heap, local, 2,
        (uint64_t *)(void *)(ints + 1), 1, 10, 0);
    BAD(SIGNAL_OP, nvshmemx_signal_op_on_stream, "sig_op", heap, 1, 11, 0);
    BAD(PE, nvshmemx_signal_op_on_stream, "pe", heap, 1, 9, 1);
    BAD(RANGE, nvshmemx_signal_op_on_stream, "sig_addr", end, 1, 9, 0);
    BAD(CMP, nvshmemx_int_wait_until_on_stream, "cmp", ints, 6, 1);
    BAD(NULL, nvshmemx_int_wait_until_on_stream, "ivar", NULL, 0, 1);
    BAD(NULL, nvshmemx_size_wait_on_stream, "ivar", NULL, 1);
    BAD(CMP, nvshmemx_int_wait_until_all_on_stream, "cmp", ints, 0, NULL, 6, 1);
    BAD(NULL, nvshmemx_int_wait_until_all_on_stream, "ivars", NULL, 1, NULL, 0, 1);
    BAD(NULL, nvshmemx_int_wait_until_all_vector_on_stream, "cmp_values", ints, 1, NULL, 0, NULL);
    BAD(CMP, nvshmemx_signal_wait_until_on_stream, "cmp", heap, -1, 1);
    BAD(NULL, nvshmemx_signal_wait_until_on_stream, "sig_addr", NULL, 0, 1);
}

static void test_invalid_arguments_of_collectives(void **state)
{
    const nvshmem_team_t world = NVSHMEM_TEAM_WORLD;
    cudaStream_t stream = stream_make();
    uint64_t local[2] = {0, 0}, *end = heap + HEAP_WORDS;
    int *ints = (int *)heap;
    set_teams();
    BAD(TEAM, nvshmemx_barrier_on_stream, "team", NVSHMEM_TEAM_INVALID);
    BAD(TEAM, nvshmemx_team_sync_on_stream, "team", INT_MAX);
    BAD(TEAM, nvshmemx_barrier_on_stream, "team", PAIR + 1);
    BAD(TEAM, nvshmemx_int_broadcast_on_stream, "team", PAIR + 1, ints, ints, 0, 0);
    BAD(TEAM, nvshmemx_fcollectmem_on_stream, "team", -2, heap, heap, 8);
    BAD(TEAM, nvshmemx_half_sum_reduce_on_stream, "team", PAIR + 1, NULL, NULL, 0);
    BAD(ROOT, nvshmemx_int_broadcast_on_stream, "PE_root", world, ints, ints + 1, 1, 1);
    BAD(ROOT, nvshmemx_broadcastmem_on_stream, "PE_root", PAIR, heap, heap + 1, 0, 2);
    BAD(ROOT, nvshmemx_char_broadcast_on_stream, "PE_root", PAIR, (char *)heap, (char *)heap, 1,
        -1);
    BAD(RANGE, nvshmemx_uint64_broadcast_on_stream, "dest", world, local, heap, 1, 0);
    BAD(RANGE, nvshmemx_uint64_sum_reduce_on_stream, "source", world, heap, local, 1);
    BAD(RANGE, nvshmemx_uint64_max_reduce_on_stream, "dest", world, NULL, heap, 1);
    /* Two blocks do not fit where one would. */
    BAD(RANGE, nvshmemx_uint64_fcollect_on_stream, "dest", PAIR, end - 1, heap, 1);
    BAD(RANGE, nvshmemx_uint64_alltoall_on_stream, "dest", PAIR, end - 1, heap, 1);
    BAD(RANGE, nvshmemx_uint64_alltoall_on_stream, "source", PAIR, heap, end - 1, 1);
    BAD(RANGE, nvshmemx_uint64_xor_reducescatter_on_stream, "source", PAIR, heap, end - 1, 1);
    BAD(SIZE, nvshmemx_uint64_prod_reduce_on_stream, "nelems", world, heap, heap, SIZE_MAX / 4);
    BAD(SIZE, nvshmemx_alltoallmem_on_stream, "nelems", PAIR, heap, heap, SIZE_MAX / 2 + 1);
}

static void test_calls_before_init(void **state)
{
    cudaStream_t stream = NULL;
    ash_state.n_pes = 0;
    FAULT(nvshmemx_barrier_all_on_stream(stream));
    assert_string_equal(fault_seen.function, "nvshmemx_barrier_all_on_stream");
    FAULT((void)nvshmemx_float_min_reduce_on_stream(0, NULL, NULL, 0, stream));
    assert_int_equal(fault_seen.kind, ASH_FAULT_NOT_STARTED);
    assert_string_equal(fault_seen.function, "nvshmemx_float_min_reduce_on_stream");
    FAULT((void)anyshmemx_stream_create(&stream));
    assert_int_equal(fault_seen.kind, ASH_FAULT_NOT_STARTED);
    assert_string_equal(fault_seen.function, "anyshmemx_stream_create");
    FAULT((void)anyshmemx_stream_synchronize(stream));
    FAULT((void)anyshmemx_stream_query(stream));
    FAULT((void)anyshmemx_stream_destroy(stream));
    FAULT((void)anyshmemx_launch_host_func(stream, note, &numbers[0]));
    assert_string_equal(fault_seen.function, "anyshmemx_launch_host_func");
}

/* Nobody can wait where the wait would keep from going on what is waited for. */
static int results[4];

static void wait_for_myself(void *stream)
{
    void *arg = NULL, *args[] = {&arg};
    results[0] = anyshmemx_stream_synchronize((cudaStream_t)stream);
    results[1] = anyshmemx_stream_destroy((cudaStream_t)stream);
    results[2] = nvshmemx_collective_launch((const void *)no_kernel, dims(1, 1, 1),
                                            dims(1, 1, 1), args, 0, (cudaStream_t)stream);
    results[3] = anyshmemx_stream_query((cudaStream_t)stream);
}

static void wait_in_kernel(void *stream)
{
    results[0] = anyshmemx_stream_synchronize((cudaStream_t)stream);
    results[1] = anyshmemx_stream_destroy((cudaStream_t)stream);
}

static void test_waits_that_would_deadlock(void **state)
{
    cudaStream_t stream = stream_make();
    unsigned i;
    call(stream, wait_for_myself, stream);
    assert_int_equal(anyshmemx_stream_synchronize(stream), 0);
    for (i = 0; i < 3; i++) assert_int_equal(results[i], NVSHMEMX_ERROR_NOT_SUPPORTED);
    assert_int_equal(results[3], ANYSHMEMX_ERROR_NOT_READY);
    memset(results, 0, sizeof(results));
    assert_int_equal(launch(wait_in_kernel, 1, 1, stream), 0);
    for (i = 0; i < 2; i++) assert_int_equal(results[i], NVSHMEMX_ERROR_NOT_SUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STREAM_TEST(test_invalid_handles),
        STREAM_TEST(test_invalid_arguments),
        STREAM_TEST(test_invalid_arguments_of_collectives),
        STREAM_TEST(test_calls_before_init),
        STREAM_TEST(test_waits_that_would_deadlock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
