/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host device runs grids as a GPU would: indices, barriers, shared memory.
 */
#include <stdio.h>
#include <string.h>

#include "device/hostdev/kernel.h"
#include "tests/unit/hostdev_launch.h"

/* Threads of a large block: ThreadSanitizer is slow to make and to switch fibers. */
#if defined(ASH_TOOL_TSAN)
#define WIDE 160u
#else
#define WIDE 1024u
#endif

/* Device threads count what is wrong: an assertion would leave the stack. */
static uint32_t wrong;

static void expect(bool condition)
{
    if (!condition) (void)__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

static uint32_t flat(struct anyshmem_index index, struct anyshmem_index dim)
{
    return index.x + dim.x * (index.y + dim.y * index.z);
}

static uint32_t thread_number(void) { return flat(threadIdx, blockDim); }
static uint32_t block_number(void) { return flat(blockIdx, gridDim); }

/* Indices. */

struct shape {
    dim3 grid, block;
    uint32_t *seen;
};

static void visit(void *arg)
{
    struct shape *shape = arg;
    uint32_t n = blockDim.x * blockDim.y * blockDim.z;
    expect(gridDim.x == shape->grid.x && gridDim.y == shape->grid.y && gridDim.z == shape->grid.z);
    expect(blockDim.x == shape->block.x && blockDim.y == shape->block.y &&
           blockDim.z == shape->block.z);
    expect(threadIdx.x < blockDim.x && threadIdx.y < blockDim.y && threadIdx.z < blockDim.z);
    expect(blockIdx.x < gridDim.x && blockIdx.y < gridDim.y && blockIdx.z < gridDim.z);
    (void)__atomic_fetch_add(&shape->seen[block_number() * n + thread_number()], 1,
                             __ATOMIC_RELAXED);
}

static void visit_and_sync(void *arg)
{
    visit(arg);
    anyshmem_sync_block();
    visit(arg);
}

static void check_shape(dim3 grid, dim3 block)
{
    uint32_t n = grid.x * grid.y * grid.z * block.x * block.y * block.z, i;
    struct shape shape = {grid, block, calloc(n, sizeof(uint32_t))};
    assert_non_null(shape.seen);
    assert_int_equal(launch_shared(visit, grid, block, &shape, 0), 0);
    for (i = 0; i < n; i++)
        assert_int_equal(shape.seen[i], 1);
    assert_int_equal(launch_shared(visit_and_sync, grid, block, &shape, 0), 0);
    for (i = 0; i < n; i++)
        assert_int_equal(shape.seen[i], 3);
    free(shape.seen);
}

static void test_indices_of_all_threads(void **state)
{
    uint32_t workers;
    wrong = 0;
    for (workers = 0; workers < 5; workers++) {
        ash_hostdev_workers = workers;
        check_shape(dims(1, 1, 1), dims(1, 1, 1));
        check_shape(dims(3, 2, 4), dims(5, 3, 2));
        check_shape(dims(1, 7, 1), dims(1, 1, 64));
        check_shape(dims(1, 1, 5), dims(WIDE, 1, 1));
        check_shape(dims(WIDE / 2, 1, 1), dims(1, 2, 1));
    }
    assert_int_equal(wrong, 0);
}

static void test_host_thread_is_a_grid_of_one(void **state)
{
    assert_int_equal(thread_number() + block_number(), 0);
    assert_int_equal(blockDim.x * blockDim.y * blockDim.z, 1);
    assert_int_equal(gridDim.x * gridDim.y * gridDim.z, 1);
    assert_null(anyshmem_shared());
    anyshmem_sync_block();
    anyshmem_sync_warp();
}

/* Barriers. */

#define PHASES 50u
static uint32_t value[4][WIDE];

static void block_phases(void *arg)
{
    uint32_t n = blockDim.x, self = threadIdx.x, phase, i;
    uint32_t *mine = value[blockIdx.x];
    for (phase = 1; phase <= PHASES; phase++) {
        mine[self] = phase;
        __syncthreads();
        if (self == phase * 17 % n) {
            for (i = 0; i < n; i++)
                expect(mine[i] == phase);
        }
        expect(mine[(self + 1) % n] == phase && mine[(self * 7 + phase) % n] == phase);
        __syncthreads();
    }
}

static void test_block_barrier(void **state)
{
    wrong = 0;
    assert_int_equal(launch(block_phases, 4, WIDE, NULL), 0);
    assert_int_equal(launch(block_phases, 1, 33, NULL), 0);
    assert_int_equal(wrong, 0);
}

/* Each warp has another number of barriers, so a barrier of more would hang. */
static void warp_phases(void *arg)
{
    uint32_t self = threadIdx.x, warp = self / 32, phase, far;
    uint32_t n = blockDim.x - warp * 32 < 32 ? blockDim.x - warp * 32 : 32;
    uint32_t *mine = value[blockIdx.x];
    for (phase = 1; phase <= warp + 3; phase++) {
        mine[self] = phase;
        __syncwarp();
        expect(mine[warp * 32 + (self + phase) % n] == phase);
        __syncwarp();
    }
    __syncthreads();
    far = (self + blockDim.x / 2) % blockDim.x;
    expect(mine[far] == far / 32 + 3);
}

static void test_warp_barrier(void **state)
{
    wrong = 0;
    assert_int_equal(launch(warp_phases, 4, WIDE, NULL), 0);
    assert_int_equal(launch(warp_phases, 2, 70, NULL), 0);
    assert_int_equal(wrong, 0);
}

/* Thread t leaves after t % 5 of the rounds; warp 1 as a whole at once. */
static void leave_early(void *arg)
{
    uint32_t *rounds = arg, self = threadIdx.x, round;
    if (self / 32 == 1) return;
    for (round = 0; round < self % 5; round++) {
        __syncthreads();
        __syncwarp();
        (void)__atomic_fetch_add(rounds, 1, __ATOMIC_RELAXED);
    }
}

/* All others wait when the last of a warp, or of the block, ends. */
static void leave_last(void *arg)
{
    if (threadIdx.x % 32 == 31) return;
    __syncwarp();
    if (threadIdx.x + 2 == blockDim.x) return;
    __syncthreads();
}

static void test_threads_that_end_early(void **state)
{
    uint32_t rounds = 0, expected = 0, i;
    for (i = 0; i < 200; i++)
        expected += i / 32 == 1 ? 0 : 3 * (i % 5);
    assert_int_equal(launch(leave_early, 3, 200, &rounds), 0);
    assert_int_equal(rounds, expected);
    assert_int_equal(launch(leave_last, 2, 64, NULL), 0);
}

/* A block with barriers until another one, of the same worker, has run. */
static void barrier_until(void *arg)
{
    uint64_t *word = arg;
    if (blockIdx.x == 1) dev_store_release64(word, 1);
    while (dev_load_acquire64(word) == 0)
        __syncthreads();
}

static void test_barrier_lets_others_run(void **state)
{
    uint64_t word = 0;
    ash_hostdev_workers = 1;
    assert_int_equal(launch(barrier_until, 2, 1, &word), 0);
}

/* Shared memory. */

static unsigned char *shared_of[64];

static void use_shared(void *arg)
{
    size_t nbytes = *(size_t *)arg, i;
    unsigned char *memory = anyshmem_shared();
    if (threadIdx.x == 0) {
        shared_of[blockIdx.x] = memory;
        expect(memory != NULL && (uintptr_t)memory % 64 == 0);
        for (i = 0; i + 4 <= nbytes; i += 4)
            expect(memcmp(memory + i, "\xa5\xa5\xf5\x7f", 4) == 0);
        memset(memory, (int)blockIdx.x + 1, nbytes);
    }
    /* All blocks have theirs at once. */
    ash_kernel_grid_sync();
    expect(memory == shared_of[blockIdx.x]);
    for (i = 0; i < nbytes; i += 7)
        expect(memory[i] == blockIdx.x + 1);
}

static void no_shared(void *arg)
{
    expect(anyshmem_shared() == NULL);
}

static void test_shared_memory(void **state)
{
    size_t sizes[] = {1, 64, 100, 4096, 100000}, i, block;
    wrong = 0;
    for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        assert_int_equal(
            launch_shared(use_shared, dims(64, 1, 1), dims(8, 1, 1), &sizes[i], sizes[i]), 0);
        for (block = 0; block < 64 * 64; block++) {
            unsigned char *a = shared_of[block / 64], *b = shared_of[block % 64];
            assert_true(a == b ? block % 65 == 0 : a + sizes[i] <= b || b + sizes[i] <= a);
        }
    }
    assert_int_equal(launch(no_shared, 2, 2, NULL), 0);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOSTDEV_TEST(test_indices_of_all_threads),
        HOSTDEV_TEST(test_host_thread_is_a_grid_of_one),
        HOSTDEV_TEST(test_block_barrier),
        HOSTDEV_TEST(test_warp_barrier),
        HOSTDEV_TEST(test_threads_that_end_early),
        HOSTDEV_TEST(test_barrier_lets_others_run),
        HOSTDEV_TEST(test_shared_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
