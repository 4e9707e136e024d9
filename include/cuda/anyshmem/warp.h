/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What clang's headers lack of the warp's operations.
 */
#ifndef ANYSHMEM_CUDA_WARP_H
#define ANYSHMEM_CUDA_WARP_H

template <typename T> static __device__ inline unsigned __match_any_sync(unsigned mask, T value)
{
    uint64_t bits = 0;

    static_assert(sizeof(T) <= 8, "__match_any_sync: a value of at most 8 bytes");
    __builtin_memcpy(&bits, &value, sizeof(value));
    return ash_kernel_match(mask, bits, 0, nullptr);
}
template <typename T>
static __device__ inline unsigned __match_all_sync(unsigned mask, T value, int *ret_all)
{
    uint64_t bits = 0;

    static_assert(sizeof(T) <= 8, "__match_all_sync: a value of at most 8 bytes");
    __builtin_memcpy(&bits, &value, sizeof(value));
    return ash_kernel_match(mask, bits, 1, ret_all);
}

static __device__ inline unsigned __lanemask_lt(void)
{
    return __anyshmem_nvvm_read_ptx_sreg_lanemask_lt();
}

/* Those of clang, of which the ones for unsigned numbers of 64 bits call themselves for ever. */
#define ASH_SHUFFLE(name, type, as, from) \
    static __device__ inline type name(unsigned mask, type value, from lane, int width = 32) \
    { \
        return (type)ash_clang##name(mask, (as)value, lane, width); \
    }
#define ASH_SHUFFLES(name, from) \
    ASH_SHUFFLE(name, int, int, from) \
    ASH_SHUFFLE(name, unsigned int, int, from) \
    ASH_SHUFFLE(name, long, long long, from) \
    ASH_SHUFFLE(name, unsigned long, long long, from) \
    ASH_SHUFFLE(name, long long, long long, from) \
    ASH_SHUFFLE(name, unsigned long long, long long, from) \
    ASH_SHUFFLE(name, float, float, from) \
    ASH_SHUFFLE(name, double, double, from)
ASH_SHUFFLES(__shfl_sync, int)
ASH_SHUFFLES(__shfl_up_sync, unsigned int)
ASH_SHUFFLES(__shfl_down_sync, unsigned int)
ASH_SHUFFLES(__shfl_xor_sync, int)
#undef ASH_SHUFFLE
#undef ASH_SHUFFLES

#define ASH_REDUCE(name, type, kind, is_signed) \
    static __device__ inline type __reduce_##name##_sync(unsigned mask, type value) \
    { \
        return (type)ash_kernel_reduce(mask, (uint64_t)value, kind, is_signed); \
    }
#define ASH_REDUCE_BOTH(name, kind) \
    ASH_REDUCE(name, int, kind, 1) \
    ASH_REDUCE(name, unsigned int, kind, 0)
ASH_REDUCE_BOTH(add, ASH_CUDA_ADD)
ASH_REDUCE_BOTH(min, ASH_CUDA_MIN)
ASH_REDUCE_BOTH(max, ASH_CUDA_MAX)
ASH_REDUCE(and, unsigned int, ASH_CUDA_AND, 0)
ASH_REDUCE(or, unsigned int, ASH_CUDA_OR, 0)
ASH_REDUCE(xor, unsigned int, ASH_CUDA_XOR, 0)
#undef ASH_REDUCE
#undef ASH_REDUCE_BOTH

#endif
