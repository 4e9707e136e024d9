/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a GPU is given for each _on_stream routine.
 */
#include "tests/unit/gpu/fake.h"

/* A team that is not that of all PEs. */
#define TEAM 4

/* One operation came, and this is what it is. */
#define ARRIVED(KIND, FUNCTION) \
    do { \
        assert_int_equal(gpu.n_ops, 1); \
        gpu.n_ops = 0; \
        assert_int_equal(gpu.op.kind, ASH_STREAM_##KIND); \
        assert_string_equal(gpu.op.function, #FUNCTION); \
        assert_ptr_equal(gpu.stream, cuda_stream); \
    } while (0)

static void copy_arrived(const void *dest, const void *source, uint64_t nbytes, bool blocking)
{
    assert_ptr_equal(gpu.op.copy.dest, dest);
    assert_ptr_equal(gpu.op.copy.source, source);
    assert_int_equal(gpu.op.copy.nbytes, nbytes);
    assert_int_equal(gpu.op.copy.pe, 0);
    assert_int_equal(gpu.op.copy.blocking, blocking);
}

#define COPY(KIND, FUNCTION, TYPE, NBYTES, BLOCKING) \
    do { \
        FUNCTION((TYPE *)&heap[7], (TYPE *)&heap[90], 5, 0, cuda_stream); \
        ARRIVED(KIND, FUNCTION); \
        copy_arrived(&heap[7], &heap[90], NBYTES, BLOCKING); \
    } while (0)

static void test_put_and_get(void **state)
{
    COPY(PUT, nvshmemx_int_put_on_stream, int, 20, true);
    COPY(PUT, nvshmemx_double_put_nbi_on_stream, double, 40, false);
    COPY(PUT, nvshmemx_put128_on_stream, void, 80, true);
    COPY(PUT, nvshmemx_putmem_nbi_on_stream, void, 5, false);
    COPY(GET, nvshmemx_short_get_on_stream, short, 10, true);
    COPY(GET, nvshmemx_half_get_nbi_on_stream, nvshmem_half_t, 10, false);
    COPY(GET, nvshmemx_get32_on_stream, void, 20, true);
    COPY(GET, nvshmemx_getmem_nbi_on_stream, void, 5, false);
}

static void test_p_of_each_width(void **state)
{
    nvshmemx_int_p_on_stream((int *)&heap[4], -2, 0, cuda_stream);
    ARRIVED(P, nvshmemx_int_p_on_stream);
    assert_ptr_equal(gpu.op.p.dest, &heap[4]);
    assert_int_equal(gpu.op.p.bits, 0xfffffffe);
    assert_int_equal(gpu.op.p.width, 4);
    assert_int_equal(gpu.op.p.pe, 0);
    nvshmemx_double_p_on_stream((double *)&heap[4], -0.0, 0, cuda_stream);
    ARRIVED(P, nvshmemx_double_p_on_stream);
    assert_true(gpu.op.p.bits == UINT64_C(1) << 63);
    assert_int_equal(gpu.op.p.width, 8);
}

static void signal_arrived(const uint64_t *sig_addr, uint64_t signal, int sig_op)
{
    assert_ptr_equal(gpu.op.copy.sig_addr, sig_addr);
    assert_int_equal(gpu.op.copy.signal, signal);
    assert_int_equal(gpu.op.copy.sig_op, sig_op);
    assert_int_equal(gpu.op.copy.pe, 0);
}

static void test_signals(void **state)
{
    nvshmemx_float_put_signal_on_stream((float *)&heap[7], (float *)&heap[90], 5, &heap[2], 11,
                                        NVSHMEM_SIGNAL_ADD, 0, cuda_stream);
    ARRIVED(PUT_SIGNAL, nvshmemx_float_put_signal_on_stream);
    copy_arrived(&heap[7], &heap[90], 20, true);
    signal_arrived(&heap[2], 11, NVSHMEM_SIGNAL_ADD);
    nvshmemx_putmem_signal_nbi_on_stream(&heap[7], &heap[90], 5, &heap[3], 12,
                                         NVSHMEM_SIGNAL_SET, 0, cuda_stream);
    ARRIVED(PUT_SIGNAL, nvshmemx_putmem_signal_nbi_on_stream);
    copy_arrived(&heap[7], &heap[90], 5, false);
    signal_arrived(&heap[3], 12, NVSHMEM_SIGNAL_SET);
    nvshmemx_signal_op_on_stream(&heap[4], 13, NVSHMEM_SIGNAL_ADD, 0, cuda_stream);
    ARRIVED(SIGNAL, nvshmemx_signal_op_on_stream);
    signal_arrived(&heap[4], 13, NVSHMEM_SIGNAL_ADD);
    /* No data was put for it. */
    assert_int_equal(gpu.op.copy.nbytes, 0);
}

static void wait_arrived(const void *variable, unsigned width, bool is_signed, int cmp,
                         uint64_t value)
{
    assert_ptr_equal(gpu.op.wait.variable, variable);
    assert_int_equal(gpu.op.wait.kind.width, width);
    assert_int_equal(gpu.op.wait.kind.is_signed, is_signed);
    assert_int_equal(gpu.op.wait.cmp, cmp);
    assert_int_equal(gpu.op.wait.value, value);
}

static void test_waits(void **state)
{
    nvshmemx_int_wait_until_on_stream((int *)&heap[1], NVSHMEM_CMP_LT, 21, cuda_stream);
    ARRIVED(WAIT, nvshmemx_int_wait_until_on_stream);
    wait_arrived(&heap[1], 4, true, NVSHMEM_CMP_LT, 21);
    nvshmemx_ushort_wait_on_stream((unsigned short *)&heap[1], 22, cuda_stream);
    ARRIVED(WAIT, nvshmemx_ushort_wait_on_stream);
    wait_arrived(&heap[1], 2, false, NVSHMEM_CMP_NE, 22);
    nvshmemx_signal_wait_until_on_stream(&heap[6], NVSHMEM_CMP_EQ, 23, cuda_stream);
    ARRIVED(WAIT, nvshmemx_signal_wait_until_on_stream);
    wait_arrived(&heap[6], 8, false, NVSHMEM_CMP_EQ, 23);
}

static void test_wait_sets(void **state)
{
    static const int status[3];
    long values[3] = {31, 32, 33};
    const struct ash_wait_set *set = &gpu.op.wait_set.set;
    unsigned value;
    nvshmemx_uint_wait_until_all_on_stream((unsigned *)&heap[1], 3, status, NVSHMEM_CMP_GT, 30,
                                           cuda_stream);
    ARRIVED(WAIT_SET, nvshmemx_uint_wait_until_all_on_stream);
    assert_ptr_equal(set->ivars, &heap[1]);
    assert_int_equal(set->nelems, 3);
    assert_ptr_equal(set->status, status);
    assert_int_equal(set->cmp, NVSHMEM_CMP_GT);
    assert_int_equal(set->kind.width * 10 + set->kind.is_signed, 40);
    /* The value travels in the operation. */
    assert_false(set->many_values);
    memcpy(&value, &gpu.op.wait_set.value, sizeof(value));
    assert_int_equal(value, 30);
    nvshmemx_long_wait_until_all_vector_on_stream((long *)&heap[1], 3, NULL, NVSHMEM_CMP_EQ,
                                                  values, cuda_stream);
    ARRIVED(WAIT_SET, nvshmemx_long_wait_until_all_vector_on_stream);
    assert_true(set->many_values);
    assert_ptr_equal(set->values, values);
    assert_int_equal(set->kind.width * 10 + set->kind.is_signed, 81);
}

static void test_quiet_sync_and_barrier(void **state)
{
    nvshmemx_quiet_on_stream(cuda_stream);
    ARRIVED(QUIET, nvshmemx_quiet_on_stream);
    nvshmemx_sync_all_on_stream(cuda_stream);
    ARRIVED(SYNC, nvshmemx_sync_all_on_stream);
    assert_int_equal(gpu.op.collective.call.team, NVSHMEM_TEAM_WORLD);
    nvshmemx_barrier_all_on_stream(cuda_stream);
    ARRIVED(BARRIER, nvshmemx_barrier_all_on_stream);
    assert_int_equal(gpu.op.collective.call.team, NVSHMEM_TEAM_WORLD);
    ash_state.team[TEAM].n_pes = 1;
    assert_int_equal(nvshmemx_team_sync_on_stream(TEAM, cuda_stream), 0);
    ARRIVED(SYNC, nvshmemx_team_sync_on_stream);
    assert_int_equal(gpu.op.collective.call.team, TEAM);
    assert_int_equal(nvshmemx_barrier_on_stream(TEAM, cuda_stream), 0);
    ARRIVED(BARRIER, nvshmemx_barrier_on_stream);
    assert_int_equal(gpu.op.collective.call.team, TEAM);
}

static void exchange_arrived(enum ash_meeting kind, uint64_t nelems, uint64_t size)
{
    const struct ash_stream_collective *c = &gpu.op.collective;
    assert_int_equal(c->kind, kind);
    assert_int_equal(c->call.team, TEAM);
    assert_ptr_equal(c->call.dest, &heap[7]);
    assert_ptr_equal(c->call.source, &heap[90]);
    assert_int_equal(c->call.nelems, nelems);
    assert_int_equal(c->call.size, size);
}

static void test_exchanges(void **state)
{
    ash_state.team[TEAM].n_pes = 3;
    assert_int_equal(nvshmemx_short_broadcast_on_stream(TEAM, (short *)&heap[7],
                                                        (short *)&heap[90], 5, 2, cuda_stream),
                     0);
    ARRIVED(COLLECTIVE, nvshmemx_short_broadcast_on_stream);
    exchange_arrived(ASH_MEETING_BROADCAST, 5, 2);
    assert_int_equal(gpu.op.collective.root, 2);
    assert_int_equal(nvshmemx_fcollectmem_on_stream(TEAM, &heap[7], &heap[90], 6, cuda_stream),
                     0);
    ARRIVED(COLLECTIVE, nvshmemx_fcollectmem_on_stream);
    exchange_arrived(ASH_MEETING_FCOLLECT, 6, 1);
    assert_int_equal(nvshmemx_double_alltoall_on_stream(TEAM, (double *)&heap[7],
                                                        (double *)&heap[90], 7, cuda_stream),
                     0);
    ARRIVED(COLLECTIVE, nvshmemx_double_alltoall_on_stream);
    exchange_arrived(ASH_MEETING_ALLTOALL, 7, 8);
}

static void test_reductions(void **state)
{
    const struct ash_stream_collective *c = &gpu.op.collective;
    ash_state.team[TEAM].n_pes = 3;
    assert_int_equal(nvshmemx_uint16_xor_reduce_on_stream(TEAM, (uint16_t *)&heap[7],
                                                          (uint16_t *)&heap[90], 5, cuda_stream),
                     0);
    ARRIVED(COLLECTIVE, nvshmemx_uint16_xor_reduce_on_stream);
    exchange_arrived(ASH_MEETING_REDUCE, 5, 2);
    assert_int_equal(c->number, ASH_NUMBER_U16);
    assert_int_equal(c->op, ASH_REDUCE_XOR);
    assert_int_equal(nvshmemx_bfloat16_min_reducescatter_on_stream(
                         TEAM, (nvshmem_bfloat16_t *)&heap[7], (nvshmem_bfloat16_t *)&heap[90], 9,
                         cuda_stream),
                     0);
    ARRIVED(COLLECTIVE, nvshmemx_bfloat16_min_reducescatter_on_stream);
    exchange_arrived(ASH_MEETING_REDUCESCATTER, 9, 2);
    assert_int_equal(c->number, ASH_NUMBER_BFLOAT16);
    assert_int_equal(c->op, ASH_REDUCE_MIN);
}

static void count_up(void *count)
{
    ++*(unsigned *)count;
}

static void test_host_function(void **state)
{
    unsigned count = 0;
    assert_int_equal(anyshmemx_launch_host_func(cuda_stream, count_up, &count), 0);
    ARRIVED(CALL, anyshmemx_launch_host_func);
    assert_true(gpu.op.call.function == count_up);
    assert_ptr_equal(gpu.op.call.arg, &count);
    /* When it is time, CUDA calls it. */
    assert_int_equal(count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GPU_TEST(test_put_and_get),
        GPU_TEST(test_p_of_each_width),
        GPU_TEST(test_signals),
        GPU_TEST(test_waits),
        GPU_TEST(test_wait_sets),
        GPU_TEST(test_quiet_sync_and_barrier),
        GPU_TEST(test_exchanges),
        GPU_TEST(test_reductions),
        GPU_TEST(test_host_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
