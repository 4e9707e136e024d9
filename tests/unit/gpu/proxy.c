/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the proxy does with a GPU's requests: every operation, to a mapped PE and
 * over UCX; replies, buffers of the stage, fences, beside the host's own.
 */
#include "tests/unit/gpu_proxy.h"

#define AT 4096u
#define LINE 2u

/* Bytes that no other test of this size and seed has at these places. */
static void fill(unsigned char *p, size_t nbytes, unsigned seed)
{
    for (size_t i = 0; i < nbytes; i++) p[i] = (unsigned char)(i * 7 + seed + (i >> 8));
}

static uint64_t submit(struct ash_request request)
{
    uint64_t before = gpu_replies[LINE].sequence;
    request.word[0] |= (uint64_t)(LINE + 1) << ASH_AUX_SHIFT;
    give(&gpu, request);
    wait_for(&gpu_replies[LINE].sequence, before + 1);
    assert_int_equal(gpu_replies[LINE].sequence, before + 1);
    return gpu_replies[LINE].value;
}

static void assert_bytes(uint64_t offset, const void *wanted, size_t nbytes)
{
    static const unsigned char nothing[8];
    assert_memory_equal(memory.base + offset, wanted, nbytes);
    assert_memory_equal(memory.base + offset + nbytes, nothing, sizeof(nothing));
    memset(memory.base + offset, 0, nbytes);
}

static void test_inline_put(void **state)
{
    static const unsigned words[] = {1, 2, 4, 5, 6, 7};
    unsigned char data[ASH_INLINE_MAX];
    for (unsigned n = 1; n <= ASH_INLINE_MAX; n++) {
        struct ash_request request = {{ASH_WORD0(ASH_OP_INLINE, 0, 0, n), 0, 0, AT + n % 3}};
        fill(data, sizeof(data), n);
        for (unsigned i = 0; i < 6; i++) memcpy(&request.word[words[i]], data + 8 * i, 8);
        give(&gpu, request);
        gpu_quiet();
        assert_bytes(AT + n % 3, data, n);
    }
}

/* From the heap, odd sizes and places; into the heap. */
static void test_put_and_get_from_the_heap(void **state)
{
    static const size_t sizes[] = {1, 49, 4096, 10001, 100000};
    unsigned char *source = memory.base + 300001, *dest = memory.base + 500003;
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        size_t n = sizes[i];
        fill(source, n, i);
        submit((struct ash_request){
            {ASH_WORD0(ASH_OP_PUT, 0, 0, 0), n, (uintptr_t)source, AT + i}});
        gpu_quiet();
        submit((struct ash_request){{ASH_WORD0(ASH_OP_GET, 0, 0, 0), n, (uintptr_t)dest, AT + i}});
        assert_memory_equal(dest, source, n);
        assert_bytes(AT + i, source, n);
    }
}

static void test_put_signal(void **state)
{
    static const size_t sizes[] = {8, 4096, 4097, 16384};
    uint64_t signal = 0;
    for (unsigned i = 0; i < 8; i++) {
        size_t n = sizes[i / 2];
        uint64_t aux = i % 2 ? ASH_AUX_ADD : 0;
        fill(stage[1], n, i);
        give(&gpu, (struct ash_request){{ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, 0, aux), n,
                                         (uintptr_t)stage[1], AT, 1000 + i, 64}});
        signal = i % 2 ? signal + 1000 + i : 1000 + i;
        gpu_quiet();
        assert_int_equal(word(64), signal);
        assert_bytes(AT, stage[1], n);
        assert_int_equal(released[1], i + 1);
    }
}

/* Value of a word of which `op` changes the lowest `width` bytes. */
static uint64_t changed(uint64_t old, uint64_t value, unsigned width)
{
    uint64_t mask = width == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * width) - 1;
    return (old & ~mask) | (value & mask);
}

/* p, g and signals, of all widths. */
static void test_elements_of_all_widths(void **state)
{
    const uint64_t old = UINT64_C(0xfedcba9876543210), value = UINT64_C(0x8192a3b4c5d6e7f8);
    for (unsigned log2 = 0; log2 < 4; log2++) {
        static const unsigned ops[] = {ASH_OP_P, ASH_OP_SIGNAL_SET, ASH_OP_SIGNAL_ADD};
        uint64_t *there = (uint64_t *)(void *)(memory.base + AT), got;
        for (unsigned i = 0; i < 3; i++) {
            uint64_t wanted = ops[i] == ASH_OP_SIGNAL_ADD ? old + value : value;
            *there = old;
            give(&gpu, (struct ash_request){{ASH_WORD0(ops[i], log2, 0, 0), 0, value, AT}});
            gpu_quiet();
            assert_int_equal(*there, changed(old, wanted, 1u << log2));
        }
        *there = old;
        got = submit((struct ash_request){{ASH_WORD0(ASH_OP_G, log2, 0, 0), 0, 0, AT}});
        assert_memory_equal(&got, there, 1u << log2);
    }
}

struct amo {
    unsigned op;
    bool fetches;
    uint64_t wanted;
};

#define OLD UINT64_C(0x7fffff0f80f0ff33)
#define OPERAND UINT64_C(0x0123456789abcdef)

static const struct amo amos[] = {
    {ASH_OP_FETCH, true, OLD},
    {ASH_OP_SET, false, OPERAND},
    {ASH_OP_SWAP, true, OPERAND},
    {ASH_OP_ADD, false, OLD + OPERAND},
    {ASH_OP_FETCH_ADD, true, OLD + OPERAND},
    {ASH_OP_AND, false, OLD & OPERAND},
    {ASH_OP_FETCH_AND, true, OLD & OPERAND},
    {ASH_OP_OR, false, OLD | OPERAND},
    {ASH_OP_FETCH_OR, true, OLD | OPERAND},
    {ASH_OP_XOR, false, OLD ^ OPERAND},
    {ASH_OP_FETCH_XOR, true, OLD ^ OPERAND},
};

static void one_amo(const struct amo *amo, unsigned log2)
{
    struct ash_request request = {{ASH_WORD0(amo->op, log2, 0, 0), 0, OPERAND, AT}};
    uint64_t *there = (uint64_t *)(void *)(memory.base + AT);
    *there = OLD;
    if (amo->fetches)
        assert_int_equal(submit(request), changed(0, OLD, 1u << log2));
    else
        give(&gpu, request);
    gpu_quiet();
    assert_int_equal(*there, changed(OLD, amo->wanted, 1u << log2));
}

static void test_atomics(void **state)
{
    for (unsigned log2 = 2; log2 < 4; log2++) {
        uint64_t *there = (uint64_t *)(void *)(memory.base + AT), old = changed(0, OLD, 1u << log2);
        uint64_t word0 = ASH_WORD0(ASH_OP_COMPARE_SWAP, log2, 0, 0);
        for (unsigned i = 0; i < sizeof(amos) / sizeof(amos[0]); i++) one_amo(&amos[i], log2);
        *there = OLD;
        assert_int_equal(submit((struct ash_request){{word0, old + 1, OPERAND, AT}}), old);
        assert_int_equal(*there, OLD);
        assert_int_equal(submit((struct ash_request){{word0, old, OPERAND, AT}}), old);
        assert_int_equal(*there, changed(OLD, OPERAND, 1u << log2));
    }
}

/* Sums of half, float and double: 1.5 and 2.25 are 3.75. */
static void test_sums(void **state)
{
    static const uint64_t numbers[][3] = {
        {0x3e00, 0x4080, 0x4380},
        {0x3fc00000, 0x40100000, 0x40700000},
        {UINT64_C(0x3ff8) << 48, UINT64_C(0x4002) << 48, UINT64_C(0x400e) << 48}};
    for (unsigned log2 = 1; log2 < 4; log2++) {
        const uint64_t *number = numbers[log2 - 1];
        uint64_t *there = (uint64_t *)(void *)(memory.base + AT);
        for (unsigned fetches = 0; fetches < 2; fetches++) {
            unsigned op = fetches ? ASH_OP_FETCH_SUM : ASH_OP_SUM;
            struct ash_request request = {{ASH_WORD0(op, log2, 0, 0), 0, number[1], AT}};
            *there = changed(OLD, number[0], 1u << log2);
            if (fetches)
                assert_int_equal(submit(request), number[0]);
            else
                give(&gpu, request);
            gpu_quiet();
            assert_int_equal(*there, changed(OLD, number[2], 1u << log2));
        }
    }
}

/*
 * A buffer may be overwritten as soon as it was given back, and is given back once
 * for each put.
 */
static void test_staging_slot_is_released_once(void **state)
{
    static unsigned char wanted[BUFFER_BYTES];
    for (unsigned i = 0; i < 16 * BUFFERS; i++) {
        unsigned buffer = i % BUFFERS;
        size_t n = BUFFER_BYTES - i * 8;
        wait_for(&released[buffer], i / BUFFERS);
        assert_int_equal(released[buffer], i / BUFFERS);
        fill(stage[buffer], n, i);
        give(&gpu, (struct ash_request){{ASH_WORD0(ASH_OP_PUT, 0, 0, 0), n,
                                         (uintptr_t)stage[buffer], AT + i * 15000}});
    }
    gpu_quiet();
    for (unsigned i = 0; i < 16 * BUFFERS; i++) {
        fill(wanted, sizeof(wanted), i);
        assert_memory_equal(memory.base + AT + i * 15000, wanted,
                            i < 16 * BUFFERS - 1 ? 15000 : BUFFER_BYTES - i * 8);
    }
    for (unsigned i = 0; i < BUFFERS; i++) assert_int_equal(released[i], 16);
}

/* Who reads from a buffer of the stage gives it back himself; so does the heap's owner. */
static void test_reader_releases_its_own_staging_slot(void **state)
{
    unsigned char *source = memory.base + 300000;
    fill(source, 1000, 3);
    submit((struct ash_request){{ASH_WORD0(ASH_OP_PUT, 0, 0, 0), 1000, (uintptr_t)source, AT}});
    gpu_quiet();
    submit((struct ash_request){{ASH_WORD0(ASH_OP_GET, 0, 0, 0), 1000, (uintptr_t)stage[0], AT}});
    assert_memory_equal(stage[0], source, 1000);
    assert_int_equal(released[0], 0);
}

/* The same line of both: each gets its own reply. */
static void test_host_and_gpu_ask_on_the_same_line(void **state)
{
    const uint64_t line = (uint64_t)(LINE + 1) << ASH_AUX_SHIFT;
    for (uint64_t i = 0; i < 200; i++) {
        uint64_t word0 = ASH_WORD0(ASH_OP_FETCH_ADD, 3, 0, 0) | line;
        give(&host, (struct ash_request){{word0, 0, 1, 64}});
        give(&gpu, (struct ash_request){{word0, 0, 1000, 128}});
        wait_for(&host_replies[LINE].sequence, i + 1);
        wait_for(&gpu_replies[LINE].sequence, i + 1);
        assert_int_equal(host_replies[LINE].value, i);
        assert_int_equal(gpu_replies[LINE].value, 1000 * i);
    }
}

/* A message behind a fence goes when the puts before it were flushed. */
static void test_message_waits_for_flush_behind_a_fence(void **state)
{
    struct ash_connection *conn = ash_connection_get(proxy, 0);
    give(&gpu, (struct ash_request){{ASH_WORD0(ASH_OP_PUT, 0, 0, 0), 64, (uintptr_t)stage[0], AT}});
    give_op(&gpu, ASH_OP_FENCE);
    give_p(&gpu, 64, 5);
    ash_clients_drain(proxy);
    if (path == UCX) {
        assert_false(conn->rma_dirty);
        if (conn->rma_flushes > 0) assert_non_null(conn->held.head);
        if (conn->rma_flushes > 0) assert_int_equal(conn->sent, 0);
    }
    if (path == DIRECT) assert_int_equal(word(64), 5);
    if (path == DIRECT) assert_null(conn->ep);
    gpu_quiet();
    assert_int_equal(word(64), 5);
}

#define ALL(test) \
    {#test ", direct", test, start_attached, stop_path, &paths[DIRECT]}, \
    {#test ", UCX", test, start_attached, stop_path, &paths[UCX]}, \
    {#test ", messages", test, start_attached, stop_path, &paths[MESSAGES]}

static enum path paths[] = {DIRECT, UCX, MESSAGES};

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALL(test_inline_put),
        ALL(test_put_and_get_from_the_heap),
        ALL(test_put_signal),
        ALL(test_elements_of_all_widths),
        ALL(test_atomics),
        ALL(test_sums),
        ALL(test_staging_slot_is_released_once),
        ALL(test_reader_releases_its_own_staging_slot),
        ALL(test_host_and_gpu_ask_on_the_same_line),
        ALL(test_message_waits_for_flush_behind_a_fence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
