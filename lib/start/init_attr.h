/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The start of the library with one of the bootstrap backends.
 */
#ifndef ASH_LIB_START_INIT_ATTR_H
#define ASH_LIB_START_INIT_ATTR_H

#include "lib/bootstrap/bootstrap.h"

/*
 * Start the library with this backend, or count one more user.  0, or an error that was
 * logged.  what: the backend's argument.  device: CUDA's number of the GPU to use, or -1.
 */
int ash_start(const struct ash_bootstrap_backend *backend, const void *what, int device);

#endif
