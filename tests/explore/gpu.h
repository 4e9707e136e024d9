/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A GPU for the explorer: the host device's primitives, except those in which a GPU
 * differs.  Include it before all other headers of device/.
 *
 * The two halves of a slot that is published alone become visible in either order, each
 * as a whole.  A half has two words here, and the store of its tag releases the other
 * word: this models a store of 16 bytes, as the acquire in dev_load_pair models a load of
 * 16 bytes.  For "own" words a GPU relies on stores not overtaking a branch.  C11 cannot
 * express that, so these words keep the orders of host.h.
 */
#ifndef TESTS_EXPLORE_GPU_H
#define TESTS_EXPLORE_GPU_H

#define ASH_TARGET_MODEL 1
#include "device/target/target.h"

#define dev_store_slot_alone host_store_slot_alone
#include "device/target/host.h"
#undef dev_store_slot_alone
#undef DEV_IS_GPU
#define DEV_IS_GPU 1

#include "tests/explore/explore.h"

DEV_NOINLINE void gpu_store_half(uint64_t *plain, uint64_t *tagged, uint64_t value,
                                 uint64_t tag_value)
{
    dev_store_relaxed(plain, 8, value);
    dev_store_release64(tagged, tag_value);
}

DEV void dev_store_slot_alone(uint64_t *slot, uint64_t word0, uint64_t word1, uint64_t word2,
                              uint64_t word3)
{
    bool swap = explore_choose(2) != 0;
    if (swap) gpu_store_half(&slot[1], &slot[0], word1, word0);
    gpu_store_half(&slot[2], &slot[3], word2, word3);
    if (!swap) gpu_store_half(&slot[1], &slot[0], word1, word0);
}

DEV void dev_load_pair(const uint64_t *p, uint64_t *ret_first, uint64_t *ret_second)
{
    *ret_second = dev_load_acquire64(&p[1]);
    *ret_first = dev_load_relaxed(&p[0], 8);
}

#endif
