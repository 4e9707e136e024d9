/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM, C++: the other routines that a group object calls: copies, collectives, waits
 * and tests for many variables, order.
 *
 * Each does what the routine of one thread does whose name it extends by _work_group, with the
 * same arguments and, last, the group (ishmem/group.h).  All threads of the group call it with
 * the same arguments: they meet, the leader calls the routine, they meet again, and all return
 * its result.  With those without TYPENAME the type is that of the pointers.
 *
 * Callable: device thread; host (a group of one).  Order: what a thread of the group wrote
 * before the call is part of what the leader sends; what the leader received is visible to all
 * threads after it.  Errors: as for the routine of one thread.
 */
#ifndef ISHMEM_GROUP_ROUTINES_H
#define ISHMEM_GROUP_ROUTINES_H

#include <ishmem/group.h>

#if defined(__cplusplus)

namespace ash_group {

/* To all threads, as two numbers of 32 bits. */
template <typename Group>
NVSHMEM_INLINE uint64_t tell_wide(const Group &group, uint64_t value)
{
    uint32_t low = (uint32_t)tell(group, (int)(uint32_t)value, choice<2>()), high;
    /* All have read the first number. */
    meet(group, choice<2>());
    high = (uint32_t)tell(group, (int)(uint32_t)(value >> 32), choice<2>());
    return (uint64_t)high << 32 | low;
}

} /* namespace ash_group */

/* The bodies: what the leader calls returns nothing, an int or a number of 64 bits. */
#define ASH_LEADER_(...) \
    ash_group::meet(group, ash_group::choice<2>()); \
    if (ash_group::leads(group, ash_group::choice<2>())) __VA_ARGS__; \
    ash_group::meet(group, ash_group::choice<2>());
#define ASH_LEADER_TELLS_(RETURNS, TELL, ...) \
    RETURNS result = 0; \
    ASH_LEADER_(result = __VA_ARGS__) \
    return (RETURNS)TELL;
/* What returns 0, if it returns. */
#define ASH_LEADER_ZERO_(...) \
    ASH_LEADER_((void)__VA_ARGS__) \
    return 0;
#define ASH_LEADER_INT_(...) \
    ASH_LEADER_TELLS_(int, ash_group::tell(group, result, ash_group::choice<2>()), __VA_ARGS__)
#define ASH_LEADER_WIDE_(...) \
    ASH_LEADER_TELLS_(uint64_t, ash_group::tell_wide(group, result), __VA_ARGS__)

/* A routine for a type; its name without one.  BODY is one of the macros above. */
#define ASH_FOR_TYPE_(RETURNS, FUNCTION, PARAMETERS, BODY, CALL) \
    template <typename Group> \
    NVSHMEM_INLINE RETURNS FUNCTION PARAMETERS \
    { \
        BODY(CALL) \
    }
#define ASH_FOR_ALL_(RETURNS, FUNCTION, PARAMETERS, BODY, CALL) \
    template <typename T, typename Group> \
    NVSHMEM_INLINE RETURNS FUNCTION PARAMETERS \
    { \
        BODY(CALL) \
    }

/* Copies.  FOR is one of the two macros above; BODY names are of routines of one thread. */

#define ASH_COPY_(FOR, FUNCTION, ROUTINE, TYPE) \
    FOR(void, FUNCTION, (TYPE *dest, const TYPE *source, size_t nelems, int pe, \
                         const Group &group), \
        ASH_LEADER_, ROUTINE(dest, source, nelems, pe))
#define ASH_SIGNAL_(FOR, FUNCTION, ROUTINE, TYPE) \
    FOR(void, FUNCTION, (TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, \
                         uint64_t signal, int sig_op, int pe, const Group &group), \
        ASH_LEADER_, ROUTINE(dest, source, nelems, sig_addr, signal, sig_op, pe))
#define ASH_STRIDED_(FOR, FUNCTION, ROUTINE, TYPE) \
    FOR(void, FUNCTION, (TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, \
                         size_t nelems, int pe, const Group &group), \
        ASH_LEADER_, ROUTINE(dest, source, dst, sst, nelems, pe))
#define ASH_BLOCKS_(FOR, FUNCTION, ROUTINE, TYPE) \
    FOR(void, FUNCTION, (TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, \
                         size_t bsize, size_t nblocks, int pe, const Group &group), \
        ASH_LEADER_, ROUTINE(dest, source, dst, sst, bsize, nblocks, pe))

/* PUT and GET are what the names have between ishmem_ and the end. */
#define ASH_COPIES_(FOR, PUT, GET, TYPE) \
    ASH_COPY_(FOR, ishmemx_##PUT##_work_group, ishmem_##PUT, TYPE) \
    ASH_COPY_(FOR, ishmemx_##GET##_work_group, ishmem_##GET, TYPE) \
    ASH_COPY_(FOR, ishmemx_##PUT##_nbi_work_group, ishmem_##PUT##_nbi, TYPE) \
    ASH_COPY_(FOR, ishmemx_##GET##_nbi_work_group, ishmem_##GET##_nbi, TYPE) \
    ASH_SIGNAL_(FOR, ishmemx_##PUT##_signal_work_group, ishmem_##PUT##_signal, TYPE) \
    ASH_SIGNAL_(FOR, ishmemx_##PUT##_signal_nbi_work_group, ishmem_##PUT##_signal_nbi, TYPE)
#define ASH_ISTRIDED_(FOR, PUT, GET, TYPE) \
    ASH_STRIDED_(FOR, ishmemx_##PUT##_work_group, ishmem_##PUT, TYPE) \
    ASH_STRIDED_(FOR, ishmemx_##GET##_work_group, ishmem_##GET, TYPE)
#define ASH_IBLOCKS_(FOR, PUT, GET, TYPE) \
    ASH_BLOCKS_(FOR, ishmemx_##PUT##_work_group, ishmemx_##PUT, TYPE) \
    ASH_BLOCKS_(FOR, ishmemx_##GET##_work_group, ishmemx_##GET, TYPE)
#define ASH_DECLARE(NAME, TYPE) \
    ASH_COPIES_(ASH_FOR_TYPE_, NAME##_put, NAME##_get, TYPE) \
    ASH_ISTRIDED_(ASH_FOR_TYPE_, NAME##_iput, NAME##_iget, TYPE) \
    ASH_IBLOCKS_(ASH_FOR_TYPE_, NAME##_ibput, NAME##_ibget, TYPE)
NVSHMEM_C_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#define ASH_DECLARE(SIZE) \
    ASH_COPIES_(ASH_FOR_TYPE_, put##SIZE, get##SIZE, void) \
    ASH_ISTRIDED_(ASH_FOR_TYPE_, iput##SIZE, iget##SIZE, void) \
    ASH_IBLOCKS_(ASH_FOR_TYPE_, ibput##SIZE, ibget##SIZE, void)
NVSHMEM_SIZES(ASH_DECLARE)
#undef ASH_DECLARE
ASH_COPIES_(ASH_FOR_TYPE_, putmem, getmem, void)
ASH_COPIES_(ASH_FOR_ALL_, put, get, T)
ASH_ISTRIDED_(ASH_FOR_ALL_, iput, iget, T)
ASH_IBLOCKS_(ASH_FOR_ALL_, ibput, ibget, T)
#undef ASH_COPIES_
#undef ASH_ISTRIDED_
#undef ASH_IBLOCKS_
#undef ASH_COPY_
#undef ASH_SIGNAL_
#undef ASH_STRIDED_
#undef ASH_BLOCKS_

/* Collectives, of all PEs and of a team. */

#define ASH_GATHER_(FOR, VERB, TYPE) \
    FOR(int, ishmemx_##VERB##_work_group, \
        (TYPE *dest, const TYPE *source, size_t nelems, const Group &group), ASH_LEADER_ZERO_, \
        ishmem_##VERB(dest, source, nelems)) \
    FOR(int, ishmemx_##VERB##_work_group, \
        (ishmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems, const Group &group), \
        ASH_LEADER_ZERO_, ishmem_##VERB(team, dest, source, nelems))
#define ASH_BROADCAST_(FOR, VERB, TYPE) \
    FOR(int, ishmemx_##VERB##_work_group, \
        (TYPE *dest, const TYPE *source, size_t nelems, int root, const Group &group), \
        ASH_LEADER_ZERO_, ishmem_##VERB(dest, source, nelems, root)) \
    FOR(int, ishmemx_##VERB##_work_group, \
        (ishmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems, int root, \
         const Group &group), \
        ASH_LEADER_ZERO_, ishmem_##VERB(team, dest, source, nelems, root))
#define ASH_DECLARE(NAME, TYPE) \
    ASH_BROADCAST_(ASH_FOR_TYPE_, NAME##_broadcast, TYPE) \
    ASH_GATHER_(ASH_FOR_TYPE_, NAME##_collect, TYPE) \
    ASH_GATHER_(ASH_FOR_TYPE_, NAME##_fcollect, TYPE) \
    ASH_GATHER_(ASH_FOR_TYPE_, NAME##_alltoall, TYPE) \
    ASH_GATHER_(ASH_FOR_TYPE_, NAME##_sum_inscan, TYPE) \
    ASH_GATHER_(ASH_FOR_TYPE_, NAME##_sum_exscan, TYPE)
NVSHMEM_C_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
ASH_BROADCAST_(ASH_FOR_TYPE_, broadcastmem, void)
ASH_GATHER_(ASH_FOR_TYPE_, collectmem, void)
ASH_GATHER_(ASH_FOR_TYPE_, fcollectmem, void)
ASH_GATHER_(ASH_FOR_TYPE_, alltoallmem, void)
#define ISHMEM_REDUCTION(NAME, TYPE, VERB, OP) \
    ASH_GATHER_(ASH_FOR_TYPE_, NAME##_##VERB##_reduce, TYPE)
ISHMEM_REDUCTIONS
#undef ISHMEM_REDUCTION
ASH_BROADCAST_(ASH_FOR_ALL_, broadcast, T)
ASH_GATHER_(ASH_FOR_ALL_, collect, T)
ASH_GATHER_(ASH_FOR_ALL_, fcollect, T)
ASH_GATHER_(ASH_FOR_ALL_, alltoall, T)
ASH_GATHER_(ASH_FOR_ALL_, sum_inscan, T)
ASH_GATHER_(ASH_FOR_ALL_, sum_exscan, T)
ASH_GATHER_(ASH_FOR_ALL_, sum_reduce, T)
ASH_GATHER_(ASH_FOR_ALL_, prod_reduce, T)
ASH_GATHER_(ASH_FOR_ALL_, min_reduce, T)
ASH_GATHER_(ASH_FOR_ALL_, max_reduce, T)
ASH_GATHER_(ASH_FOR_ALL_, and_reduce, T)
ASH_GATHER_(ASH_FOR_ALL_, or_reduce, T)
ASH_GATHER_(ASH_FOR_ALL_, xor_reduce, T)
#undef ASH_GATHER_
#undef ASH_BROADCAST_

/* Waits and tests for many variables. */

#define ASH_SET_(FOR, RETURNS, BODY, VERB, TYPE, VALUE) \
    FOR(RETURNS, ishmemx_##VERB##_work_group, \
        (TYPE *ivars, size_t nelems, const int *status, int cmp, VALUE value, \
         const Group &group), \
        BODY, ishmem_##VERB(ivars, nelems, status, cmp, value))
#define ASH_SOME_(FOR, VERB, TYPE, VALUE) \
    FOR(size_t, ishmemx_##VERB##_work_group, \
        (TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, VALUE value, \
         const Group &group), \
        ASH_LEADER_WIDE_, ishmem_##VERB(ivars, nelems, indices, status, cmp, value))
/* PREFIX is what the names have between ishmem_ and the verb. */
#define ASH_SETS_(FOR, PREFIX, SUFFIX, TYPE, VALUE) \
    ASH_SET_(FOR, void, ASH_LEADER_, PREFIX##wait_until_all##SUFFIX, TYPE, VALUE) \
    ASH_SET_(FOR, size_t, ASH_LEADER_WIDE_, PREFIX##wait_until_any##SUFFIX, TYPE, VALUE) \
    ASH_SOME_(FOR, PREFIX##wait_until_some##SUFFIX, TYPE, VALUE) \
    ASH_SET_(FOR, int, ASH_LEADER_INT_, PREFIX##test_all##SUFFIX, TYPE, VALUE) \
    ASH_SET_(FOR, size_t, ASH_LEADER_WIDE_, PREFIX##test_any##SUFFIX, TYPE, VALUE) \
    ASH_SOME_(FOR, PREFIX##test_some##SUFFIX, TYPE, VALUE)
#define ASH_DECLARE(NAME, TYPE) \
    ASH_SETS_(ASH_FOR_TYPE_, NAME##_, , TYPE, TYPE) \
    ASH_SETS_(ASH_FOR_TYPE_, NAME##_, _vector, TYPE, const TYPE *)
NVSHMEM_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
ASH_SETS_(ASH_FOR_ALL_, , , T, T)
ASH_SETS_(ASH_FOR_ALL_, , _vector, T, const T *)
#undef ASH_SETS_
#undef ASH_SET_
#undef ASH_SOME_

/* A signal; order, barriers. */

ASH_FOR_TYPE_(uint64_t, ishmemx_signal_wait_until_work_group,
              (uint64_t *sig_addr, int cmp, uint64_t cmp_value, const Group &group),
              ASH_LEADER_WIDE_, ishmem_signal_wait_until(sig_addr, cmp, cmp_value))
ASH_FOR_TYPE_(void, ishmemx_fence_work_group, (const Group &group), ASH_LEADER_, ishmem_fence())
ASH_FOR_TYPE_(void, ishmemx_quiet_work_group, (const Group &group), ASH_LEADER_, ishmem_quiet())
ASH_FOR_TYPE_(void, ishmemx_barrier_all_work_group, (const Group &group), ASH_LEADER_,
              ishmem_barrier_all())
ASH_FOR_TYPE_(void, ishmemx_sync_all_work_group, (const Group &group), ASH_LEADER_,
              ishmem_sync_all())
ASH_FOR_TYPE_(void, ishmemx_team_sync_work_group, (ishmem_team_t team, const Group &group),
              ASH_LEADER_, (void)ishmem_team_sync(team))

#undef ASH_FOR_TYPE_
#undef ASH_FOR_ALL_
#undef ASH_LEADER_
#undef ASH_LEADER_INT_
#undef ASH_LEADER_ZERO_
#undef ASH_LEADER_WIDE_
#undef ASH_LEADER_TELLS_

#endif

#endif
