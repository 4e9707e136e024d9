/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What fence, quiet and the barriers promise: whoever sees the later write sees
 * the earlier one.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/support/pe.h"

#define BLOCK_MAX 65536u
#define WINDOW 4u

/* All symmetric.  One entry or block for each PE that writes. */
static uint64_t *first, *second, *done;
static unsigned char *blocks;

static int after(int pe)
{
    return (pe + 1) % pe_n;
}

static int before(int pe)
{
    return (pe + pe_n - 1) % pe_n;
}

static void clear(void)
{
    nvshmem_barrier_all();
    memset(first, 0, 64 * (size_t)pe_n);
    memset(second, 0, 64 * (size_t)pe_n);
    memset(done, 0, 64 * (size_t)pe_n);
    nvshmem_barrier_all();
}

/* The ways to write a flag after the data. */
enum flag { BY_SET, BY_P, BY_ADD, BY_SIGNAL, BY_PUT_SIGNAL, FLAGS };

static void send(unsigned char *dest, const unsigned char *source, size_t nbytes, uint64_t *flag,
                 uint64_t round, enum flag how, int to)
{
    if (how == BY_PUT_SIGNAL) {
        nvshmem_putmem_signal(dest, source, nbytes, flag, round, NVSHMEM_SIGNAL_SET, to);
        return;
    }
    /* Two puts, so that more than one operation is under way at the fence. */
    nvshmem_putmem(dest, source, nbytes / 2, to);
    nvshmem_putmem_nbi(dest + nbytes / 2, source + nbytes / 2, nbytes - nbytes / 2, to);
    nvshmem_fence();
    switch (how) {
    case BY_SET: nvshmem_uint64_atomic_set(flag, round, to); break;
    case BY_P: nvshmem_uint64_p(flag, round, to); break;
    case BY_ADD: nvshmem_uint64_atomic_add(flag, 1, to); break;
    default: nvshmemx_signal_op(flag, round, NVSHMEM_SIGNAL_SET, to); break;
    }
}

/*
 * Data, fence, flag; the waiter sees the data.  Each PE sends to the next one,
 * at most WINDOW messages ahead of what that one has acknowledged.
 */
static void data_then_flag(size_t nbytes, uint64_t rounds, enum flag how)
{
    unsigned char *source = malloc(WINDOW * BLOCK_MAX);
    PE_NEED(source != NULL);
    clear();
    for (uint64_t round = 1; round <= rounds; round++) {
        size_t at = round % WINDOW * BLOCK_MAX;
        pe_step("data then flag: %zu bytes, flag %d, round %llu", nbytes, (int)how,
                (unsigned long long)round);
        if (round > WINDOW) nvshmem_uint64_wait_until(done, NVSHMEM_CMP_GE, round - WINDOW);
        pe_fill(source + at, nbytes, round * 64 + (uint64_t)pe_me);
        send(blocks + at, source + at, nbytes, first, round, how, after(pe_me));
        nvshmem_uint64_wait_until(first, NVSHMEM_CMP_GE, round);
        PE_FILLED(blocks + at, nbytes, round * 64 + (uint64_t)before(pe_me));
        nvshmem_uint64_atomic_set(done, round, before(pe_me));
        /* The source of the put that did not block must stay until now. */
        if (round % WINDOW == WINDOW - 1) nvshmem_quiet();
    }
    nvshmem_barrier_all();
    free(source);
}

/*
 * Each PE writes A, fences, writes B at the next one, over and over without
 * being waited for.  A third PE reads B, then A: A is never behind B.
 */
static void fence_seen_by_third(uint64_t rounds)
{
    int target = after(pe_me), writer = after(target), owner = after(writer);
    clear();
    pe_step("fence seen by a third PE");
    for (uint64_t round = 1; round <= rounds; round++) {
        uint64_t a, b;
        nvshmem_uint64_p(&first[8 * pe_me], round, target);
        nvshmem_fence();
        if (round % 2)
            nvshmem_uint64_p(&second[8 * pe_me], round, target);
        else
            nvshmem_uint64_atomic_set(&second[8 * pe_me], round, target);
        if (round % 3) continue;
        b = round % 2 ? nvshmem_uint64_g(&second[8 * writer], owner)
                      : nvshmem_uint64_atomic_fetch(&second[8 * writer], owner);
        nvshmem_getmem(&a, &first[8 * writer], sizeof(a), owner);
        PE_TRUE(a >= b);
        PE_TRUE(a <= rounds);
    }
    nvshmem_barrier_all();
    PE_EQUAL(second[8 * before(pe_me)], rounds);
    PE_EQUAL(first[8 * before(pe_me)], rounds);
}

/* Data at one PE, quiet, flag at another, which then finds the data there. */
static void quiet_then_elsewhere(uint64_t rounds)
{
    int target = after(pe_me), told = after(target), from = before(before(pe_me));
    clear();
    for (uint64_t round = 1; round <= rounds; round++) {
        uint64_t seen = 0, flag;
        pe_step("quiet then elsewhere: round %llu", (unsigned long long)round);
        nvshmem_uint64_put_nbi(&first[8 * pe_me], &round, 1, target);
        nvshmem_quiet();
        if (round % 2)
            nvshmemx_signal_op(&second[8 * pe_me], round, NVSHMEM_SIGNAL_SET, told);
        else
            nvshmem_uint64_atomic_add(&second[8 * pe_me], 1, told);
        flag = nvshmem_signal_wait_until(&second[8 * from], NVSHMEM_CMP_GE, round);
        nvshmem_uint64_get(&seen, &first[8 * from], 1, after(from));
        PE_TRUE(flag >= round && seen >= round && seen <= rounds);
    }
    nvshmem_barrier_all();
}

/*
 * Two PEs each write to the other, quiet, and read what the other writes here:
 * not both can find nothing.
 */
static void store_buffering(uint64_t rounds)
{
    int partner = pe_me ^ 1;
    for (uint64_t round = 1; round <= rounds; round++) {
        uint64_t mine;
        pe_step("store buffering: round %llu", (unsigned long long)round);
        first[0] = second[0] = 0;
        nvshmem_barrier_all();
        if (partner < pe_n) {
            nvshmem_uint64_atomic_set(first, 1, partner);
            nvshmem_quiet();
            mine = nvshmem_uint64_atomic_fetch(first, pe_me);
            nvshmem_uint64_p(second, mine, partner);
            nvshmem_barrier_all();
            PE_TRUE(mine + second[0] >= 1);
        } else {
            nvshmem_barrier_all();
        }
        nvshmem_barrier_all();
    }
}

/* Nobody leaves a barrier before all are there, and with it all that they sent. */
static void barriers(uint64_t rounds, bool sends)
{
    uint64_t state = (uint64_t)pe_me;
    clear();
    for (uint64_t round = 1; round <= rounds; round++) {
        int other = (int)(pe_random(&state) % (uint64_t)pe_n);
        uint64_t seen;
        pe_step("%s: round %llu", sends ? "barrier_all" : "sync_all", (unsigned long long)round);
        if (state % 16 == 0) pe_sleep_us(50);
        if (sends) {
            nvshmem_uint64_put_nbi(&second[8 * pe_me], &round, 1, other);
            nvshmem_uint64_p(&done[8 * pe_me], round, after(pe_me));
        }
        __atomic_store_n(first, round, __ATOMIC_RELAXED);
        (sends ? nvshmem_barrier_all : nvshmem_sync_all)();
        seen = nvshmem_uint64_g(first, other);
        PE_TRUE(seen == round || seen == round + 1);
        if (!sends) continue;
        PE_TRUE(__atomic_load_n(&done[8 * before(pe_me)], __ATOMIC_RELAXED) >= round);
        seen = nvshmem_uint64_g(&second[8 * pe_me], other);
        PE_EQUAL(seen, round);
    }
    nvshmem_barrier_all();
}

int main(void)
{
    static const size_t sizes[] = {1, 8, 48, 64, 1000, 8192, BLOCK_MAX};
    uint64_t few;
    pe_start("order");
    /* With a UCX that is late each round takes milliseconds. */
    few = pe_n > 4 || getenv("TEST_PRELOAD") != NULL ? 4 : 1;
    first = pe_alloc(64 * (size_t)pe_n);
    second = pe_alloc(64 * (size_t)pe_n);
    done = pe_alloc(64 * (size_t)pe_n);
    blocks = pe_alloc(WINDOW * BLOCK_MAX);
    for (size_t i = 0; i < PE_COUNT(sizes); i++)
        for (int how = 0; how < FLAGS; how++)
            data_then_flag(sizes[i], (sizes[i] > 1000 ? 40 : 400) / few, (enum flag)how);
    fence_seen_by_third(6000 / few);
    quiet_then_elsewhere(1000 / few);
    store_buffering(400 / few);
    barriers(1000 / few, true);
    barriers(1000 / few, false);
    return pe_finish();
}
