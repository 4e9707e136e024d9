/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The extensions of OpenSHMEM under the name that their header had before 1.0.
 */
#ifndef MPP_SHMEMX_H
#define MPP_SHMEMX_H

#include <mpp/shmem.h>
#include <shmemx.h>

#endif
