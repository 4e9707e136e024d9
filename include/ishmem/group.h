/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM, C++: wait and test with a group object; group_routines.h has the others.
 *
 * Any type can be a group, SYCL's group and sub_group among them.  It needs three
 * operations, as const members or as functions that argument-dependent lookup
 * finds.  The first form that exists is used:
 *
 *   leader        group.leader(), true in one thread;
 *                 group.get_local_linear_id(), 0 in one thread;
 *                 group.thread_rank(), 0 in one thread
 *   barrier       group_barrier(group), group.barrier(), group.sync();
 *                 what each thread wrote before it is visible to all after it
 *   broadcast     group_broadcast(group, value), group.broadcast(value),
 *                 group.shfl(value, 0); returns the leader's int to all threads.
 *                 Only what returns more than 0 needs it: tests, waits for any or
 *                 some, and for a signal.
 *
 * With a type that lacks one, the program does not compile.  Only the leader reads
 * the variable, while the others wait in the group's own barrier.  In a kernel of
 * the host device this must be a barrier of the host device (anyshmem_sync_block,
 * anyshmem_sync_warp), or the leader may never run.
 */
#ifndef ISHMEM_GROUP_H
#define ISHMEM_GROUP_H

#include <ishmemx.h>

#if defined(__cplusplus)

namespace ash_group {

/* Ranks overloads: overload resolution prefers the one with the highest number. */
template <int N>
struct choice : choice<N - 1> {};
template <>
struct choice<0> {};

template <typename Group>
NVSHMEM_INLINE auto leads(const Group &group, choice<2>) -> decltype(bool(group.leader()))
{
    return group.leader();
}

template <typename Group>
NVSHMEM_INLINE auto leads(const Group &group, choice<1>)
    -> decltype(group.get_local_linear_id() == 0)
{
    return group.get_local_linear_id() == 0;
}

template <typename Group>
NVSHMEM_INLINE auto leads(const Group &group, choice<0>) -> decltype(group.thread_rank() == 0)
{
    return group.thread_rank() == 0;
}

template <typename Group>
NVSHMEM_INLINE auto meet(const Group &group, choice<2>) -> decltype(void(group_barrier(group)))
{
    group_barrier(group);
}

template <typename Group>
NVSHMEM_INLINE auto meet(const Group &group, choice<1>) -> decltype(void(group.barrier()))
{
    group.barrier();
}

template <typename Group>
NVSHMEM_INLINE auto meet(const Group &group, choice<0>) -> decltype(void(group.sync()))
{
    group.sync();
}

template <typename Group>
NVSHMEM_INLINE auto tell(const Group &group, int value, choice<2>)
    -> decltype(int(group_broadcast(group, value)))
{
    return group_broadcast(group, value);
}

template <typename Group>
NVSHMEM_INLINE auto tell(const Group &group, int value, choice<1>)
    -> decltype(int(group.broadcast(value)))
{
    return group.broadcast(value);
}

template <typename Group>
NVSHMEM_INLINE auto tell(const Group &group, int value, choice<0>)
    -> decltype(int(group.shfl(value, 0)))
{
    return group.shfl(value, 0);
}

/* The leader calls `one`, the routine that waits as a group of one thread. */
template <typename T, typename Group>
NVSHMEM_INLINE void wait_until(void (*one)(T *, int, T, ishmemx_group_t), T *ivar, int cmp,
                               T cmp_value, const Group &group)
{
    if (leads(group, choice<2>())) one(ivar, cmp, cmp_value, ISHMEMX_GROUP_THREAD);
    meet(group, choice<2>());
}

/* The broadcast returns only the result: the barrier makes the sender's data visible. */
template <typename T, typename Group>
NVSHMEM_INLINE int test(int (*one)(T *, int, T, ishmemx_group_t), T *ivar, int cmp, T cmp_value,
                        const Group &group)
{
    int met = leads(group, choice<2>()) ? one(ivar, cmp, cmp_value, ISHMEMX_GROUP_THREAD) : 0;
    meet(group, choice<2>());
    return tell(group, met, choice<2>());
}

} /* namespace ash_group */

#define ASH_DECLARE(NAME, TYPE) \
    template <typename Group> \
    NVSHMEM_INLINE void ishmemx_##NAME##_wait_until_work_group(TYPE *ivar, int cmp, \
                                                               TYPE cmp_value, \
                                                               const Group &group) \
    { \
        ash_group::wait_until<TYPE>(ishmemx_##NAME##_wait_until_work_group, ivar, cmp, cmp_value, \
                                    group); \
    } \
    template <typename Group> \
    NVSHMEM_INLINE int ishmemx_##NAME##_test_work_group(TYPE *ivar, int cmp, TYPE cmp_value, \
                                                        const Group &group) \
    { \
        return ash_group::test<TYPE>(ishmemx_##NAME##_test_work_group, ivar, cmp, cmp_value, \
                                     group); \
    }
NVSHMEM_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

/* The routines of one type for ISHMEMX_GROUP_*, as template arguments. */
namespace ash_group {
template <typename T>
struct routines;
#define ASH_DECLARE(NAME, TYPE) \
    template <> \
    struct routines<TYPE> { \
        static NVSHMEM_INLINE void wait_until(TYPE *ivar, int cmp, TYPE cmp_value, \
                                              ishmemx_group_t group) \
        { \
            ishmemx_##NAME##_wait_until_work_group(ivar, cmp, cmp_value, group); \
        } \
        static NVSHMEM_INLINE int test(TYPE *ivar, int cmp, TYPE cmp_value, \
                                       ishmemx_group_t group) \
        { \
            return ishmemx_##NAME##_test_work_group(ivar, cmp, cmp_value, group); \
        } \
    };
NVSHMEM_DISTINCT_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
} /* namespace ash_group */

/* The same routines without a type in the name. */
template <typename T>
NVSHMEM_INLINE void ishmemx_wait_until_work_group(T *ivar, int cmp, T cmp_value,
                                                  ishmemx_group_t group)
{
    ash_group::routines<T>::wait_until(ivar, cmp, cmp_value, group);
}

template <typename T>
NVSHMEM_INLINE int ishmemx_test_work_group(T *ivar, int cmp, T cmp_value, ishmemx_group_t group)
{
    return ash_group::routines<T>::test(ivar, cmp, cmp_value, group);
}

template <typename T, typename Group>
NVSHMEM_INLINE void ishmemx_wait_until_work_group(T *ivar, int cmp, T cmp_value,
                                                  const Group &group)
{
    ash_group::wait_until<T>(ash_group::routines<T>::wait_until, ivar, cmp, cmp_value, group);
}

template <typename T, typename Group>
NVSHMEM_INLINE int ishmemx_test_work_group(T *ivar, int cmp, T cmp_value, const Group &group)
{
    return ash_group::test<T>(ash_group::routines<T>::test, ivar, cmp, cmp_value, group);
}

#endif

#include <ishmem/group_routines.h>

#endif
