/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of the host device, the threads of a warp or a block: barriers and copies.
 */
#ifndef ASH_DEVICE_TARGET_HOST_GROUP_H
#define ASH_DEVICE_TARGET_HOST_GROUP_H

DEV unsigned dev_group_rank(enum ash_scope scope)
{
    return scope == ASH_SCOPE_THREAD ? 0 : ash_hostdev_group_rank(scope);
}

DEV unsigned dev_group_size(enum ash_scope scope)
{
    return scope == ASH_SCOPE_THREAD ? 1 : ash_hostdev_group_size(scope);
}

DEV void dev_group_sync(enum ash_scope scope)
{
    if (scope != ASH_SCOPE_THREAD) ash_hostdev_group_sync(scope);
}

/* Each thread acts for itself. */
DEV bool dev_lanes_join(unsigned *ret_lanes) { return *ret_lanes = 0, true; }
DEV void dev_lanes_part(unsigned lanes) { (void)lanes; }

DEV uint64_t dev_group_broadcast(enum ash_scope scope, uint64_t value)
{
    return scope == ASH_SCOPE_THREAD ? value : ash_hostdev_group_broadcast(scope, value);
}

/* Each thread copies a range of whole cache lines of `to`; no overlap. */
DEV void dev_group_copy(enum ash_scope scope, void *to, const void *from, size_t nbytes)
{
    size_t size = dev_group_size(scope), before = (uintptr_t)to % DEV_LINE;
    size_t piece = (before + nbytes + size * DEV_LINE - 1) / (size * DEV_LINE) * DEV_LINE;
    size_t begin = dev_group_rank(scope) * piece, end = begin + piece - before;
    begin = begin > before ? begin - before : 0;
    if (end > nbytes) end = nbytes;
    if (begin < end) memcpy((char *)to + begin, (const char *)from + begin, end - begin);
}

DEV void dev_group_copy_uncached(enum ash_scope scope, void *to, const void *from, size_t nbytes)
{
    dev_group_copy(scope, to, from, nbytes);
}

#endif
