/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages name the routines that the program calls: NVSHMEM's, or OpenSHMEM's where it has started
 * the library by those.
 */
#ifndef ASH_LIB_BASE_FAMILY_H
#define ASH_LIB_BASE_FAMILY_H

#include "lib/base/env.h"

/* "nvshmem_init" or "nvshmem_finalize", without "nv" for a program of OpenSHMEM's. */
static inline const char *ash_family_name(const char *name)
{
    return ash_env_openshmem ? name + 2 : name;
}

#endif
