/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the start, the attributes and the ways to find each other hang together.
 */
#ifndef ASH_LIB_START_INIT_ATTR_H
#define ASH_LIB_START_INIT_ATTR_H

#include <nvshmem/init_attr.h>
#include <stdbool.h>

#include "lib/bootstrap/bootstrap.h"

/*
 * Start the library this way, or count one more user.  0, or an error that was
 * logged.  what: as the way uses it.  device: CUDA's number of the GPU to use, or -1.
 */
int ash_start(const struct ash_bootstrap_way *way, const void *what, int device);

/* uid_id.c: 0, or an error that was logged. */
int ash_uid_make(nvshmemx_uniqueid_t *ret_id);

/* bootstrap/uid.c: was it made by this library? */
bool ash_uid_is_one(const nvshmemx_uniqueid_t *id);

#endif
