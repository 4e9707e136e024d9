/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A GPU for the explorer, of the host device's primitives but for those in which a
 * GPU differs: before all other headers of device/.
 *
 * The two halves of a slot that is published alone come in either order, each as
 * one.  A half is of two words here, and its tag releases the other one: that
 * stands for a store of 16 bytes, as dev_load_pair's acquire does for a load of 16.
 * What a GPU's "own" words leave to a branch, stores that do not overtake it, C11
 * cannot say, so they keep their orders.
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
