/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads and stores that name a cache, which the CPU chooses itself; kinds of memory; timers.
 */
#ifndef ANYSHMEM_CUDA_LOADS_H
#define ANYSHMEM_CUDA_LOADS_H

/* For all types, the vectors and __half among them.  Those of another thread's data go past
 * the caches on a GPU, so they are volatile here: a loop with one is a loop that polls. */
#define ASH_LOAD(name) \
    template <typename T> static __device__ inline T name(const T *pointer) { return *pointer; }
ASH_LOAD(__ldca)
ASH_LOAD(__ldcs)
ASH_LOAD(__ldlu)
#undef ASH_LOAD
template <typename T> static __device__ inline T __ldcv(const T *pointer)
{
    T value;

    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    value = *pointer;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    ash_kernel_polled();
    return value;
}
template <typename T> static __device__ inline T __ldcg(const T *pointer)
{
    return __ldcv(pointer);
}
#define ASH_STORE(name) \
    template <typename T> static __device__ inline void name(T *pointer, T value) \
    { \
        *pointer = value; \
    }
ASH_STORE(__stwb)
ASH_STORE(__stcg)
ASH_STORE(__stcs)
ASH_STORE(__stwt)
#undef ASH_STORE

static __device__ inline void __nanosleep(unsigned ns) { __anyshmem_nvvm_nanosleep(ns); }

#endif
