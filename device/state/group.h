/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of threads that call a routine together: the scopes.
 *
 * Every thread of a group calls the group's routine, with the same arguments.  The
 * thread of rank 0 is the leader, which does what must happen once.
 * target/host.h and target/cuda.h define, for each scope:
 *
 *   dev_group_rank(scope)        the caller's number in its group, from 0
 *   dev_group_size(scope)        threads of the group
 *   dev_group_sync(scope)        barrier; all see after it what each wrote before it
 *   dev_group_broadcast(scope, value)   barrier; returns the leader's value to all
 *   dev_group_copy(scope, to, from, nbytes)   each copies a part; nobody waits
 *
 * A warp is 32 threads of one block with consecutive numbers; the last warp may
 * have fewer.  A host thread outside of a grid is the only one of its group.
 * With a constant ASH_SCOPE_THREAD all these functions fold to nothing.
 */
#ifndef ASH_DEVICE_STATE_GROUP_H
#define ASH_DEVICE_STATE_GROUP_H

enum ash_scope {
    ASH_SCOPE_THREAD,
    ASH_SCOPE_WARP,
    ASH_SCOPE_BLOCK
};

#endif
