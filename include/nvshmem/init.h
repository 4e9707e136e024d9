/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Library setup and exit; PE numbers and predefined teams.
 *
 * Document: NVSHMEM, "Library Setup, Exit and Query" and "Teams".
 */
#ifndef NVSHMEM_INIT_H
#define NVSHMEM_INIT_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

#define NVSHMEM_MAX_NAME_LEN 256

/* Special PE numbers: no PE, any PE, all PEs. */
typedef enum {
    NVSHMEM_PE_INVALID = -1,
    NVSHMEMX_PE_ANY = 1 << 15,
    NVSHMEMX_PE_ALL = 1 << 15
} nvshmem_pe_index_t;

/* Thread levels for nvshmem_init_thread. */
typedef enum {
    NVSHMEM_THREAD_SINGLE,
    NVSHMEM_THREAD_FUNNELED,
    NVSHMEM_THREAD_SERIALIZED,
    NVSHMEM_THREAD_MULTIPLE,
    NVSHMEM_THREAD_TYPE_SENTINEL = 0x7fffffff
} nvshmemx_thread_support_t;

/*
 * A team, and the predefined ones.  Numbers 4 to 6 are teams of PEs that share a GPU, of one PE
 * for each GPU, and of multicast memory: kept free, so that no other team has them, but no PE is
 * in such a team here.  Those that programs make begin at NVSHMEM_TEAMS_MIN.
 */
typedef int32_t nvshmem_team_t;
typedef nvshmem_team_t nvshmemx_team_t;
typedef enum {
    NVSHMEM_TEAM_INVALID = -1,
    NVSHMEM_TEAM_WORLD = 0,
    NVSHMEM_TEAM_WORLD_INDEX = 0,
    NVSHMEM_TEAM_SHARED = 1,
    NVSHMEM_TEAM_SHARED_INDEX = 1,
    NVSHMEMX_TEAM_NODE = 2,
    NVSHMEM_TEAM_NODE_INDEX = 2,
    NVSHMEMX_TEAM_SAME_MYPE_NODE = 3,
    NVSHMEM_TEAM_SAME_MYPE_NODE_INDEX = 3,
    NVSHMEMI_TEAM_SAME_GPU = 4,
    NVSHMEM_TEAM_SAME_GPU_INDEX = 4,
    NVSHMEMI_TEAM_GPU_LEADERS = 5,
    NVSHMEM_TEAM_GPU_LEADERS_INDEX = 5,
    NVSHMEM_TEAM_MC_SHARED = 6,
    NVSHMEM_TEAM_MC_SHARED_INDEX = 6,
    NVSHMEM_TEAMS_MIN = 7,
    NVSHMEM_TEAM_INDEX_MAX = 0x7fffffff
} nvshmem_team_id_t;

/**
 * Start and end the library.
 *
 * Collective.  A PMIx launcher (prterun, srun, mpirun) sets the number of PEs;
 * without one, the job has one PE.  Calls are counted: the first nvshmem_init
 * starts the library, and the last nvshmem_finalize completes all operations,
 * synchronizes all PEs and ends the library.
 *
 * @param requested  thread level that the program needs
 * @param provided   out: the level that it gets (always MULTIPLE; collectives of a team
 *                   are nevertheless for one thread at a time, and say so if two come)
 * @return           nvshmem_init_thread: 0, or nonzero if the library could
 *                   not start
 *
 * Callable: host; nvshmem_finalize also in exit handlers and static destructors.
 * Errors: one message gives the reason.  A start that fails when the PEs have found
 * each other ends a job of several, whose others wait for this one: it does not return.
 * Before, as by a setting that is wrong, and in a job of one PE, nvshmem_init ends
 * the program, and nvshmem_init_thread returns.
 */
NVSHMEM_EXPORT void nvshmem_init(void);
NVSHMEM_EXPORT int nvshmem_init_thread(int requested, int *provided);
NVSHMEM_EXPORT void nvshmem_query_thread(int *provided);
NVSHMEM_EXPORT void nvshmem_finalize(void);

/**
 * End the whole job at once, with an exit status.
 *
 * @param status  the exit status that the launcher returns, if it supports that
 *
 * What kernels have sent and not completed may be lost.
 * Callable: host, device thread, any time after nvshmem_init.  Concurrency: the first thread of
 * the job sets the status.  Does not return.
 * Errors: before nvshmem_init and after nvshmem_finalize the program ends with a message.
 */
NVSHMEM_ROUTINE void nvshmem_global_exit(int status);

/**
 * The caller's number, 0..n-1, and the number of PEs of the job.
 *
 * Callable: host, device thread.  Errors: before nvshmem_init and after
 * nvshmem_finalize the program ends with a message.
 */
NVSHMEM_ROUTINE int nvshmem_my_pe(void);
NVSHMEM_ROUTINE int nvshmem_n_pes(void);

/**
 * The caller's number in a team, and the team's size.
 *
 * WORLD: all PEs.  NODE: the PEs on this host.  SHARED: the PEs whose memory
 * is mapped here (nvshmem_ptr gives an address), which includes the caller.
 * SAME_MYPE_NODE: the PEs that have the caller's number in NODE on their hosts; there is such a
 * team if all hosts have equally many PEs, with consecutive numbers.
 *
 * @param team  one of the teams above
 * @return      -1 for NVSHMEM_TEAM_INVALID and for a team that does not exist
 *
 * Callable: host, device thread.
 */
NVSHMEM_ROUTINE int nvshmem_team_my_pe(nvshmem_team_t team);
NVSHMEM_ROUTINE int nvshmem_team_n_pes(nvshmem_team_t team);

/**
 * The version of the specification that the library follows, and its name.
 * nvshmemx_vendor_get_version_info: the release of NVSHMEM that has the same
 * interface, NVSHMEM_VENDOR_*_VERSION.
 *
 * @param major, minor, patch  out: the numbers
 * @param name                 out: at most NVSHMEM_MAX_NAME_LEN bytes, including the
 *                             terminating null
 *
 * Callable: host, also before nvshmem_init, and device thread.
 */
NVSHMEM_ROUTINE void nvshmem_info_get_version(int *major, int *minor);
NVSHMEM_ROUTINE void nvshmem_info_get_name(char *name);
NVSHMEM_ROUTINE void nvshmemx_vendor_get_version_info(int *major, int *minor, int *patch);

NVSHMEM_END_DECLS

#endif
