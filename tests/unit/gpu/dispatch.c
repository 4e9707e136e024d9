/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PE with a GPU has two devices: streams and kernels go to the right one.
 */
#include "tests/unit/gpu/fake.h"

/* Streams. */

static void test_stream_goes_to_its_device(void **state)
{
    static const uintptr_t defaults[] = {0, 1, 2};
    cudaStream_t ours = stream_make();
    unsigned i;
    for (i = 0; i < 3; i++) {
        nvshmemx_quiet_on_stream((cudaStream_t)defaults[i]);
        assert_int_equal(gpu.n_ops, i + 1);
        assert_int_equal((uintptr_t)gpu.stream, defaults[i]);
    }
    nvshmemx_quiet_on_stream(cuda_stream);
    assert_int_equal(gpu.n_ops, 4);
    assert_ptr_equal(gpu.stream, cuda_stream);
    nvshmemx_uint64_p_on_stream(&heap[3], 33, 0, ours);
    assert_int_equal(anyshmemx_stream_synchronize(ours), 0);
    assert_int_equal(anyshmemx_stream_query(ours), 0);
    assert_int_equal(heap[3], 33);
    assert_int_equal(gpu.n_ops, 4);
}

/* Without a GPU the default streams are the host device's, and no other address is one. */
static void test_streams_without_a_gpu(void **state)
{
    ash_gpu_routines = NULL;
    nvshmemx_uint64_p_on_stream(&heap[5], 55, 0, 0);
    assert_int_equal(anyshmemx_stream_synchronize(0), 0);
    assert_int_equal(heap[5], 55);
    FAULT(nvshmemx_quiet_on_stream(cuda_stream));
    assert_int_equal(fault_seen.kind, ASH_FAULT_STREAM);
    nvshmem_barrier_all();
    assert_int_equal(gpu.n_ops + gpu.n_device_checks, 0);
}

/* A stream of the host device that is gone is not CUDA's, either. */
static void test_destroyed_stream(void **state)
{
    cudaStream_t gone = stream_make();
    assert_int_equal(anyshmemx_stream_destroy(gone), 0);
    FAULT(nvshmemx_quiet_on_stream(gone));
    assert_int_equal(fault_seen.kind, ASH_FAULT_STREAM);
    assert_int_equal(anyshmemx_stream_synchronize(gone), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(gpu.n_ops, 0);
}

static void test_invalid_arguments_do_not_reach_the_gpu(void **state)
{
    FAULT(nvshmemx_int_put_on_stream((int *)heap, (int *)heap, 1, 1, cuda_stream));
    assert_int_equal(fault_seen.kind, ASH_FAULT_PE);
    FAULT(nvshmemx_signal_wait_until_on_stream(heap, 6, 0, 0));
    assert_int_equal(fault_seen.kind, ASH_FAULT_CMP);
    assert_int_equal(anyshmemx_launch_host_func(cuda_stream, NULL, NULL),
                     NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(gpu.n_ops, 0);
}

static void test_state_of_a_stream(void **state)
{
    static const uintptr_t handles[] = {0, 2, (uintptr_t)&cuda_memory};
    unsigned i;
    for (i = 0; i < 3; i++) {
        gpu.state = (int)(10 + i);
        assert_int_equal(anyshmemx_stream_synchronize((cudaStream_t)handles[i]), 10 + i);
        assert_int_equal((uintptr_t)gpu.stream, handles[i]);
        assert_true(gpu.waited);
        assert_int_equal(anyshmemx_stream_query((cudaStream_t)handles[i]), 10 + i);
        assert_int_equal((uintptr_t)gpu.stream, handles[i]);
        assert_false(gpu.waited);
    }
    assert_int_equal(gpu.n_states, 6);
    assert_int_equal(anyshmemx_stream_destroy(cuda_stream), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(gpu.n_states + gpu.n_ops, 6);
}

static int result_in_kernel;

static void synchronize_in_kernel(void *arg)
{
    result_in_kernel = anyshmemx_stream_synchronize(cuda_stream);
}

static void test_synchronize_in_a_kernel(void **state)
{
    void *arg = NULL, *args[] = {&arg};
    cudaStream_t stream = stream_make();
    assert_int_equal(nvshmemx_collective_launch((const void *)synchronize_in_kernel, dims(1, 1, 1),
                                                dims(1, 1, 1), args, 0, stream), 0);
    assert_int_equal(result_in_kernel, NVSHMEMX_ERROR_NOT_SUPPORTED);
    assert_int_equal(gpu.n_states, 0);
}

/* Kernels. */

static void our_kernel(void *arg)
{
    __atomic_fetch_add((unsigned *)arg, 1, __ATOMIC_RELAXED);
}

static void test_cuda_kernel(void **state)
{
    void *arg = NULL, *args[] = {&arg};
    int gridsize = 0;
    assert_int_equal(nvshmemx_collective_launch((const void *)cuda_kernel, dims(2, 3, 4),
                                                dims(5, 6, 7), args, 89, cuda_stream),
                     NVSHMEMX_ERROR_OUT_OF_MEMORY);
    assert_int_equal(gpu.n_launches, 1);
    assert_ptr_equal(gpu.func, (const void *)cuda_kernel);
    assert_int_equal(gpu.grid.x * 100 + gpu.grid.y * 10 + gpu.grid.z, 234);
    assert_int_equal(gpu.block.x * 100 + gpu.block.y * 10 + gpu.block.z, 567);
    assert_ptr_equal(gpu.args, args);
    assert_int_equal(gpu.shared_nbytes, 89);
    assert_ptr_equal(gpu.stream, cuda_stream);
    (void)nvshmemx_collective_launch((const void *)cuda_kernel, dims(1, 1, 1), dims(1, 1, 1),
                                     args, 0, 0);
    assert_int_equal(gpu.n_launches, 2);
    assert_null(gpu.stream);
    assert_int_equal(nvshmemx_collective_launch_query_gridsize((const void *)cuda_kernel,
                                                               dims(8, 9, 1), args, 77, &gridsize),
                     0);
    assert_int_equal(gpu.n_queries, 1);
    assert_int_equal(gridsize, 4321);
    assert_int_equal(gpu.block.x * 10 + gpu.block.y, 89);
    assert_int_equal(gpu.shared_nbytes, 77);
}

/* A grid of 0 blocks: CUDA's kernel gets the size that the GPU's query gives, ours what the library
 * chooses. */
static void test_grid_of_no_size(void **state)
{
    unsigned count = 0;
    void *arg = &count, *args[] = {&arg};
    (void)nvshmemx_collective_launch((const void *)cuda_kernel, dims(0, 0, 0), dims(8, 9, 1), args,
                                     77, cuda_stream);
    assert_int_equal(gpu.n_queries, 1);
    assert_int_equal(gpu.n_launches, 1);
    assert_int_equal(gpu.grid.x, 4321);
    assert_int_equal(gpu.grid.y * 10 + gpu.grid.z, 11);
    assert_int_equal(nvshmemx_collective_launch((const void *)our_kernel, dims(0, 0, 0),
                                                dims(256, 1, 1), args, 0, 0), 0);
    assert_true(count >= 256 && count % 256 == 0);
    assert_int_equal(nvshmemx_collective_launch((const void *)our_kernel, dims(0, 1, 1),
                                                dims(256, 1, 1), args, 0, 0),
                     NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(nvshmemx_collective_launch(NULL, dims(0, 0, 0), dims(1, 1, 1), args, 0, 0),
                     NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(gpu.n_launches, 1);
}

/* There is no order between a stream of the host device and a kernel of CUDA. */
static void test_cuda_kernel_on_a_hostdev_stream(void **state)
{
    void *arg = NULL, *args[] = {&arg};
    assert_int_equal(nvshmemx_collective_launch((const void *)cuda_kernel, dims(1, 1, 1),
                                                dims(1, 1, 1), args, 0, stream_make()),
                     NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(gpu.n_launches, 0);
}

/* It runs after what was queued: on CUDA's stream, too, if that can be waited for. */
static void test_hostdev_kernel_on_a_cuda_stream(void **state)
{
    unsigned count = 0;
    void *arg = &count, *args[] = {&arg};
    int gridsize = 0;
    assert_int_equal(nvshmemx_collective_launch((const void *)our_kernel, dims(1, 1, 1),
                                                dims(64, 1, 1), args, 0, cuda_stream), 0);
    assert_int_equal(count, 64);
    assert_int_equal(gpu.n_states, 1);
    assert_true(gpu.waited);
    assert_ptr_equal(gpu.stream, cuda_stream);
    gpu.state = NVSHMEMX_ERROR_NOT_SUPPORTED;
    assert_int_equal(nvshmemx_collective_launch((const void *)our_kernel, dims(1, 1, 1),
                                                dims(64, 1, 1), args, 0, 0),
                     NVSHMEMX_ERROR_NOT_SUPPORTED);
    assert_int_equal(count, 64);
    assert_int_equal(gpu.n_launches, 0);
    assert_int_equal(nvshmemx_collective_launch_query_gridsize((const void *)our_kernel,
                                                               dims(64, 1, 1), args, 0, &gridsize),
                     0);
    assert_true(gridsize > 0 && gridsize != 4321);
    assert_int_equal(gpu.n_queries, 0);
}

/* The program may change its device: what PEs do together asks first. */

static void barrier_in_kernel(void *arg)
{
    nvshmem_barrier_all();
    nvshmem_sync_all();
}

static void test_barriers_check_the_current_device(void **state)
{
    void *arg = NULL, *args[] = {&arg};
    cudaStream_t stream = stream_make();
    nvshmem_barrier_all();
    assert_int_equal(gpu.n_device_checks, 1);
    assert_string_equal(gpu.checked_for, "nvshmem_barrier_all");
    nvshmem_sync_all();
    assert_int_equal(gpu.n_device_checks, 2);
    assert_string_equal(gpu.checked_for, "nvshmem_sync_all");
    assert_int_equal(nvshmemx_collective_launch((const void *)barrier_in_kernel, dims(1, 1, 1),
                                                dims(1, 1, 1), args, 0, stream), 0);
    assert_int_equal(gpu.n_device_checks, 3);
    assert_string_equal(gpu.checked_for, "nvshmemx_collective_launch");
    /* A queued one runs on a thread that has no device. */
    nvshmemx_barrier_all_on_stream(stream);
    nvshmemx_sync_all_on_stream(stream);
    assert_int_equal(anyshmemx_stream_synchronize(stream), 0);
    assert_int_equal(gpu.n_device_checks, 3);
    assert_int_equal(count.epoch, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GPU_TEST(test_stream_goes_to_its_device),
        GPU_TEST(test_streams_without_a_gpu),
        GPU_TEST(test_destroyed_stream),
        GPU_TEST(test_invalid_arguments_do_not_reach_the_gpu),
        GPU_TEST(test_state_of_a_stream),
        GPU_TEST(test_synchronize_in_a_kernel),
        GPU_TEST(test_cuda_kernel),
        GPU_TEST(test_grid_of_no_size),
        GPU_TEST(test_cuda_kernel_on_a_hostdev_stream),
        GPU_TEST(test_hostdev_kernel_on_a_cuda_stream),
        GPU_TEST(test_barriers_check_the_current_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
