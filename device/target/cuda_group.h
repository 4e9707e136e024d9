/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warps and blocks of a GPU (group.h), and copying by their threads.
 *
 * A thread loads eight units before it stores the first: over the link to the CPU a load takes a
 * microsecond, and a store waits for its load.  On an H100 a block of 512 threads gets 36 GB/s so,
 * and 20 with four.
 */
#ifndef ASH_DEVICE_TARGET_CUDA_GROUP_H
#define ASH_DEVICE_TARGET_CUDA_GROUP_H

/* The caller's number in its block. */
DEV unsigned dev_thread_number(void)
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

DEV unsigned dev_group_rank(enum ash_scope scope)
{
    return scope == ASH_SCOPE_THREAD ? 0
           : scope == ASH_SCOPE_WARP ? dev_thread_number() % 32
                                     : dev_thread_number();
}

DEV unsigned dev_group_size(enum ash_scope scope)
{
    unsigned left = blockDim.x * blockDim.y * blockDim.z;
    if (scope == ASH_SCOPE_THREAD) return 1;
    if (scope == ASH_SCOPE_BLOCK) return left;
    left -= dev_thread_number() / 32 * 32;
    return left < 32 ? left : 32;
}

/* The mask of the lanes that exist in the caller's warp: the last warp of a block has fewer. */
DEV unsigned dev_warp_mask(void)
{
    return 0xffffffffu >> (32 - dev_group_size(ASH_SCOPE_WARP));
}

DEV void dev_group_sync(enum ash_scope scope)
{
    if (scope == ASH_SCOPE_WARP) __syncwarp(dev_warp_mask());
    if (scope == ASH_SCOPE_BLOCK) __syncthreads();
}

/* The leader's value stays in place until all have read it: a barrier before, one after. */
DEV uint64_t dev_block_broadcast(uint64_t value)
{
    __shared__ uint64_t place;
    if (dev_thread_number() == 0) place = value;
    __syncthreads();
    value = place;
    __syncthreads();
    return value;
}

DEV uint64_t dev_group_broadcast(enum ash_scope scope, uint64_t value)
{
    if (scope == ASH_SCOPE_THREAD) return value;
    if (scope == ASH_SCOPE_BLOCK) return dev_block_broadcast(value);
    /* A shuffle moves the value; only the barrier orders memory. */
    __syncwarp(dev_warp_mask());
    return __shfl_sync(dev_warp_mask(), (unsigned long long)value, 0);
}

/*
 * The lanes of a warp that are here at once, of which one acts for all until they part.  What they
 * did before they joined comes before what it does, and that before what they do then.
 */
DEV bool dev_lanes_join(unsigned *ret_lanes)
{
    unsigned lanes = __activemask();
    __syncwarp(lanes);
    *ret_lanes = lanes;
    return (lanes & dev_lanes_below()) == 0;
}

DEV void dev_lanes_part(unsigned lanes) { __syncwarp(lanes); }

struct alignas(16) dev_unit16 {
    uint64_t word[2];
};

/*
 * Uncached loads bypass the cache of the SM, which may hold what was there before
 * another PE or the proxy wrote.  They are for memory of the CPU only; plain loads are
 * for any memory, a thread's own and a block's as well.
 */
DEV dev_unit16 dev_load_uncached(const dev_unit16 *p)
{
    dev_unit16 unit;
    dev_load_pair(p->word, &unit.word[0], &unit.word[1]);
    return unit;
}
DEV uint64_t dev_load_uncached(const uint64_t *p) { return dev_load_relaxed(p, 8); }
DEV uint32_t dev_load_uncached(const uint32_t *p) { return (uint32_t)dev_load_relaxed(p, 4); }
DEV uint16_t dev_load_uncached(const uint16_t *p) { return (uint16_t)dev_load_relaxed(p, 2); }
DEV uint8_t dev_load_uncached(const uint8_t *p) { return (uint8_t)dev_load_relaxed(p, 1); }

template <bool uncached, typename T> DEV T dev_load_unit(const T *p)
{
    return uncached ? dev_load_uncached(p) : *p;
}

/* Copy `depth` units, each `step` units after the one before. */
template <bool uncached, unsigned depth, typename T>
DEV void dev_copy_batch(T *to, const T *from, unsigned step)
{
    T unit[depth];
    unsigned k;
    for (k = 0; k < depth; k++, from += step) unit[k] = dev_load_unit<uncached>(from);
    for (k = 0; k < depth; k++, to += step) *to = unit[k];
}

/* Copy units first, first + step, ... of n, in rising order. */
template <bool uncached, typename T>
DEV void dev_copy_units(T *to, const T *from, size_t n, unsigned first, unsigned step)
{
    size_t i = first;
    for (; i + 7 * step < n; i += 8 * step) dev_copy_batch<uncached, 8>(to + i, from + i, step);
    if (i + 3 * step < n) {
        dev_copy_batch<uncached, 4>(to + i, from + i, step);
        i += 4 * step;
    }
    if (i + step < n) {
        dev_copy_batch<uncached, 2>(to + i, from + i, step);
        i += 2 * step;
    }
    if (i < n) dev_copy_batch<uncached, 1>(to + i, from + i, step);
}

/* What is left of a copy. */
struct dev_rest {
    unsigned char *to;
    const unsigned char *from;
    size_t nbytes;
};

DEV void dev_rest_skip(dev_rest *rest, size_t nbytes)
{
    rest->to += nbytes;
    rest->from += nbytes;
    rest->nbytes -= nbytes;
}

/* Go past one unit of T, if it is wanted and that much is left; if `mine`, copy it. */
template <bool uncached, typename T> DEV void dev_copy_one(dev_rest *rest, bool wanted, bool mine)
{
    if (!wanted || rest->nbytes < sizeof(T)) return;
    if (mine) *(T *)rest->to = dev_load_unit<uncached>((const T *)rest->from);
    dev_rest_skip(rest, sizeof(T));
}

/* Is the thread the one that takes odd part k?  Those that the group has no thread for are the
 * first's.  No remainder of a division: seven of them took 0.6 us. */
DEV bool dev_takes_part(unsigned k, unsigned first, unsigned step)
{
    return first == (k < step ? k : 0);
}

/* Copy up to the first aligned unit of T, in the smaller units that the address requires. */
template <bool uncached, typename T>
DEV void dev_copy_before(dev_rest *rest, unsigned first, unsigned step)
{
    uintptr_t begin = (uintptr_t)rest->to;
    uintptr_t units = (0 - begin) % sizeof(T);
    dev_copy_one<uncached, uint8_t>(rest, units & 1, first == 0);
    dev_copy_one<uncached, uint16_t>(rest, units & 2, dev_takes_part(1, first, step));
    dev_copy_one<uncached, uint32_t>(rest, units & 4, dev_takes_part(2, first, step));
    dev_copy_one<uncached, uint64_t>(rest, units & 8, dev_takes_part(3, first, step));
}

/* Copy what is left behind the whole units of T, which is less than one of them. */
template <bool uncached> DEV void dev_copy_behind(dev_rest *rest, unsigned first, unsigned step)
{
    dev_copy_one<uncached, uint64_t>(rest, true, dev_takes_part(4, first, step));
    dev_copy_one<uncached, uint32_t>(rest, true, dev_takes_part(5, first, step));
    dev_copy_one<uncached, uint16_t>(rest, true, dev_takes_part(6, first, step));
    dev_copy_one<uncached, uint8_t>(rest, true, dev_takes_part(7, first, step));
}

/*
 * Copy whole units of T, and before and behind them the largest units that fit, so that
 * an aligned variable is copied by a single access.
 */
template <bool uncached, typename T>
DEV void dev_copy_aligned(dev_rest rest, unsigned first, unsigned step)
{
    size_t units;
    dev_copy_before<uncached, T>(&rest, first, step);
    units = rest.nbytes / sizeof(T);
    dev_copy_units<uncached>((T *)rest.to, (const T *)rest.from, units, first, step);
    dev_rest_skip(&rest, units * sizeof(T));
    dev_copy_behind<uncached>(&rest, first, step);
}

/* A thread's part of a copy: every step-th unit, of the largest that both addresses allow. */
template <bool uncached>
DEV_NOINLINE void dev_copy_part(void *to_any, const void *from_any, size_t nbytes, unsigned first,
                                unsigned step)
{
    dev_rest all = {(unsigned char *)to_any, (const unsigned char *)from_any, nbytes};
    uintptr_t differ = (uintptr_t)to_any ^ (uintptr_t)from_any;
    if (differ % 16 == 0)
        dev_copy_aligned<uncached, dev_unit16>(all, first, step);
    else if (differ % 8 == 0)
        dev_copy_aligned<uncached, uint64_t>(all, first, step);
    else if (differ % 4 == 0)
        dev_copy_aligned<uncached, uint32_t>(all, first, step);
    else if (differ % 2 == 0)
        dev_copy_aligned<uncached, uint16_t>(all, first, step);
    else
        dev_copy_units<uncached>(all.to, all.from, nbytes, first, step);
}

/*
 * Rising order is right for any overlap but that of a `to` that lies within `from`,
 * which is copied backwards.  In place, as a root's part in a collective may be, there is
 * nothing to copy.
 */
template <bool uncached> DEV void dev_copy_as(void *to, const void *from, size_t nbytes)
{
    unsigned char *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    size_t i;
    if (to == from) return;
    if ((uintptr_t)to - (uintptr_t)from >= nbytes)
        dev_copy_part<uncached>(to, from, nbytes, 0, 1);
    else
        for (i = nbytes; i > 0; i--) t[i - 1] = dev_load_unit<uncached>(f + i - 1);
}

DEV void dev_copy(void *to, const void *from, size_t nbytes)
{
    dev_copy_as<false>(to, from, nbytes);
}

/*
 * One thread's uncached loads of neighbouring units wait for each other, for they are of one sector
 * of memory; a warp's are one access.  So where there are several it drops what the cache has, and
 * then uses it: on an H100 4 KiB take 46 us in place of 217.
 */
DEV void dev_copy_uncached(void *to, const void *from, size_t nbytes)
{
    if (nbytes <= sizeof(struct dev_unit16)) {
        dev_copy_as<true>(to, from, nbytes);
        return;
    }
    dev_fence_acquire();
    dev_copy_as<false>(to, from, nbytes);
}

/* Neighbouring threads copy neighbouring units; no overlap. */
DEV void dev_group_copy(enum ash_scope scope, void *to, const void *from, size_t nbytes)
{
    dev_copy_part<false>(to, from, nbytes, dev_group_rank(scope), dev_group_size(scope));
}

DEV void dev_group_copy_uncached(enum ash_scope scope, void *to, const void *from, size_t nbytes)
{
    dev_copy_part<true>(to, from, nbytes, dev_group_rank(scope), dev_group_size(scope));
}

#endif
