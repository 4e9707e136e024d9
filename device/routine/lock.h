/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks of OpenSHMEM over one symmetric word; for the host only.
 *
 * A lock is a queue of PEs, after Mellor-Crummey and Scott.  Its word has two halves.  `tail`
 * counts on one PE alone, the lock's home, which follows from the address so that the locks of a
 * program are spread over the PEs: the last PE of the queue.  `own` is each PE's place in the
 * queue: the PE behind it, and whether it has been granted the lock.  PEs are numbered from 1, so
 * that a lock is a word of zeros.
 *
 *   set    swap tail for the own number; behind another PE: link to its `own`, and wait until that
 *          PE grants the lock.  So each waits for a word of its own memory, in the order of arrival
 *   clear  quiet; if no PE has linked, swap tail back to 0, and if it has changed, wait for the
 *          link; then grant the lock to the PE behind
 *
 * `own` is reset between the link and the grant, when no other PE has a reason to write it.
 * Threads of a PE take turns (device/hostdev/lock_table.h).
 */
#ifndef ASH_DEVICE_ROUTINE_LOCK_H
#define ASH_DEVICE_ROUTINE_LOCK_H

#include "device/hostdev/lock_table.h"
#include "device/routine/barrier.h"

struct ash_lock_word {
    /* In the lock's home: the last PE of the queue.  Read and written by: all PEs, by atomics. */
    uint32_t tail;
    /* The PE behind this one, and ASH_LOCK_GRANTED.  Written by: the PEs before and behind, by
     * atomics, and this PE, which resets it.  Read by: this PE. */
    uint32_t own;
};

#define ASH_LOCK_GRANTED UINT32_C(0x80000000)

DEV struct ash_kind ash_lock_kind(void) { return ash_kind_of(4, false); }

/* This PE's number in a word. */
DEV uint32_t ash_lock_me(void) { return (uint32_t)dev_state->my_pe + 1; }

DEV struct ash_lock_word *ash_check_lock(const char *function, long *lock)
{
    ash_check_started(function);
    (void)ash_check_variable(function, "lock", lock, sizeof *lock);
    return (struct ash_lock_word *)(void *)lock;
}

/* Multiplied by 2^64 over the golden ratio: its upper bits differ for addresses that are near. */
DEV int ash_lock_home(const struct ash_lock_word *word)
{
    uint64_t offset = ash_offset_of(word);
    return (int)((offset * UINT64_C(0x9e3779b97f4a7c15) >> 32) % ash_job_pes());
}

/* A number found in a word: that of a PE, or 0. */
DEV uint32_t ash_lock_pe(const char *function, const struct ash_lock_word *word, uint32_t number)
{
    if (dev_unlikely(number > ash_job_pes()))
        ash_raise(ASH_FAULT_LOCK, function, "lock", (uint64_t)(uintptr_t)word, number);
    return number;
}

DEV struct ash_lock_use *ash_lock_used(const char *function, struct ash_lock_use *use)
{
    if (dev_unlikely(use == NULL))
        ash_raise(ASH_FAULT_HOST_DEVICE, function, "out of memory for a lock", 0, 0);
    return use;
}

/* The caller's turn among the threads of this PE is over. */
DEV void ash_lock_leave(struct ash_lock_use *use)
{
    if (ash_hostdev_lock_leave(use)) ash_check_waiters(dev_state->heap);
}

/* Pairs with the quiet in ash_lock_clear: what the PE before has written is visible. */
DEV void ash_lock_acquired(struct ash_lock_use *use)
{
    dev_fence_full();
    ash_hostdev_lock_acquired(use);
}

DEV_NOINLINE void ash_lock_set(const char *function, long *lock)
{
    struct ash_lock_word *word = ash_check_lock(function, lock);
    uint32_t ticket = 0, before;
    struct ash_lock_use *use = ash_lock_used(function, ash_hostdev_lock_enter(lock, &ticket));
    (void)ash_wait(function, "lock", &use->turn, ash_lock_kind(), NVSHMEM_CMP_EQ, ticket);
    before = (uint32_t)ash_amo(function, ASH_OP_SWAP, &word->tail, 4, ash_lock_me(), 0,
                               ash_lock_home(word));
    if (ash_lock_pe(function, word, before) != 0) {
        ash_amo(function, ASH_OP_OR, &word->own, 4, ash_lock_me(), 0, (int)before - 1);
        (void)ash_wait(function, "lock", &word->own, ash_lock_kind(), NVSHMEM_CMP_GE,
                       ASH_LOCK_GRANTED);
    }
    ash_lock_acquired(use);
}

/* What a test returns that did not get the lock; it lets others run, as a test that is not met. */
DEV int ash_lock_taken(void)
{
    (void)ash_test_not_met();
    return 1;
}

/* 0: the caller has the lock; 1: another PE or another thread of this one has it. */
DEV_NOINLINE int ash_lock_test(const char *function, long *lock)
{
    struct ash_lock_word *word = ash_check_lock(function, lock);
    bool busy = false;
    struct ash_lock_use *use = ash_hostdev_lock_try(lock, &busy);
    uint32_t before;
    if (busy) return ash_lock_taken();
    use = ash_lock_used(function, use);
    before = (uint32_t)ash_amo(function, ASH_OP_COMPARE_SWAP, &word->tail, 4, ash_lock_me(), 0,
                               ash_lock_home(word));
    if (ash_lock_pe(function, word, before) == 0) {
        ash_lock_acquired(use);
        return 0;
    }
    ash_lock_leave(use);
    return ash_lock_taken();
}

/* The PE behind this one, which has the lock; 0 if there is none: then it is free. */
DEV uint32_t ash_lock_behind(const char *function, struct ash_lock_word *word)
{
    uint32_t own = (uint32_t)dev_load_relaxed(&word->own, 4), tail;
    if ((own & ~ASH_LOCK_GRANTED) != 0) return own & ~ASH_LOCK_GRANTED;
    tail = (uint32_t)ash_amo(function, ASH_OP_COMPARE_SWAP, &word->tail, 4, 0, ash_lock_me(),
                             ash_lock_home(word));
    if (tail == ash_lock_me()) return 0;
    own = (uint32_t)ash_wait(function, "lock", &word->own, ash_lock_kind(), NVSHMEM_CMP_NE, own);
    return own & ~ASH_LOCK_GRANTED;
}

DEV_NOINLINE void ash_lock_clear(const char *function, long *lock)
{
    struct ash_lock_word *word = ash_check_lock(function, lock);
    struct ash_lock_use *use = ash_hostdev_lock_release(lock);
    uint32_t behind;
    if (use == NULL)
        ash_raise(ASH_FAULT_LOCK, function, "lock", (uint64_t)(uintptr_t)lock, 0);
    ash_quiet(function);
    behind = ash_lock_pe(function, word, ash_lock_behind(function, word));
    dev_store_relaxed(&word->own, 4, 0);
    dev_fence_full();
    if (behind != 0) {
        ash_amo(function, ASH_OP_OR, &word->own, 4, ASH_LOCK_GRANTED, 0, (int)behind - 1);
        dev_kick_left(); /* the PE behind waits for it */
    }
    ash_lock_leave(use);
}

#endif
