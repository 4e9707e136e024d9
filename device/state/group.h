/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of threads that do one thing together: who they are.
 *
 * A routine of a group is called by every thread of it, with the same
 * arguments.  The thread of rank 0 is the leader: what must happen once, it does.
 * target/host.h and target/cuda.h define, for each scope:
 *
 *   dev_group_rank(scope)        the caller's number in its group, from 0
 *   dev_group_size(scope)        threads of the group
 *   dev_group_sync(scope)        barrier; what each wrote before, all see after
 *   dev_group_broadcast(scope, value)   barrier; returns the leader's value to all
 *   dev_group_copy(scope, to, from, nbytes)   each copies a part; nobody waits
 *
 * A warp is 32 threads with consecutive numbers of one block, the last one may
 * have fewer.  A host thread outside of a grid is the only one of its group.
 * With a constant ASH_SCOPE_THREAD all of them fold to nothing.
 */
#ifndef ASH_DEVICE_STATE_GROUP_H
#define ASH_DEVICE_STATE_GROUP_H

enum ash_scope {
    ASH_SCOPE_THREAD,
    ASH_SCOPE_WARP,
    ASH_SCOPE_BLOCK
};

#endif
