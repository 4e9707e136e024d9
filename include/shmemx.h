/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Extensions of OpenSHMEM: the standard wants this header, and names that begin with shmemx_.
 */
#ifndef SHMEMX_H
#define SHMEMX_H

#include <shmem.h>

NVSHMEM_BEGIN_DECLS

/**
 * The time of a clock that never goes back, for measurements.
 *
 * @return  seconds since some moment in the past, the same for all PEs of a node
 *
 * Callable: host, at any time.  Errors: none.
 *
 * Document: none; Sandia OpenSHMEM and OSSS-UCX have it.
 */
NVSHMEM_EXPORT double shmemx_wtime(void);

NVSHMEM_END_DECLS

#endif
