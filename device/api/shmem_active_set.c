/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry points of OpenSHMEM's collectives of active sets, for the host only.
 */
#include <shmem/active_set.h>

#include "device/routine/active_set.h"

#define ASH_SET ((struct ash_active_set){PE_start, logPE_stride, PE_size})
#define ASH_CALL(NAME, NELEMS, BYTES) \
    struct ash_collective_call call = {ASH_SCOPE_THREAD, #NAME, 0, dest, source, NELEMS, BYTES}; \
    (void)pSync

void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long *pSync)
{
    (void)pSync;
    ash_set_sync("shmem_barrier", ASH_SET, true);
}

void shmem_sync(int PE_start, int logPE_stride, int PE_size, long *pSync)
{
    (void)pSync;
    ash_set_sync("shmem_sync", ASH_SET, false);
}

#define ASH_DEFINE_MOVE(NAME, BYTES, WORK) \
    void NAME(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, \
              int PE_size, long *pSync) \
    { \
        ASH_CALL(NAME, nelems, BYTES); \
        WORK; \
    }
#define ASH_DEFINE_MOVES(SIZE) \
    void shmem_broadcast##SIZE(void *dest, const void *source, size_t nelems, int PE_root, \
                               int PE_start, int logPE_stride, int PE_size, long *pSync) \
    { \
        ASH_CALL(shmem_broadcast##SIZE, nelems, SIZE / 8); \
        ash_set_collective(call, ASH_SET, ASH_MEETING_BROADCAST, (uint64_t)(int64_t)PE_root); \
    } \
    ASH_DEFINE_MOVE(shmem_collect##SIZE, SIZE / 8, ash_set_collect(call, ASH_SET)) \
    ASH_DEFINE_MOVE(shmem_fcollect##SIZE, SIZE / 8, \
                    ash_set_collective(call, ASH_SET, ASH_MEETING_FCOLLECT, 0)) \
    ASH_DEFINE_MOVE(shmem_alltoall##SIZE, SIZE / 8, \
                    ash_set_collective(call, ASH_SET, ASH_MEETING_ALLTOALL, 0)) \
    void shmem_alltoalls##SIZE(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, \
                               size_t nelems, int PE_start, int logPE_stride, int PE_size, \
                               long *pSync) \
    { \
        ASH_CALL(shmem_alltoalls##SIZE, nelems, SIZE / 8); \
        ash_set_alltoalls(call, ASH_SET, (struct ash_strides){dst, sst}); \
    }
ASH_DEFINE_MOVES(32)
ASH_DEFINE_MOVES(64)

/* A negative nreduce becomes a size that is too large. */
#define ASH_DEFINE_REDUCTION(NAME, TYPE, NUMBER, VERB, OP) \
    void shmem_##NAME##_##VERB##_to_all(TYPE *dest, const TYPE *source, int nreduce, \
                                        int PE_start, int logPE_stride, int PE_size, TYPE *pWrk, \
                                        long *pSync) \
    { \
        ASH_CALL(shmem_##NAME##_##VERB##_to_all, (uint64_t)(int64_t)nreduce, sizeof(TYPE)); \
        (void)pWrk; \
        ash_set_collective(call, ASH_SET, ASH_MEETING_REDUCE, \
                           ash_collective_how(NUMBER, ASH_REDUCE_##OP)); \
    }
#define SHMEM_REDUCTION(NAME, TYPE, VERB, OP) \
    ASH_DEFINE_REDUCTION(NAME, TYPE, ASH_NUMBER(TYPE), VERB, OP)
#define SHMEM_COMPLEX_REDUCTION(NAME, TYPE, VERB, OP) \
    ASH_DEFINE_REDUCTION(NAME, TYPE, ASH_COMPLEX_NUMBER(TYPE), VERB, OP)
SHMEM_TO_ALL_REDUCTIONS
