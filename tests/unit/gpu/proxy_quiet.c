/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A host and a GPU that send at once: quiets of both, in all orders; a quiet of
 * one completes what the other sent; the GPU goes.
 */
#include "device/routine/barrier.h"
#include "tests/unit/gpu_proxy.h"

#define HOST_AT 64
#define GPU_AT 128

static int start_thread(void **state)
{
    start_attached(state);
    return ash_proxy_start(proxy);
}

/* A quiet that was sent, and what both had written before. */
struct pending {
    const struct ash_channel_progress *progress;
    uint64_t ticket, host, gpu;
};

static bool is_complete(const struct pending *pending)
{
    if (load(&pending->progress->completed) <= pending->ticket) return false;
    if (word(HOST_AT) < pending->host || word(GPU_AT) < pending->gpu)
        fail_msg("a quiet came before what it completes");
    return true;
}

/* Each channel: p, quiet, p, quiet; bit i of `order`: the i-th is the GPU's. */
static void one_order(unsigned order, bool turns)
{
    static uint64_t value;
    double end = ash_seconds() + LIMIT_SECONDS;
    struct pending pending[4];
    uint64_t last[2] = {0, 0};
    unsigned n = 0, sent[2] = {0, 0};
    for (unsigned i = 0; i < 8; i++) {
        unsigned who = order >> i & 1;
        struct ash_channel *channel = who ? &gpu : &host;
        if (sent[who]++ % 2 == 0) {
            last[who] = ++value;
            give_p(channel, who ? GPU_AT : HOST_AT, value);
        } else {
            uint64_t ticket = give_op(channel, ASH_OP_QUIET);
            pending[n++] = (struct pending){channel->progress, ticket, last[0], last[1]};
        }
        if (turns) ash_proxy_iterate(proxy);
    }
    for (unsigned i = 0; i < 4;) {
        i += is_complete(&pending[i]);
        if (ash_seconds() > end) fail_msg("order 0x%x: quiet %u was not completed", order, i);
        ash_proxy_iterate(proxy);
    }
}

static void test_quiets_in_all_orders(void **state)
{
    unsigned n = 0;
    *(uint64_t *)(void *)(memory.base + HOST_AT) = 0;
    for (unsigned order = 0; order < 256; order++) {
        if (__builtin_popcount(order) != 4) continue;
        one_order(order, false);
        one_order(order, true);
        n++;
    }
    assert_int_equal(n, 70);
}

/* A GPU that asks all the time does not postpone the host's quiet, nor the reverse. */
static void test_quiet_is_not_postponed_by_the_other_device(void **state)
{
    struct ash_channel *busy[] = {&gpu, &host}, *other[] = {&host, &gpu};
    for (unsigned k = 0; k < 2; k++) {
        uint64_t ticket = 0, before, replies = 0;
        for (unsigned turn = 0; turn < 500; turn++) {
            give_p(busy[k], GPU_AT, turn);
            give_op(busy[k], ASH_OP_QUIET);
            if (turn == 100) give_p(other[k], HOST_AT, turn);
            if (turn == 100) ticket = give_op(other[k], ASH_OP_QUIET);
            before = busy[k]->progress->completed;
            while (busy[k]->progress->completed == before) ash_proxy_iterate(proxy);
            if (turn >= 100 && other[k]->progress->completed <= ticket) replies++;
        }
        assert_true(other[k]->progress->completed > ticket);
        if (replies > 3) fail_msg("%llu others came first", (unsigned long long)replies);
    }
}

/* More than a batch is in the other ring, and nobody has looked at it. */
static void test_quiet_covers_the_other_ring(void **state)
{
    struct ash_channel *first[] = {&gpu, &host}, *second[] = {&host, &gpu};
    for (unsigned k = 0; k < 2; k++) {
        uint64_t ticket;
        for (unsigned i = 0; i < 100; i++) give_p(first[k], 1024 + 8 * i, 1000 * k + i + 1);
        ticket = give_op(second[k], ASH_OP_QUIET);
        wait_for(&second[k]->progress->completed, ticket + 1);
        for (unsigned i = 0; i < 100; i++)
            assert_int_equal(word(1024 + 8 * i), 1000 * k + i + 1);
    }
}

/* A slot that was claimed by a thread that still runs, and one behind it. */
static void test_quiet_waits_for_an_unpublished_slot(void **state)
{
    for (uint64_t i = 1; i <= 2 * SLOTS; i++) {
        uint64_t hole = ash_channel_claim(&gpu), ticket;
        give_p(&gpu, GPU_AT, i);
        ticket = give_op(&host, ASH_OP_QUIET);
        for (unsigned turn = 0; turn < 20; turn++) ash_proxy_iterate(proxy);
        assert_true(host_progress.completed <= ticket);
        ash_channel_publish(ash_channel_place(&gpu, hole), ASH_WORD0(ASH_OP_P, 3, 0, 0), 0, i,
                            HOST_AT);
        wait_for(&host_progress.completed, ticket + 1);
        assert_int_equal(word(GPU_AT), i);
        assert_int_equal(word(HOST_AT), i);
    }
}

/* A quiet that came later, and waits for more, does not postpone the first. */
static void test_later_quiet_does_not_postpone_the_first(void **state)
{
    uint64_t hole[2], ticket[2];
    for (unsigned i = 0; i < 2; i++) {
        hole[i] = ash_channel_claim(&gpu);
        give_p(&gpu, GPU_AT, 1);
        ticket[i] = give_op(&host, ASH_OP_QUIET);
        ash_proxy_iterate(proxy);
    }
    for (unsigned i = 0; i < 2; i++) {
        assert_true(host_progress.completed <= ticket[i]);
        ash_channel_publish(ash_channel_place(&gpu, hole[i]), ASH_WORD0(ASH_OP_P, 3, 0, 0), 0,
                            i, HOST_AT);
        wait_for(&host_progress.completed, ticket[i] + 1);
    }
}

/* Requests of the host; the proxy arms the same word when it sleeps. */
static uint64_t sent(void) { return dev_load_acquire64(&host.ticket) & ~ASH_CHANNEL_ARMED; }

/* While a GPU is served, a host that sent nothing asks nevertheless; after that, not. */
static void test_idle_host_asks_while_a_gpu_is_attached(void **state)
{
    uint64_t ticket = sent();
    give_p(&gpu, GPU_AT, 9);
    ash_channel_quiet(&host, "test");
    assert_int_equal(word(GPU_AT), 9);
    ash_channel_quiet(&host, "test");
    assert_int_equal(sent() - ticket, 2);
    ash_proxy_detach_gpu(proxy);
    ash_channel_quiet(&host, "test");
    assert_int_equal(sent() - ticket, 2);
}

/* Nothing that the host sends after a fence comes before what a kernel sent that has ended. */
static void test_host_fence_orders_behind_the_kernel(void **state)
{
    uint64_t ticket;
    ash_state.channel = &host;
    give_p(&host, HOST_AT, 1);
    for (unsigned i = 1; i <= 20; i++) {
        for (unsigned k = 0; k < 100; k++) give_p(&gpu, GPU_AT, i);
        ash_fence();
        assert_int_equal(word(GPU_AT), i);
    }
    ash_proxy_detach_gpu(proxy);
    ticket = sent();
    ash_fence();
    ash_fence();
    assert_int_equal(sent() - ticket, 1);
    /* Nothing of the host's is new since then, but a GPU has come. */
    attach();
    give_p(&gpu, GPU_AT, 99);
    ash_fence();
    assert_int_equal(word(GPU_AT), 99);
    ash_state.channel = NULL;
}

/* Nor what a kernel sends after a fence before what the host had sent. */
static void test_gpu_fence_orders_behind_the_host(void **state)
{
    for (uint64_t i = 1; i <= 20; i++) {
        double end = ash_seconds() + LIMIT_SECONDS;
        for (unsigned k = 0; k < 100; k++) give_p(&host, 1024 + 8 * k, i);
        give_op(&gpu, ASH_OP_FENCE);
        give_p(&gpu, GPU_AT, i);
        do {
            ash_proxy_iterate(proxy);
            if (ash_seconds() > end) fail_msg("round %llu", (unsigned long long)i);
        } while (word(GPU_AT) != i);
        for (unsigned k = 0; k < 100; k++) assert_int_equal(word(1024 + 8 * k), i);
    }
}

/* What was published is done, complete, and given back; later things wait for nobody. */
static void test_detach_completes_published_requests(void **state)
{
    uint64_t next;
    for (unsigned round = 1; round <= 5; round++) {
        memset(stage, (int)round, sizeof(stage));
        for (unsigned i = 0; i < 40; i++) {
            give(&gpu, (struct ash_request){{ASH_WORD0(ASH_OP_PUT, 0, 0, 0), 8000,
                                             (uintptr_t)stage[i % BUFFERS], 8192 * (i + 1)}});
            give_p(&gpu, 8 * i, 100 * round + i);
        }
        next = gpu.ticket;
        ash_proxy_detach_gpu(proxy);
        assert_int_equal(gpu_progress.completed, next);
        assert_int_equal(gpu_progress.tail, next);
        for (unsigned i = 0; i < 40; i++) {
            assert_int_equal(word(8 * i), 100 * round + i);
            assert_int_equal(memory.base[8192 * (i + 1)], round);
            assert_int_equal(memory.base[8192 * (i + 1) + 7999], round);
        }
        for (unsigned i = 0; i < BUFFERS; i++) assert_int_equal(released[i], 10 * round);
        give_p(&gpu, 0, 7);
        if (!proxy->started) ash_proxy_iterate(proxy);
        assert_int_equal(gpu_progress.next, next);
        assert_int_not_equal(word(0), 7);
        attach();
    }
}

/* A host's quiet, that waits for the GPU as it goes, is answered. */
static void test_detach_answers_a_waiting_quiet(void **state)
{
    uint64_t ticket;
    (void)ash_channel_claim(&gpu);
    give_p(&gpu, GPU_AT, 1);
    ticket = give_op(&host, ASH_OP_QUIET);
    ash_proxy_iterate(proxy);
    assert_true(host_progress.completed <= ticket);
    ash_proxy_detach_gpu(proxy);
    wait_for(&host_progress.completed, ticket + 1);
}

#define ONE(test, begin, by) {#test ", " #by, test, begin, stop_path, &paths[by]}
#define ALL(test, begin) \
    ONE(test, begin, DIRECT), ONE(test, begin, UCX), ONE(test, begin, MESSAGES)

static enum path paths[] = {DIRECT, UCX, MESSAGES};

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALL(test_quiets_in_all_orders, start_attached),
        ALL(test_quiet_is_not_postponed_by_the_other_device, start_attached),
        ALL(test_quiet_covers_the_other_ring, start_attached),
        ALL(test_quiet_waits_for_an_unpublished_slot, start_attached),
        ALL(test_later_quiet_does_not_postpone_the_first, start_attached),
        ALL(test_idle_host_asks_while_a_gpu_is_attached, start_thread),
        ALL(test_host_fence_orders_behind_the_kernel, start_thread),
        ALL(test_gpu_fence_orders_behind_the_host, start_attached),
        ALL(test_detach_completes_published_requests, start_attached),
        ALL(test_detach_completes_published_requests, start_thread),
        ALL(test_detach_answers_a_waiting_quiet, start_attached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
