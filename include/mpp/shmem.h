/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM under the name of its header before 1.0, <mpp/shmem.h>, with the names that OpenSHMEM
 * 1.2 has replaced.  mpp/shmem.fh, for Fortran, is not here.
 */
#ifndef MPP_SHMEM_H
#define MPP_SHMEM_H

#include <shmem.h>

NVSHMEM_BEGIN_DECLS

/* Old names of shmem_my_pe and shmem_n_pes. */
static inline int _my_pe(void) { return shmem_my_pe(); }
static inline int _num_pes(void) { return shmem_n_pes(); }
static inline int my_pe(void) { return shmem_my_pe(); }
static inline int num_pes(void) { return shmem_n_pes(); }

/* Old names of shmem_malloc, shmem_free, shmem_realloc and shmem_align. */
static inline void *shmalloc(size_t size) { return shmem_malloc(size); }
static inline void shfree(void *ptr) { shmem_free(ptr); }
static inline void *shrealloc(void *ptr, size_t size) { return shmem_realloc(ptr, size); }
static inline void *shmemalign(size_t alignment, size_t size)
{
    return shmem_align(alignment, size);
}

NVSHMEM_END_DECLS

#endif
