/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM's extensions: initialization with attributes; copies of blocks; the
 * routines that a group of threads calls together.
 *
 * Document: Intel SHMEM, "Library Setup", "Point-To-Point Synchronization" and those
 * of the routines that the names here extend.
 */
#ifndef ISHMEMX_H
#define ISHMEMX_H

#include <ishmem.h>
#include <stdbool.h>

NVSHMEM_BEGIN_DECLS

/* The PEs on the caller's host. */
#define ISHMEMX_TEAM_NODE 2

/* The runtime that starts a job's processes.  Here it is always PMIx. */
typedef enum {
    ISHMEMX_RUNTIME_MPI,
    ISHMEMX_RUNTIME_OPENSHMEM,
    ISHMEMX_RUNTIME_PMI,
    ISHMEMX_RUNTIME_INVALID
} ishmemx_runtime_type_t;

/*
 * Attributes of ishmemx_init_attr.  In C++ the members have the same defaults as
 * the initializer for C: MPI, true, true, no communicator.
 */
#if defined(__cplusplus)
#define ASH_DEFAULT(value) = value
#else
#define ASH_DEFAULT(value)
#endif
typedef struct ishmemx_attr_t {
    /* INVALID is an error; with any other runtime the PEs are those of the launcher. */
    ishmemx_runtime_type_t runtime ASH_DEFAULT(ISHMEMX_RUNTIME_MPI);
    /* These two have no effect: PMIx is initialized if necessary, and device threads
     * are threads of the CPU. */
    bool initialize_runtime ASH_DEFAULT(true);
    bool gpu ASH_DEFAULT(true);
    /* NULL for all PEs of the job, or a pointer to a communicator: not supported. */
    void *mpi_comm ASH_DEFAULT(NULL);
} ishmemx_attr_t;
#undef ASH_DEFAULT
#define ISHMEMX_ATTR_INITIALIZER { ISHMEMX_RUNTIME_MPI, true, true, NULL }

/**
 * Start the library with attributes; query whether it is initialized, and the
 * runtime.
 *
 * @param attr         attributes; NULL for the defaults
 * @param initialized  out: 1 after an init and before the last finalize, else 0
 * @return             ISHMEMX_RUNTIME_PMI
 *
 * Callable: host; ishmemx_init_attr is collective, the others at any time.
 * Errors: attributes that are not supported end the program with a message.
 */
NVSHMEM_EXPORT void ishmemx_init_attr(ishmemx_attr_t *attr);
NVSHMEM_EXPORT void ishmemx_query_initialized(int *initialized);
NVSHMEM_EXPORT ishmemx_runtime_type_t ishmemx_runtime_get_type(void);

/**
 * Copy blocks of elements that are not contiguous to (ibput) or from (ibget) another PE.
 *
 * For the 23 standard RMA types, and for elements of 8 to 128 bits (ishmemx_ibputSIZE).
 *
 * @param dest     ibput: symmetric address; ibget: any local address
 * @param source   ibput: any local address; ibget: symmetric address
 * @param dst      from one block of dest to the next one, in elements; bsize means
 *                 contiguous; may be negative
 * @param sst      the same of source
 * @param bsize    elements of a block; 0 does nothing
 * @param nblocks  number of blocks; 0 does nothing
 * @param pe       the other PE, 0..ishmem_n_pes()-1
 *
 * Callable: host, device thread.  Concurrency, completion, order and errors: as for
 * ishmem_TYPENAME_iput and iget.
 */
#define ASH_BLOCKS_(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, \
                                  size_t bsize, size_t nblocks, int pe);
#define ASH_DECLARE(NAME, TYPE) \
    ASH_BLOCKS_(ishmemx_##NAME##_ibput, TYPE) \
    ASH_BLOCKS_(ishmemx_##NAME##_ibget, TYPE)
NVSHMEM_C_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#define ASH_DECLARE(SIZE) \
    ASH_BLOCKS_(ishmemx_ibput##SIZE, void) \
    ASH_BLOCKS_(ishmemx_ibget##SIZE, void)
NVSHMEM_SIZES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_BLOCKS_

/*
 * Groups of threads without a group object: the calling thread alone; its
 * sub-group (32 threads of one block with consecutive numbers, CUDA's warp); its
 * work-group (CUDA's block).  A host thread outside a kernel is a group of one.
 */
typedef enum {
    ISHMEMX_GROUP_THREAD,
    ISHMEMX_GROUP_SUB_GROUP,
    ISHMEMX_GROUP_WORK_GROUP
} ishmemx_group_t;

/**
 * Wait until a variable meets a comparison, or check once whether it does, as a
 * group: one thread reads the variable, and all return together with the same
 * result.  For the 12 standard AMO types.
 *
 * @param ivar       address of the variable in the caller's memory
 * @param cmp        ISHMEM_CMP_*
 * @param cmp_value  the value to compare the variable with
 * @param group      ISHMEMX_GROUP_*; in C++ also a group object, see
 *                   ishmem/group.h
 * @return           test: 1 if the comparison is met, else 0
 *
 * Collective: every thread of the group calls it, with the same arguments.
 * Order: what was written before the update that met the comparison, and is
 * ordered before it, is visible to all threads of the group after the call.
 * Callable: device thread; host (a group of one).
 * Errors: an unknown cmp or group, and an ivar that is NULL or not aligned, end the
 * program with a message.
 */
#define ASH_DECLARE(NAME, TYPE) \
    NVSHMEM_ROUTINE void ishmemx_##NAME##_wait_until_work_group( \
        TYPE *ivar, int cmp, TYPE cmp_value, ishmemx_group_t group); \
    NVSHMEM_ROUTINE int ishmemx_##NAME##_test_work_group(TYPE *ivar, int cmp, TYPE cmp_value, \
                                                         ishmemx_group_t group);
NVSHMEM_AMO_TYPES(ASH_DECLARE)
#undef ASH_DECLARE

NVSHMEM_END_DECLS

/* The names without a type, which only C++ has. */
#if defined(__cplusplus)
template <typename T>
NVSHMEM_INLINE void ishmemx_ibput(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst,
                                  size_t bsize, size_t nblocks, int pe) = delete;
template <typename T>
NVSHMEM_INLINE void ishmemx_ibget(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst,
                                  size_t bsize, size_t nblocks, int pe) = delete;
#define ASH_BLOCKS_(NAME, TYPE, VERB) \
    template <> \
    NVSHMEM_INLINE void ishmemx_##VERB(TYPE *dest, const TYPE *source, ptrdiff_t dst, \
                                       ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) \
    { \
        ishmemx_##NAME##_##VERB(dest, source, dst, sst, bsize, nblocks, pe); \
    }
#define ASH_DECLARE(NAME, TYPE) \
    ASH_BLOCKS_(NAME, TYPE, ibput) \
    ASH_BLOCKS_(NAME, TYPE, ibget)
NVSHMEM_DISTINCT_RMA_TYPES(ASH_DECLARE)
#undef ASH_DECLARE
#undef ASH_BLOCKS_
#endif

#include <ishmem/group.h>

#endif
