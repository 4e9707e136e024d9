/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The GPU on the host's side: the state of device code, launches, streams, other
 * devices.  No GPU is needed: the driver is fake_cuda.c.
 */
#include <sys/stat.h>

#include "lib/symmetric/heap.h"
#include "tests/unit/gpu/cuda.h"

static void test_state_of_the_device(void **state)
{
    struct ash_state want = ash_state;
    struct ash_channel channel;
    unsigned char *peer;
    /* The rest is the host's, byte for byte. */
    want.peer = copied.peer;
    want.channel = copied.channel;
    want.replies = ash_gpu.shared->replies;
    want.progress = NULL;
    want.yield_progress = NULL;
    want.interrupted = NULL;
    want.kick = NULL;
    want.on_fault = NULL;
    want.gpu = copied.gpu;
    /* Each list of PEs lies in the GPU's memory, also that of the team which is made last. */
    for (int i = NVSHMEM_TEAM_SHARED; i <= NVSHMEMX_TEAM_SAME_MYPE_NODE; i++) {
        int32_t first = -1;
        assert_ptr_not_equal(copied.team[i].pes, ash_state.team[i].pes);
        read_own(&first, copied.team[i].pes, sizeof(first));
        assert_int_equal(first, 0);
        want.team[i].pes = copied.team[i].pes;
    }
    assert_memory_equal(&copied, &want, sizeof(want));
    assert_int_equal(copied.n_pes, 1);
    assert_true(copied.heap_size == (2u << 20) + ASH_HEAP_ROOM);
    read_own(&peer, copied.peer, sizeof(peer));
    assert_ptr_equal(peer, ash_state.heap);
    assert_ptr_not_equal(copied.channel, ash_state.channel);
    read_own(&channel, copied.channel, sizeof(channel));
    assert_int_equal(channel.mask, ash_env.channel_slots - 1);
    assert_ptr_equal(channel.slots, ash_gpu.slots);
    assert_ptr_equal(channel.progress, &ash_gpu.shared->progress);
    assert_int_equal(channel.ticket, 0);
}

/* Pinning would make pages real that nobody has asked the machine for. */
static void test_heap_pages_are_committed(void **state)
{
    struct stat st;
    assert_int_equal(fstat(ash_heap_memory()->file.fd, &st), 0);
    assert_true((uint64_t)st.st_blocks * 512 >= ash_state.heap_size);
}

static void test_gpu_part_of_the_state(void **state)
{
    const struct ash_gpu *gpu = &copied.gpu;
    uint64_t word, released[ASH_GPU_REPLIES];
    uint32_t taken;
    assert_int_equal(gpu->reply_mask, ASH_GPU_REPLIES - 1);
    assert_int_equal(gpu->stage_mask, ASH_GPU_STAGE_BUFFERS - 1);
    assert_int_equal(gpu->stage_shift, ASH_GPU_STAGE_SHIFT);
    assert_int_equal(gpu->native_atomics, 0);
    assert_int_equal(*gpu->poison, 0);
    assert_int_equal(gpu->fault->ready, 0);
    for (uint32_t i = 0; i <= gpu->stage_mask; i++) assert_int_equal(gpu->stage_released[i], 0);
    for (uint32_t i = 0; i <= gpu->reply_mask; i++)
        assert_int_equal(copied.replies[i].sequence, 0);
    /* To its very end the stage is memory that is not something else's. */
    memset(gpu->stage, 0xff, (size_t)ASH_GPU_STAGE_BUFFERS << ASH_GPU_STAGE_SHIFT);
    assert_int_equal(*gpu->poison, 0);
    read_own(&word, gpu->reply_ticket, sizeof(word));
    assert_int_equal(word, 0);
    read_own(&word, gpu->stage_ticket, sizeof(word));
    assert_int_equal(word, 0);
    read_own(&taken, gpu->fault_taken, sizeof(taken));
    assert_int_equal(taken, 0);
    read_own(released, gpu->reply_released, sizeof(released));
    for (uint32_t i = 0; i < ASH_GPU_REPLIES; i++) assert_int_equal(released[i], 0);
}

static void test_teams_in_the_state(void **state)
{
    nvshmem_team_t team;
    const struct ash_team *t;
    int32_t pe = -1;
    assert_int_equal(nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team), 0);
    t = &copied.team[team];
    assert_int_equal(t->n_pes, 1);
    assert_int_equal(t->my_pe, 0);
    read_own(&pe, t->pes, sizeof(pe));
    assert_int_equal(pe, 0);
    /* One word and one scratch for both. */
    assert_ptr_equal(t->count, ash_state.team[team].count);
    assert_ptr_equal(t->scratch, ash_state.team[team].scratch);
    memset(t->scratch, 1, ASH_TEAM_SCRATCH);
    nvshmem_team_destroy(team);
    assert_int_equal(t->n_pes, 0);
    assert_null(t->pes);
}

static void test_collective_launch(void **state)
{
    dim3 grid = {2, 3, 4}, block = {32, 2, 1};
    int dummy, blocks = 0;
    void *arg = &dummy, *args[] = {&arg};
    cudaStream_t stream = (cudaStream_t)(uintptr_t)2;
    nvshmemx_collective_launch_attr_t attr = {{.stream = NULL}};
    assert_int_equal(nvshmemx_collective_launch((const void *)a_kernel, grid, block, args, 100,
                                                stream), 0);
    assert_int_equal(asked.launches, 1);
    assert_ptr_equal(asked.func, (const void *)a_kernel);
    assert_int_equal(asked.grid[0] * 100 + asked.grid[1] * 10 + asked.grid[2], 234);
    assert_int_equal(asked.block[0] * 100 + asked.block[1] * 10 + asked.block[2], 3221);
    assert_int_equal(asked.shared_nbytes, 100);
    assert_ptr_equal(asked.stream, stream);
    /* Attributes are passed on as they are. */
    attr.cuda_config.gridDim = grid;
    attr.cuda_config.blockDim = block;
    attr.cuda_config.attrs = (cudaLaunchAttribute *)(void *)&dummy;
    attr.cuda_config.numAttrs = 3;
    assert_int_equal(nvshmemx_collective_launch_attr(&attr, (const void *)a_kernel, args), 0);
    assert_int_equal(asked.launches, 2);
    assert_ptr_equal(asked.attributes, &dummy);
    assert_int_equal(asked.n_attributes, 3);
    assert_null(asked.stream);
    /* An error of the runtime is one, with a line that says which. */
    assert_int_not_equal(nvshmemx_collective_launch((const void *)a_kernel, grid, block, args, 666,
                                                    stream), 0);
    assert_int_equal(nvshmemx_collective_launch_query_gridsize((const void *)a_kernel, block, args,
                                                               36, &blocks), 0);
    assert_int_equal(blocks, 64 + 36);
}

static void *launch_without_context(void *arg)
{
    dim3 one = {1, 1, 1};
    void *none = NULL, *args[] = {&arg};
    asked.knows_context = asked.launch_context = NULL;
    assert_int_equal(nvshmemx_collective_launch((const void *)a_kernel, one, one, args, 0, NULL),
                     0);
    assert_int_equal(ash_cuda.context_current(&none), 0);
    assert_null(none);
    return NULL;
}

/* CUDA's runtime would take device 0 for a thread that has no context. */
static void test_launch_of_another_thread(void **state)
{
    pthread_t thread;
    void *mine = NULL;
    assert_int_equal(ash_cuda.context_current(&mine), 0);
    assert_int_equal(pthread_create(&thread, NULL, launch_without_context, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_non_null(mine);
    assert_ptr_equal(asked.knows_context, mine);
    assert_ptr_equal(asked.launch_context, mine);
}

/* Copies to mapped PEs and waits for one value: the driver's.  The rest: the module's. */
static void test_stream_copies(void **state)
{
    uint64_t *word = nvshmem_calloc(8, sizeof(*word)), source[2] = {7, 8}, dest[2] = {0, 0};
    nvshmemx_uint64_put_on_stream(word, source, 2, 0, NULL);
    assert_int_equal(word[1], 8);
    nvshmemx_getmem_nbi_on_stream(dest, word, 16, 0, NULL);
    assert_int_equal(dest[0], 7);
    nvshmemx_putmem_nbi_on_stream(word, source, 0, 0, NULL);
    nvshmemx_putmem_on_stream(word, word, 16, 0, NULL);
    assert_int_equal(asked.ops, 0);
    /* From the host to the host, and parts of one block: a kernel's. */
    nvshmemx_putmem_on_stream(word + 4, word, 16, 0, NULL);
    nvshmemx_getmem_on_stream(word + 4, word, 16, 0, NULL);
    assert_int_equal(asked.ops, 2);
    assert_int_equal(asked.op.kind, ASH_STREAM_GET);
    asked.ops = 0;
    nvshmemx_putmem_on_stream(word + 1, word, 16, 0, (cudaStream_t)1);
    assert_int_equal(asked.ops, 1);
    assert_int_equal(asked.op.kind, ASH_STREAM_PUT);
    assert_ptr_equal(asked.stream, (void *)1);
    nvshmemx_uint64_p_on_stream(word, 5, 0, NULL);
    nvshmemx_putmem_signal_on_stream(word, source, 8, word + 4, 1, NVSHMEM_SIGNAL_SET, 0, NULL);
    nvshmemx_quiet_on_stream(NULL);
    assert_int_equal(asked.ops, 4);
    assert_int_equal(asked.op.kind, ASH_STREAM_QUIET);
    nvshmem_free(word);
}

static void test_stream_waits(void **state)
{
    int32_t *word = nvshmem_calloc(8, sizeof(*word));
    int16_t *half = (int16_t *)(void *)(word + 4);
    int32_t own = -5;
    word[0] = -5;
    nvshmemx_int32_wait_until_on_stream(word, NVSHMEM_CMP_EQ, -5, NULL);
    nvshmemx_signal_wait_until_on_stream((uint64_t *)(void *)(word + 2), NVSHMEM_CMP_EQ, 0, NULL);
    assert_int_equal(asked.ops, 0);
    nvshmemx_int32_wait_until_on_stream(word, NVSHMEM_CMP_LE, -5, NULL);
    nvshmemx_short_wait_until_on_stream(half, NVSHMEM_CMP_EQ, 0, NULL);
    nvshmemx_int32_wait_until_on_stream(&own, NVSHMEM_CMP_EQ, -5, NULL);
    assert_int_equal(asked.ops, 3);
    set_capturing(1);
    nvshmemx_int32_wait_until_on_stream(word, NVSHMEM_CMP_EQ, -5, NULL);
    set_capturing(0);
    assert_int_equal(asked.ops, 4);
    assert_int_equal(asked.op.kind, ASH_STREAM_WAIT);
    nvshmem_free(word);
}

static unsigned called;
static void count_call(void *arg)
{
    called += *(unsigned *)arg;
}

/* Of the host device they stay there, and a function needs no module. */
static void test_other_streams(void **state)
{
    cudaStream_t stream;
    unsigned three = 3;
    assert_int_equal(anyshmemx_stream_create(&stream), 0);
    nvshmemx_quiet_on_stream(stream);
    assert_int_equal(anyshmemx_stream_synchronize(stream), 0);
    assert_int_equal(asked.ops, 0);
    assert_int_equal(anyshmemx_stream_destroy(stream), 0);
    assert_int_equal(anyshmemx_launch_host_func(NULL, count_call, &three), 0);
    assert_int_equal(called, 3);
    assert_int_equal(asked.ops, 0);
}

/* A module whose runtime is not ready when it registers gets the state later. */
static void test_late_module_gets_the_state(void **state)
{
    anyshmem_module_unregister(&module);
    memset(&copied, 0xaa, sizeof(copied));
    anyshmem_module_register(&module);
    assert_int_equal(copied.n_pes, 1);
    anyshmem_module_unregister(&module);
    memset(&copied, 0xaa, sizeof(copied));
    asked.state_error = 98;
    anyshmem_module_register(&module);
    assert_int_equal(copied.n_pes, 0xaaaaaaaa);
    asked.state_error = 0;
    nvshmem_barrier_all();
    assert_int_equal(copied.n_pes, 1);
}

/* The program turns to another device: counters and state go with it. */
static void test_state_follows_the_current_device(void **state)
{
    void *first, *second, *block;
    struct ash_channel channel;
    uint64_t n = 41, released = 3;
    unsigned states = asked.states;
    assert_int_equal(ash_cuda.context_current(&first), 0);
    assert_ptr_equal(asked.state_context, first);
    nvshmem_barrier_all();
    assert_int_equal(asked.states, states);
    assert_int_equal(ash_cuda.copy((uintptr_t)copied.gpu.reply_ticket, (uintptr_t)&n, 8, NULL), 0);
    assert_int_equal(ash_cuda.copy((uintptr_t)(copied.gpu.reply_released + 4095),
                                   (uintptr_t)&released, 8, NULL), 0);
    read_own(&channel, copied.channel, sizeof(channel));
    channel.ticket = 1000;
    assert_int_equal(ash_cuda.copy((uintptr_t)copied.channel, (uintptr_t)&channel, sizeof(channel),
                                   NULL), 0);
    assert_int_equal(ash_cuda.primary_retain(&second, 1), 0);
    assert_int_equal(ash_cuda.context_set(second), 0);
    block = nvshmem_malloc(64);
    assert_ptr_equal(asked.state_context, second);
    read_own(&channel, copied.channel, sizeof(channel));
    assert_int_equal(channel.ticket, 1000);
    n = 0;
    read_own(&n, copied.gpu.reply_ticket, 8);
    assert_int_equal(n, 41);
    read_own(&n, copied.gpu.reply_released + 4095, 8);
    assert_int_equal(n, 3);
    /* And back, at a barrier.  What was counted was not sent: take it back. */
    channel.ticket = 0;
    assert_int_equal(ash_cuda.copy((uintptr_t)copied.channel, (uintptr_t)&channel, sizeof(channel),
                                   NULL), 0);
    assert_int_equal(ash_cuda.context_set(first), 0);
    assert_int_equal(ash_cuda.primary_release(1), 0);
    nvshmem_barrier_all();
    assert_ptr_equal(asked.state_context, first);
    nvshmem_free(block);
}

static void test_loaded_modules(void **state)
{
    static struct ash_state of_module, of_library;
    struct fake_cuda_module m = {(uintptr_t)&of_module, sizeof(of_module)};
    struct fake_cuda_module l = {(uintptr_t)&of_library, sizeof(of_library)};
    struct fake_cuda_module none = {0, 0}, other = {(uintptr_t)&of_module, 8};
    nvshmem_team_t team;
    assert_int_equal(nvshmemx_cumodule_init((CUmodule)(void *)&m), 0);
    assert_int_equal(nvshmemx_culibrary_init((CUlibrary)(void *)&l), 0);
    assert_memory_equal(&of_module, &copied, sizeof(copied));
    assert_memory_equal(&of_library, &copied, sizeof(copied));
    assert_int_equal(nvshmemx_cumodule_init((CUmodule)(void *)&none),
                     NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(nvshmemx_cumodule_init((CUmodule)(void *)&other),
                     NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(nvshmemx_cumodule_init(NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    assert_int_equal(nvshmemx_cumodule_finalize((CUmodule)(void *)&none),
                     NVSHMEMX_ERROR_INVALID_VALUE);
    /* One is given back; the other one stays up to date. */
    assert_int_equal(nvshmemx_culibrary_finalize((CUlibrary)(void *)&l), 0);
    assert_int_equal(nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team), 0);
    assert_int_equal(of_module.team[team].n_pes, 1);
    assert_int_equal(of_library.team[team].n_pes, 0);
    assert_int_equal(nvshmemx_cumodule_finalize((CUmodule)(void *)&m), 0);
    assert_int_equal(nvshmemx_cumodule_finalize((CUmodule)(void *)&m),
                     NVSHMEMX_ERROR_INVALID_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GPU_TEST(test_state_of_the_device),
        GPU_TEST(test_gpu_part_of_the_state),
        GPU_TEST(test_teams_in_the_state),
        GPU_TEST(test_collective_launch),
        GPU_TEST(test_launch_of_another_thread),
        GPU_TEST(test_stream_copies),
        GPU_TEST(test_stream_waits),
        GPU_TEST(test_other_streams),
        GPU_TEST(test_late_module_gets_the_state),
        GPU_TEST(test_state_follows_the_current_device),
        GPU_TEST(test_loaded_modules),
        GPU_TEST(test_heap_pages_are_committed),
    };
    set_environment();
    setenv("FAKE_CUDA_DEVICES", "2", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
