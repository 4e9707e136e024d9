/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM under the name that its header had before 1.0, with names of that time that OpenSHMEM
 * does not have.  mpp/shmem.fh, for Fortran, is not here.
 */
#ifndef MPP_SHMEM_H
#define MPP_SHMEM_H

#include <shmem.h>

/* Old names of shmem_my_pe and shmem_n_pes.  In C macros, for programs have variables of these
 * names. */
#ifdef __cplusplus
static inline int my_pe(void) { return shmem_my_pe(); }
static inline int num_pes(void) { return shmem_n_pes(); }
#else
#define my_pe() shmem_my_pe()
#define num_pes() shmem_n_pes()
#endif

#endif
