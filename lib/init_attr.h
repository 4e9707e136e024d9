/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the start, the attributes and the ways to find each other hang together.
 */
#ifndef ASH_LIB_INIT_ATTR_H
#define ASH_LIB_INIT_ATTR_H

#include <nvshmem/init_attr.h>

#include "lib/bootstrap.h"

/*
 * Start the library this way, or count one more user.  0, or an error that was
 * logged.  device: CUDA's number of the GPU to use, or -1.
 */
int ash_start(const struct ash_bootstrap_way *way, int device);

/* uid_id.c: 0, or an error that was logged. */
int ash_uid_make(nvshmemx_uniqueid_t *ret_id);

/* bootstrap_uid.c: what the next start by id is to use; ASH_ERROR_BAD_VALUE: it is no id. */
int ash_uid_use(const nvshmemx_uniqueid_args_t *args);

/* bootstrap_mpi.c: the communicator of the next start, MPI_COMM_WORLD for NULL. */
void ash_mpi_use(const void *communicator);

#endif
