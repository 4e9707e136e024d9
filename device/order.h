/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fence, quiet, and the barrier of all PEs.
 *
 * The barrier is a dissemination: in round r each PE signals PE + 2^r and waits
 * for PE - 2^r, with the number of the barrier as the signal, so nothing is
 * ever reset.  It works over mapped and unmapped peers alike and nothing in it
 * grows with the job but log2 of the rounds.
 *
 * Each round has two words sets, used by turns: a partner may be one barrier
 * ahead, never two, because for that it needs this PE's next signal.
 */
#ifndef ASH_DEVICE_ORDER_H
#define ASH_DEVICE_ORDER_H

#include "device/signal.h"
#include "device/sync.h"

#define ASH_BARRIER_ROUNDS ASH_PE_BITS

/* What a partner sends in one round.  Written by: the partner.  Read by: this PE. */
struct ash_barrier_word {
    /* Number of the barrier; changes after the rest. */
    uint64_t epoch;
    /* Two values for those barriers that agree on something (lib/agree.c). */
    uint64_t value[2];
    uint64_t unused[5];
};

#define ASH_BARRIER_BYTES (2 * ASH_BARRIER_ROUNDS * sizeof(struct ash_barrier_word))

/* Offset of a round's word in every heap. */
DEV uint64_t ash_barrier_word_offset(uint64_t epoch, unsigned round)
{
    return dev_state->barrier_offset +
           ((epoch & 1) * ASH_BARRIER_ROUNDS + round) * sizeof(struct ash_barrier_word);
}

DEV void ash_fence(void)
{
    struct ash_channel *channel = dev_state->channel;
    dev_fence_release();
    if (channel != NULL) ash_channel_fence(channel);
}

DEV void ash_quiet(void)
{
    struct ash_channel *channel = dev_state->channel;
    dev_fence_full();
    if (channel != NULL) ash_channel_quiet(channel);
}

/* The same for a user's call. */
DEV void ash_fence_call(const char *function)
{
    ash_check_started(function);
    ash_fence();
}

DEV void ash_quiet_call(const char *function)
{
    ash_check_started(function);
    ash_quiet();
}

/* Partners of a round. */
DEV int ash_barrier_to(unsigned round)
{
    const struct ash_state *s = dev_state;
    return (int)(((uint64_t)(uint32_t)s->my_pe + (UINT64_C(1) << round)) % s->n_pes);
}

DEV int ash_barrier_from(unsigned round)
{
    const struct ash_state *s = dev_state;
    return (int)(((uint64_t)(uint32_t)s->my_pe + s->n_pes - (UINT64_C(1) << round)) % s->n_pes);
}

DEV void ash_barrier_wait(const char *function, uint64_t epoch, unsigned round)
{
    struct ash_kind kind = {8, false};
    const unsigned char *word = dev_state->heap + ash_barrier_word_offset(epoch, round);
    ash_wait(function, "barrier", word, kind, NVSHMEM_CMP_EQ, epoch);
}

DEV_NOINLINE void ash_barrier(const char *function)
{
    struct ash_state *s = dev_state;
    uint64_t epoch;
    unsigned round;
    ash_check_started(function);
    dev_fence_full();
    epoch = ++s->barrier_epoch;
    for (round = 0; UINT64_C(1) << round < s->n_pes; round++) {
        uint64_t *word = (uint64_t *)(void *)(s->heap + ash_barrier_word_offset(epoch, round));
        ash_signal(function, word, epoch, NVSHMEM_SIGNAL_SET, ash_barrier_to(round));
        ash_barrier_wait(function, epoch, round);
    }
}

DEV void ash_barrier_all(const char *function)
{
    ash_quiet_call(function);
    ash_barrier(function);
}

/* For warps and blocks: the leader meets the other PEs when its group has come. */
DEV_NOINLINE void ash_barrier_group(enum ash_scope scope, const char *function, bool complete)
{
    dev_group_sync(scope);
    if (dev_group_rank(scope) == 0) {
        ash_check_started(function);
        if (complete) ash_quiet();
        ash_barrier(function);
    }
    dev_group_sync(scope);
}

#endif
