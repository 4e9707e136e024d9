/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Initialization with attributes: the PEs find each other by a unique id or an
 * MPI communicator, without a PMIx launcher.
 *
 * Document: NVSHMEM, "Library Setup" (nvshmemx_init_attr and its arguments).
 */
#ifndef NVSHMEM_INIT_ATTR_H
#define NVSHMEM_INIT_ATTR_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

/* How the PEs find each other: one of these flags, or 0 for the launcher. */
#define NVSHMEMX_INIT_THREAD_PES 1
#define NVSHMEMX_INIT_WITH_MPI_COMM (1 << 1)
#define NVSHMEMX_INIT_WITH_SHMEM (1 << 2)
#define NVSHMEMX_INIT_WITH_UNIQUEID (1 << 3)

/* 128 bytes that identify a job; the program copies them unchanged to all its PEs. */
typedef struct {
    int version;
    char internal[124];
} nvshmemx_uniqueid_v1;
typedef nvshmemx_uniqueid_v1 nvshmemx_uniqueid_t;

/* The job's id, the caller's number, and the number of PEs. */
typedef struct {
    int version;
    nvshmemx_uniqueid_t *id;
    int myrank;
    int nranks;
} nvshmemx_uniqueid_args_v1;
typedef nvshmemx_uniqueid_args_v1 nvshmemx_uniqueid_args_t;

/* 128 bytes. */
typedef struct {
    int version;
    nvshmemx_uniqueid_args_t uid_args;
    int cuda_device_id;
    char content[92];
} nvshmemx_init_args_v2;
typedef nvshmemx_init_args_v2 nvshmemx_init_args_t;

/* 144 bytes.  mpi_comm points to a communicator; NULL: MPI_COMM_WORLD. */
typedef struct {
    int version;
    void *mpi_comm;
    nvshmemx_init_args_t args;
} nvshmemx_init_attr_v2;
typedef nvshmemx_init_attr_v2 nvshmemx_init_attr_t;

#define NVSHMEMX_UNIQUEID_INITIALIZER { (1 << 16) + (int)sizeof(nvshmemx_uniqueid_t), { 0 } }
#define NVSHMEMX_UNIQUEID_ARGS_INITIALIZER \
    { (1 << 16) + (int)sizeof(nvshmemx_uniqueid_args_t), NULL, 0, 0 }
#define NVSHMEMX_INIT_ARGS_INITIALIZER \
    { (2 << 16) + (int)sizeof(nvshmemx_init_args_t), NVSHMEMX_UNIQUEID_ARGS_INITIALIZER, -1, \
      { 0 } }
#define NVSHMEMX_INIT_ATTR_INITIALIZER \
    { (2 << 16) + (int)sizeof(nvshmemx_init_attr_t), NULL, NVSHMEMX_INIT_ARGS_INITIALIZER }

/**
 * Start the library with attributes.
 *
 * @param flags       0: as nvshmem_init.  NVSHMEMX_INIT_WITH_UNIQUEID: the PEs
 *                    connect to the address in the id.  NVSHMEMX_INIT_WITH_MPI_COMM:
 *                    the PEs are the ranks of a communicator; MPI must be loaded
 *                    and initialized, and be finalized after the library.
 *                    NVSHMEMX_INIT_WITH_SHMEM: the launcher of the OpenSHMEM
 *                    program, which must be a PMIx launcher, numbers the PEs
 * @param attributes  NULL, or set by the routines below; not read if flags is 0
 * @return            0; NVSHMEMX_ERROR_NOT_SUPPORTED for other flags,
 *                    NVSHMEMX_ERROR_INVALID_VALUE for attributes that do not match
 *                    the flags, another value if the library could not start
 *
 * Collective.  Callable: host.  Errors: one message gives the reason; once the PEs
 * have found each other, a start that fails ends a job of several PEs.  With a
 * unique id every wait ends after ANYSHMEM_INIT_TIMEOUT seconds; if a PE is lost
 * later, the others end with a message that names it.
 */
NVSHMEM_EXPORT int nvshmemx_init_attr(unsigned int flags, nvshmemx_init_attr_t *attributes);

/**
 * Create the id of a new job.  One process, which must be one of the PEs, calls
 * this and sends the 128 bytes to all others by its own means.
 *
 * @param uniqueid  out: the id.  It contains the job's key: a process that knows
 *                  the id can join the job
 * @return          0, or NVSHMEMX_ERROR_*
 *
 * Opens a TCP port on the interface that NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME names,
 * else on the first interface that is not a loopback.  The port is closed when
 * the library has been finalized.  An id is good for one initialization.
 * Callable: host, before the library is started.
 */
NVSHMEM_EXPORT int nvshmemx_get_uniqueid(nvshmemx_uniqueid_t *uniqueid);

/**
 * Set attributes for NVSHMEMX_INIT_WITH_UNIQUEID.
 *
 * @param myrank    number of the calling PE, 0..nranks-1
 * @param nranks    number of PEs, the same on all
 * @param uniqueid  the id; must stay valid, at this address, until
 *                  nvshmemx_init_attr has returned
 * @param attr      out: every member is written
 * @return          0, or NVSHMEMX_ERROR_INVALID_VALUE with a message
 *
 * Callable: host.
 */
NVSHMEM_EXPORT int nvshmemx_set_attr_uniqueid_args(const int myrank, const int nranks,
                                                   const nvshmemx_uniqueid_t *uniqueid,
                                                   nvshmemx_init_attr_t *attr);

/**
 * Set attributes for NVSHMEMX_INIT_WITH_MPI_COMM.
 *
 * @param mpi_comm  address of a communicator (MPI_Comm *)
 * @param attr      out: every member is written
 * @return          0, or NVSHMEMX_ERROR_INVALID_VALUE with a message
 *
 * Callable: host.
 */
NVSHMEM_EXPORT int nvshmemx_set_attr_mpi_comm_args(void *mpi_comm, nvshmemx_init_attr_t *attr);

NVSHMEM_END_DECLS

#endif
