/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An operation as a GPU's kernel runs it (module.cu): blocks that share a copy,
 * a block for a collective, and one thread for the rest; here with the threads of the host device.
 */
#include "device/stream/run.h"

#include <nvshmemx.h>

#include "tests/unit/stream_heap.h"

static const char function[] = "stream_run";
#define FAR_AWAY (UINT64_C(1) << 45)

/* A copy of `nbytes` bytes is cut into parts that are next to each other and all of it. */
static void parts_are_whole(uint64_t nbytes, uint32_t n_parts)
{
    /* Not for copying: the source is far away, where nothing is. */
    struct ash_stream_op whole = {.kind = ASH_STREAM_PUT,
                                  .copy = {.dest = heap,
                                           .source = (void *)((uintptr_t)heap ^ FAR_AWAY),
                                           .nbytes = nbytes}};
    uint64_t end = 0;
    uint32_t i;
    for (i = 0; i < n_parts; i++) {
        struct ash_stream_op op = whole;
        if (!ash_stream_part(&op, i, n_parts)) continue;
        assert_int_equal((uintptr_t)op.copy.dest - (uintptr_t)heap, end);
        assert_int_equal((uintptr_t)op.copy.source - (uintptr_t)whole.copy.source, end);
        assert_true(n_parts == 1 || (op.copy.nbytes > 0 && end % ASH_STREAM_PIECE == 0));
        end += op.copy.nbytes;
    }
    assert_int_equal(end, nbytes);
}

static void test_blocks_copy_disjoint_parts(void **state)
{
    static const uint64_t sizes[] = {1, 255, 256, 257, 511, 4096, 16384, 16385, 1u << 20,
                                     (UINT64_C(1) << 40) + 12345};
    uint32_t i, n;
    for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        for (n = 1; n <= 64; n++) parts_are_whole(sizes[i], n);
}

/* One heap's bytes may overlap; who copies must then see them all. */
static void overlap_is(bool expected, enum ash_stream_kind kind, unsigned dest, unsigned source)
{
    struct ash_stream_op op = {.kind = kind,
                               .copy = {.dest = (char *)heap + dest,
                                        .source = (char *)heap + source,
                                        .nbytes = 1024}};
    struct ash_stream_op part = op;
    assert_int_equal(ash_stream_overlaps(&op), expected);
    assert_true(ash_stream_part(&part, 0, 4));
    assert_int_equal(part.copy.nbytes, expected ? 1024 : 512);
    part = op;
    assert_int_equal(ash_stream_part(&part, 1, 4), !expected);
}

static void test_overlapping_copy_is_not_split(void **state)
{
    enum ash_stream_kind kind;
    unsigned char *none[] = {NULL}, *const *peers = ash_state.peer;
    /* The second time the proxy copies, in the own heap all the same. */
    for (int time = 0; time < 2; time++) {
        ash_state.peer = time == 0 ? peers : none;
        for (kind = ASH_STREAM_PUT; kind <= ASH_STREAM_GET; kind++) {
            overlap_is(true, kind, 0, 0);
            overlap_is(true, kind, 1023, 0);
            overlap_is(true, kind, 0, 1023);
            overlap_is(false, kind, 1024, 0);
            overlap_is(false, kind, 0, 1024);
        }
    }
    ash_state.peer = peers;
}

static void run_copy_kernel(void *arg)
{
    struct ash_stream_op op = *(const struct ash_stream_op *)arg;
    if (ash_stream_part(&op, blockIdx.x, gridDim.x)) ash_stream_run_copy(ASH_SCOPE_BLOCK, &op);
}

static void run_collective_kernel(void *arg)
{
    const struct ash_stream_op *op = arg;
    ash_stream_run_collective(ASH_SCOPE_BLOCK, function, &op->collective);
}

static void run_alone_kernel(void *arg)
{
    ash_stream_run_alone(arg);
}

static void fill(void)
{
    unsigned i;
    for (i = 0; i < HEAP_WORDS; i++) heap[i] = i * UINT64_C(0x9e3779b97f4a7c15);
}

/* `n` bytes at `to` have what `from` had, and nothing else has changed. */
static void copied(unsigned to, unsigned from, unsigned n)
{
    static unsigned char before[sizeof(heap)];
    unsigned char after[sizeof(heap)];
    memcpy(after, heap, sizeof(heap));
    fill();
    memcpy(before, heap, sizeof(heap));
    memmove(before + to, heap + from / 8, n);
    assert_memory_equal(after, before, sizeof(heap));
}

static void test_copies(void **state)
{
    static const struct {
        unsigned to, from, n;
    } copies[] = {{0, 2048, 1}, {8, 2048, 2000}, {3, 2048, 2001}, {2048, 0, 2048},
                  {512, 0, 2048}, {0, 512, 2048}, {1, 0, 4095}};
    unsigned i, blocks;
    for (i = 0; i < 2 * sizeof(copies) / sizeof(copies[0]); i++)
        for (blocks = 1; blocks <= 8; blocks++) {
            unsigned to = copies[i / 2].to, from = copies[i / 2].from, n = copies[i / 2].n;
            struct ash_stream_op op = {.kind = i % 2 == 0 ? ASH_STREAM_PUT : ASH_STREAM_GET,
                                       .function = function,
                                       .copy = {.dest = (char *)heap + to,
                                                .source = (char *)heap + from,
                                                .nbytes = n,
                                                .blocking = true}};
            fill();
            assert_int_equal(launch(run_copy_kernel, blocks, 64, &op), 0);
            copied(to, from, n);
        }
}

/* All threads of the block copy, one signals. */
static void test_put_signal(void **state)
{
    struct ash_stream_op op = {.kind = ASH_STREAM_PUT_SIGNAL,
                               .function = function,
                               .copy = {.dest = &heap[256], .source = heap, .nbytes = 1000,
                                        .sig_addr = &heap[500], .signal = 3,
                                        .sig_op = NVSHMEM_SIGNAL_ADD}};
    fill();
    heap[500] = 4;
    assert_int_equal(launch(run_copy_kernel, 1, 96, &op), 0);
    assert_int_equal(heap[500], 7);
    heap[500] = 500 * UINT64_C(0x9e3779b97f4a7c15);
    copied(2048, 0, 1000);
}

/* A team of one PE, whose barrier words and records are at the heap's begin. */
static void test_block_runs_a_collective(void **state)
{
    static const enum ash_meeting kinds[] = {ASH_MEETING_BROADCAST, ASH_MEETING_FCOLLECT,
                                             ASH_MEETING_ALLTOALL, ASH_MEETING_REDUCE,
                                             ASH_MEETING_REDUCESCATTER};
    static unsigned char scratch[ASH_TEAM_SCRATCH];
    struct ash_team_count count = {0};
    unsigned i, k;
    ash_state.team[0] = (struct ash_team){.n_pes = 1, .count = &count, .scratch = scratch};
    for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        /* The scope of the call is not what counts. */
        struct ash_stream_op op = {
            .kind = ASH_STREAM_COLLECTIVE,
            .collective = {.call = {ASH_SCOPE_THREAD, "", 0, &heap[300], &heap[100], 150, 8},
                           .kind = kinds[k],
                           .number = ASH_NUMBER_U64,
                           .op = ASH_REDUCE_SUM}};
        fill();
        assert_int_equal(launch(run_collective_kernel, 1, 96, &op), 0);
        for (i = 0; i < 150; i++) assert_true(heap[300 + i] == heap[100 + i]);
        assert_true(heap[299] == 299 * UINT64_C(0x9e3779b97f4a7c15));
        assert_true(heap[450] == 450 * UINT64_C(0x9e3779b97f4a7c15));
    }
}

static void test_barriers(void **state)
{
    struct ash_stream_op op = {.kind = ASH_STREAM_BARRIER,
                               .function = function,
                               .collective = {.call = {.team = 3}}};
    struct ash_team_count count = {0};
    ash_state.team[3] = (struct ash_team){.n_pes = 1, .count = &count};
    assert_int_equal(launch(run_alone_kernel, 1, 1, &op), 0);
    assert_int_equal(count.epoch, 1);
    op.kind = ASH_STREAM_SYNC;
    assert_int_equal(launch(run_alone_kernel, 1, 1, &op), 0);
    assert_int_equal(count.epoch, 2);
}

static void test_one_thread_does_the_rest(void **state)
{
    struct ash_stream_op op = {.kind = ASH_STREAM_SIGNAL,
                               .function = function,
                               .copy = {.sig_addr = heap, .signal = 3, .nbytes = 99,
                                        .sig_op = NVSHMEM_SIGNAL_ADD}};
    uint32_t value = 5;
    assert_int_equal(launch(run_alone_kernel, 1, 1, &op), 0);
    assert_int_equal(heap[0], 3);
    op = (struct ash_stream_op){.kind = ASH_STREAM_P,
                                .function = function,
                                .p = {.dest = &heap[1], .bits = 0x1234, .width = 2}};
    assert_int_equal(launch(run_alone_kernel, 1, 1, &op), 0);
    assert_int_equal(heap[1], 0x1234);
    op = (struct ash_stream_op){
        .kind = ASH_STREAM_WAIT_SET,
        .function = function,
        .wait_set = {.set = {.ivars = (const unsigned char *)heap,
                             .nelems = 2,
                             .kind = ASH_KIND(uint32_t),
                             .cmp = NVSHMEM_CMP_LT}}};
    memcpy(&op.wait_set.value, &value, sizeof(value));
    assert_int_equal(launch(run_alone_kernel, 1, 1, &op), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STREAM_TEST(test_blocks_copy_disjoint_parts),
        STREAM_TEST(test_overlapping_copy_is_not_split),
        STREAM_TEST(test_copies),
        STREAM_TEST(test_put_signal),
        STREAM_TEST(test_block_runs_a_collective),
        STREAM_TEST(test_barriers),
        STREAM_TEST(test_one_thread_does_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
