/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A GPU made of CPU threads: the host device's primitives, but for those in which
 * a GPU differs.  Threads stop at random places between two stores, and the two
 * halves of a slot that is published alone are stored in either order.
 */
#ifndef TESTS_UNIT_GPU_TARGET_MODEL_H
#define TESTS_UNIT_GPU_TARGET_MODEL_H

#include <pthread.h>
#include <sched.h>

/* Before all other headers of device/: instead of device/target/host.h. */
#define ASH_TARGET_MODEL 1
#include "device/target/target.h"

#define dev_store_slot_alone host_store_slot_alone
#define dev_group_rank host_group_rank
#define dev_group_size host_group_size
#define dev_group_sync host_group_sync
#define dev_group_broadcast host_group_broadcast
#define dev_group_copy host_group_copy
#define dev_group_copy_uncached host_group_copy_uncached
#define dev_fetch_add host_fetch_add
#define dev_fault host_fault
#define dev_fetch_yields host_fetch_yields
#define dev_fetch_yield host_fetch_yield
#include "device/target/host.h"
#undef dev_store_slot_alone
#undef dev_group_rank
#undef dev_group_size
#undef dev_group_sync
#undef dev_group_broadcast
#undef dev_group_copy
#undef dev_group_copy_uncached
#undef dev_fetch_add
#undef dev_fault
#undef dev_fetch_yields
#undef dev_fetch_yield

#undef DEV_IS_GPU
#define DEV_IS_GPU 1
#undef DEV_CPU_ATOMICS
#define DEV_CPU_ATOMICS (dev_state->gpu.native_atomics != 0)
#undef dev_state
#define dev_state (&model_state)

static struct ash_state model_state;

/* A block of threads. */
struct model_group {
    pthread_barrier_t barrier;
    unsigned size;
    uint64_t place;
};

static __thread struct model_group *model_group;
static __thread unsigned model_rank;
static __thread uint64_t model_random;

DEV uint64_t model_next(void)
{
    model_random = model_random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return model_random >> 33;
}

DEV void model_pause(void)
{
    if (model_next() % 32 == 0) sched_yield();
}

/* Atomics that a GPU made on memory of the CPU, though it cannot. */
static uint64_t model_wrong_atomics;
static __thread bool model_is_proxy;

/* As in device/target/cuda.h. */
DEV bool dev_fetch_yields(void) { return false; }
DEV bool dev_fetch_yield(void) { return false; }

DEV uint64_t dev_fetch_add(void *p, unsigned width, uint64_t value)
{
    if (!model_is_proxy && !DEV_CPU_ATOMICS) dev_fetch_add64(&model_wrong_atomics, 1);
    return host_fetch_add(p, width, value);
}

/* Who sees the tag sees the other word of its half. */
DEV void model_store_half(uint64_t *plain, uint64_t *tagged, uint64_t value, uint64_t tag_value)
{
    dev_store_relaxed(plain, 8, value);
    model_pause();
    dev_store_release64(tagged, tag_value);
    model_pause();
}

DEV void dev_store_slot_alone(uint64_t *slot, uint64_t word0, uint64_t word1, uint64_t word2,
                              uint64_t word3)
{
    bool swap = model_next() % 2;
    if (swap) model_store_half(&slot[1], &slot[0], word1, word0);
    model_store_half(&slot[2], &slot[3], word2, word3);
    if (!swap) model_store_half(&slot[1], &slot[0], word1, word0);
}

DEV void dev_load_pair(const uint64_t *p, uint64_t *ret_first, uint64_t *ret_second)
{
    *ret_second = dev_load_acquire64(&p[1]);
    *ret_first = dev_load_relaxed(&p[0], 8);
}

DEV unsigned dev_group_rank(enum ash_scope scope)
{
    return scope == ASH_SCOPE_THREAD ? 0 : model_rank;
}

DEV unsigned dev_group_size(enum ash_scope scope)
{
    return scope == ASH_SCOPE_THREAD ? 1 : model_group->size;
}

DEV void dev_group_sync(enum ash_scope scope)
{
    if (scope != ASH_SCOPE_THREAD) pthread_barrier_wait(&model_group->barrier);
}

DEV uint64_t dev_group_broadcast(enum ash_scope scope, uint64_t value)
{
    if (scope == ASH_SCOPE_THREAD) return value;
    if (model_rank == 0) model_group->place = value;
    dev_group_sync(scope);
    value = model_group->place;
    dev_group_sync(scope);
    return value;
}

DEV void dev_group_copy(enum ash_scope scope, void *to, const void *from, size_t nbytes)
{
    size_t i;
    for (i = dev_group_rank(scope); i < nbytes; i += dev_group_size(scope)) {
        if (i % 16 == 0) model_pause();
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    }
}

DEV void dev_group_copy_uncached(enum ash_scope scope, void *to, const void *from, size_t nbytes)
{
    dev_group_copy(scope, to, from, nbytes);
}

DEV void dev_fault(const struct ash_fault *fault) { host_fault(fault); }

#endif
