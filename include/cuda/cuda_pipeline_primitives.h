/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's copies from global to shared memory that go on while a thread computes.  Here each is
 * done when it returns: there is nothing to commit, and nothing to wait for.
 */
#ifndef ASH_CUDA_PIPELINE_PRIMITIVES_H
#define ASH_CUDA_PIPELINE_PRIMITIVES_H
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include <string.h>

#include "host_defines.h"

typedef unsigned long long __mbarrier_t;

/* The last `zfill` of the bytes are zeros. */
static __device__ __inline__ void __pipeline_memcpy_async(void *dest, const void *source,
                                                          size_t nbytes, size_t zfill = 0)
{
    memcpy(dest, source, nbytes - zfill);
    memset((char *)dest + (nbytes - zfill), 0, zfill);
}
static __device__ __inline__ void __pipeline_commit() {}
static __device__ __inline__ void __pipeline_wait_prior(size_t) {}

#endif
