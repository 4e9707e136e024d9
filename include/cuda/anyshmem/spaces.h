/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's address spaces: which one an address is in, and addresses within one.
 */
#ifndef ANYSHMEM_CUDA_SPACES_H
#define ANYSHMEM_CUDA_SPACES_H

/* All memory is one here, and libraries that ask for shared or local memory have PTX for it alone:
 * it is global, even the block's. */
static __device__ inline unsigned __isGlobal(const void *p) { return p != nullptr; }
static __device__ inline unsigned __isShared(const void *) { return 0; }
static __device__ inline unsigned __isConstant(const void *) { return 0; }
static __device__ inline unsigned __isLocal(const void *) { return 0; }
static __device__ inline unsigned __isGridConstant(const void *) { return 0; }
static __device__ inline unsigned __isClusterShared(const void *) { return 0; }
/* An address is the same in all. */
static __device__ inline size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
static __device__ inline size_t __cvta_generic_to_shared(const void *p) { return (size_t)p; }
static __device__ inline size_t __cvta_generic_to_constant(const void *p) { return (size_t)p; }
static __device__ inline size_t __cvta_generic_to_local(const void *p) { return (size_t)p; }
static __device__ inline void *__cvta_global_to_generic(size_t p) { return (void *)p; }
static __device__ inline void *__cvta_shared_to_generic(size_t p) { return (void *)p; }
static __device__ inline void *__cvta_constant_to_generic(size_t p) { return (void *)p; }
static __device__ inline void *__cvta_local_to_generic(size_t p) { return (void *)p; }

#endif
