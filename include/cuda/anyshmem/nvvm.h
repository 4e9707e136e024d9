/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What clang's builtins for NVIDIA's GPUs do on the CPU.  A builtin arrives in the IR as a
 * call of llvm.nvvm.X.Y; anyshmem-nvcc-ir makes it a call of __anyshmem_nvvm_X_Y.
 */
#ifndef ANYSHMEM_CUDA_NVVM_H
#define ANYSHMEM_CUDA_NVVM_H

#include <anyshmem/kernel_calls.h>

/* Without lines of their own: messages and debuggers show that of the caller. */
#define ASH_NVVM(type) extern "C" __attribute__((device, weak, always_inline, nodebug)) type

#define ASH_NVVM_REGISTER(name, member) \
    ASH_NVVM(unsigned) __anyshmem_nvvm_read_ptx_sreg_##name##_x(void) \
    { \
        return anyshmem_this_thread()->member.x; \
    } \
    ASH_NVVM(unsigned) __anyshmem_nvvm_read_ptx_sreg_##name##_y(void) \
    { \
        return anyshmem_this_thread()->member.y; \
    } \
    ASH_NVVM(unsigned) __anyshmem_nvvm_read_ptx_sreg_##name##_z(void) \
    { \
        return anyshmem_this_thread()->member.z; \
    }
ASH_NVVM_REGISTER(tid, thread)
ASH_NVVM_REGISTER(ctaid, block)
ASH_NVVM_REGISTER(ntid, block_dim)
ASH_NVVM_REGISTER(nctaid, grid_dim)
#undef ASH_NVVM_REGISTER

ASH_NVVM(unsigned) __anyshmem_nvvm_read_ptx_sreg_warpsize(void) { return 32; }
ASH_NVVM(unsigned) __anyshmem_nvvm_read_ptx_sreg_laneid(void) { return ash_kernel_lane(); }
ASH_NVVM(unsigned) __anyshmem_nvvm_read_ptx_sreg_smid(void)
{
    return anyshmem_this_thread()->block.x;
}
ASH_NVVM(unsigned) __anyshmem_nvvm_read_ptx_sreg_nsmid(void)
{
    return anyshmem_this_thread()->grid_dim.x;
}
ASH_NVVM(unsigned) __anyshmem_nvvm_read_ptx_sreg_warpid(void)
{
    const struct anyshmem_cuda_thread *me = anyshmem_this_thread();

    return ((me->thread.z * me->block_dim.y + me->thread.y) * me->block_dim.x + me->thread.x) / 32;
}
ASH_NVVM(unsigned) __anyshmem_nvvm_read_ptx_sreg_nwarpid(void) { return 64; }
ASH_NVVM(unsigned) __anyshmem_nvvm_read_ptx_sreg_gridid(void) { return 0; }
ASH_NVVM(unsigned) __anyshmem_nvvm_read_ptx_sreg_lanemask_eq(void)
{
    return 1u << ash_kernel_lane();
}
ASH_NVVM(unsigned) __anyshmem_nvvm_read_ptx_sreg_lanemask_lt(void)
{
    return (1u << ash_kernel_lane()) - 1;
}
ASH_NVVM(unsigned) __anyshmem_nvvm_read_ptx_sreg_lanemask_le(void)
{
    return (2u << ash_kernel_lane()) - 1;
}
ASH_NVVM(unsigned) __anyshmem_nvvm_read_ptx_sreg_lanemask_gt(void)
{
    return ~((2u << ash_kernel_lane()) - 1);
}
ASH_NVVM(unsigned) __anyshmem_nvvm_read_ptx_sreg_lanemask_ge(void)
{
    return ~((1u << ash_kernel_lane()) - 1);
}

/* A loop that waits for a time gives way to other threads. */
ASH_NVVM(uint64_t) __anyshmem_nvvm_read_ptx_sreg_globaltimer(void)
{
    ash_kernel_yield();
    return ash_cuda_clock();
}
ASH_NVVM(uint64_t) __anyshmem_nvvm_read_ptx_sreg_clock64(void)
{
    ash_kernel_yield();
    return ash_cuda_clock();
}
ASH_NVVM(unsigned) __anyshmem_nvvm_read_ptx_sreg_clock(void)
{
    ash_kernel_yield();
    return (unsigned)ash_cuda_clock();
}
ASH_NVVM(void) __anyshmem_nvvm_nanosleep(unsigned) { ash_kernel_yield(); }

/* Barriers of a block. */
ASH_NVVM(void) __anyshmem_nvvm_barrier0(void) { ash_kernel_syncthreads(ASH_CUDA_SYNC_PLAIN, 0); }
ASH_NVVM(void) __anyshmem_nvvm_barrier_cta_sync_aligned_all(unsigned id)
{
    if (id == 0)
        ash_kernel_syncthreads(ASH_CUDA_SYNC_PLAIN, 0);
    else
        ash_kernel_barrier(id, 0);
}
ASH_NVVM(void) __anyshmem_nvvm_barrier_cta_sync_all(unsigned id)
{
    __anyshmem_nvvm_barrier_cta_sync_aligned_all(id);
}
ASH_NVVM(void) __anyshmem_nvvm_barrier_cta_sync_aligned_count(unsigned id, unsigned threads)
{
    ash_kernel_barrier(id, threads);
}
ASH_NVVM(void) __anyshmem_nvvm_barrier_cta_sync_count(unsigned id, unsigned threads)
{
    ash_kernel_barrier(id, threads);
}
ASH_NVVM(void) __anyshmem_nvvm_barrier_sync(unsigned id)
{
    __anyshmem_nvvm_barrier_cta_sync_aligned_all(id);
}
ASH_NVVM(void) __anyshmem_nvvm_bar_sync(unsigned id)
{
    __anyshmem_nvvm_barrier_cta_sync_aligned_all(id);
}
ASH_NVVM(void) __anyshmem_nvvm_barrier_sync_cnt(unsigned id, unsigned threads)
{
    ash_kernel_barrier(id, threads);
}
ASH_NVVM(void) __anyshmem_nvvm_barrier(unsigned id, unsigned threads)
{
    ash_kernel_barrier(id, threads);
}
ASH_NVVM(void) __anyshmem_nvvm_barrier_n(unsigned id)
{
    __anyshmem_nvvm_barrier_cta_sync_aligned_all(id);
}
ASH_NVVM(int) __anyshmem_nvvm_barrier0_popc(int predicate)
{
    return ash_kernel_syncthreads(ASH_CUDA_SYNC_COUNT, predicate != 0);
}
ASH_NVVM(int) __anyshmem_nvvm_barrier0_and(int predicate)
{
    return ash_kernel_syncthreads(ASH_CUDA_SYNC_AND, predicate != 0);
}
ASH_NVVM(int) __anyshmem_nvvm_barrier0_or(int predicate)
{
    return ash_kernel_syncthreads(ASH_CUDA_SYNC_OR, predicate != 0);
}

/* Warps. */
ASH_NVVM(void) __anyshmem_nvvm_bar_warp_sync(unsigned mask) { ash_kernel_syncwarp(mask); }

/*
 * PTX's shfl.sync: `clamp` has the last lane that may be read (for up: the first) and, from bit
 * 8 on, which bits of a lane's number name its segment.
 */
ASH_NVVM(uint64_t) __anyshmem_shuffle(unsigned mask, uint64_t value, int kind, unsigned operand,
                                      unsigned clamp, int *ret_in_range)
{
    int lane = (int)ash_kernel_lane(), b = (int)(operand & 31), segment = (int)(clamp >> 8 & 31);
    int first = lane & segment, last = first | ((int)(clamp & 31) & ~segment), from = lane;
    int there;

    if (kind == ASH_CUDA_SHUFFLE_UP)
        from -= b;
    else if (kind == ASH_CUDA_SHUFFLE_DOWN)
        from += b;
    else if (kind == ASH_CUDA_SHUFFLE_XOR)
        from ^= b;
    else
        from = first | (b & ~segment);
    *ret_in_range = kind == ASH_CUDA_SHUFFLE_UP ? from >= last : from <= last;
    return ash_kernel_shuffle(mask, value, ASH_CUDA_SHUFFLE_IDX, *ret_in_range ? from : lane, 32,
                              &there);
}
#define ASH_NVVM_SHUFFLE(name, kind) \
    ASH_NVVM(unsigned) __anyshmem_nvvm_shfl_sync_##name##_i32(unsigned mask, unsigned value, \
                                                              unsigned lane, unsigned clamp) \
    { \
        int in_range; \
\
        return (unsigned)__anyshmem_shuffle(mask, value, kind, lane, clamp, &in_range); \
    } \
    ASH_NVVM(float) __anyshmem_nvvm_shfl_sync_##name##_f32(unsigned mask, float value, \
                                                           unsigned lane, unsigned clamp) \
    { \
        unsigned bits; \
\
        __builtin_memcpy(&bits, &value, 4); \
        bits = __anyshmem_nvvm_shfl_sync_##name##_i32(mask, bits, lane, clamp); \
        __builtin_memcpy(&value, &bits, 4); \
        return value; \
    } \
    ASH_NVVM(unsigned) __anyshmem_nvvm_shfl_##name##_i32(unsigned value, unsigned lane, \
                                                         unsigned clamp) \
    { \
        return __anyshmem_nvvm_shfl_sync_##name##_i32(~0u, value, lane, clamp); \
    } \
    ASH_NVVM(float) __anyshmem_nvvm_shfl_##name##_f32(float value, unsigned lane, unsigned clamp) \
    { \
        return __anyshmem_nvvm_shfl_sync_##name##_f32(~0u, value, lane, clamp); \
    }
ASH_NVVM_SHUFFLE(idx, ASH_CUDA_SHUFFLE_IDX)
ASH_NVVM_SHUFFLE(up, ASH_CUDA_SHUFFLE_UP)
ASH_NVVM_SHUFFLE(down, ASH_CUDA_SHUFFLE_DOWN)
ASH_NVVM_SHUFFLE(bfly, ASH_CUDA_SHUFFLE_XOR)
#undef ASH_NVVM_SHUFFLE

ASH_NVVM(bool) __anyshmem_nvvm_vote_all_sync(unsigned mask, bool predicate)
{
    return ash_kernel_vote(mask, predicate, ASH_CUDA_VOTE_ALL);
}
ASH_NVVM(bool) __anyshmem_nvvm_vote_any_sync(unsigned mask, bool predicate)
{
    return ash_kernel_vote(mask, predicate, ASH_CUDA_VOTE_ANY);
}
ASH_NVVM(bool) __anyshmem_nvvm_vote_uni_sync(unsigned mask, bool predicate)
{
    return ash_kernel_vote(mask, predicate, ASH_CUDA_VOTE_UNIFORM);
}
ASH_NVVM(unsigned) __anyshmem_nvvm_vote_ballot_sync(unsigned mask, bool predicate)
{
    return ash_kernel_ballot(mask, predicate);
}
ASH_NVVM(bool) __anyshmem_nvvm_vote_all(bool predicate)
{
    return ash_kernel_vote(ash_kernel_activemask(), predicate, ASH_CUDA_VOTE_ALL);
}
ASH_NVVM(bool) __anyshmem_nvvm_vote_any(bool predicate)
{
    return ash_kernel_vote(ash_kernel_activemask(), predicate, ASH_CUDA_VOTE_ANY);
}
ASH_NVVM(unsigned) __anyshmem_nvvm_vote_ballot(bool predicate)
{
    return ash_kernel_ballot(ash_kernel_activemask(), predicate);
}
ASH_NVVM(unsigned) __anyshmem_nvvm_activemask(void) { return ash_kernel_activemask(); }
ASH_NVVM(unsigned) __anyshmem_nvvm_match_any_sync_i32(unsigned mask, unsigned value)
{
    return ash_kernel_match(mask, value, 0, nullptr);
}
ASH_NVVM(unsigned) __anyshmem_nvvm_match_any_sync_i64(unsigned mask, uint64_t value)
{
    return ash_kernel_match(mask, value, 0, nullptr);
}
/* clang's builtin gives the predicate by a pointer; the intrinsic returns a pair. */
struct anyshmem_match {
    unsigned mask;
    bool all;
};
ASH_NVVM(unsigned) __anyshmem_match_all(unsigned mask, uint64_t value, int *ret_all)
{
    return ash_kernel_match(mask, value, 1, ret_all);
}

#define ASH_NVVM_REDUX(name, type, kind, is_signed) \
    ASH_NVVM(type) __anyshmem_nvvm_redux_sync_##name(type value, unsigned mask) \
    { \
        return (type)ash_kernel_reduce(mask, (uint64_t)value, kind, is_signed); \
    }
ASH_NVVM_REDUX(add, int, ASH_CUDA_ADD, 1)
ASH_NVVM_REDUX(min, int, ASH_CUDA_MIN, 1)
ASH_NVVM_REDUX(max, int, ASH_CUDA_MAX, 1)
ASH_NVVM_REDUX(umin, unsigned, ASH_CUDA_MIN, 0)
ASH_NVVM_REDUX(umax, unsigned, ASH_CUDA_MAX, 0)
ASH_NVVM_REDUX(and, unsigned, ASH_CUDA_AND, 0)
ASH_NVVM_REDUX(or, unsigned, ASH_CUDA_OR, 0)
ASH_NVVM_REDUX(xor, unsigned, ASH_CUDA_XOR, 0)
#undef ASH_NVVM_REDUX

ASH_NVVM(unsigned) __anyshmem_nvvm_fns(unsigned mask, unsigned base, int offset)
{
    int step = offset < 0 ? -1 : 1;
    int left = offset < 0 ? -offset : offset;

    if (offset == 0)
        return mask >> base & 1 ? base : ~0u;
    for (int i = (int)base; i >= 0 && i < 32; i += step)
        if (mask >> i & 1 && --left == 0)
            return (unsigned)i;
    return ~0u;
}

/* Order in memory: all scopes are the machine's. */
ASH_NVVM(void) __anyshmem_nvvm_membar_cta(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
ASH_NVVM(void) __anyshmem_nvvm_membar_gl(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
ASH_NVVM(void) __anyshmem_nvvm_membar_sys(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

/* As a GPU does: x >= limit ? 0 : x + 1, and x == 0 || x > limit ? limit : x - 1. */
ASH_NVVM(unsigned) __anyshmem_nvvm_atomic_load_inc_32(unsigned *word, unsigned limit)
{
    unsigned seen = __atomic_load_n(word, __ATOMIC_RELAXED);

    while (!__atomic_compare_exchange_n(word, &seen, seen >= limit ? 0 : seen + 1, true,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
    return seen;
}
ASH_NVVM(unsigned) __anyshmem_nvvm_atomic_load_dec_32(unsigned *word, unsigned limit)
{
    unsigned seen = __atomic_load_n(word, __ATOMIC_RELAXED);

    while (!__atomic_compare_exchange_n(word, &seen, seen == 0 || seen > limit ? limit : seen - 1,
                                        true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
    return seen;
}

ASH_NVVM(void) __anyshmem_nvvm_trap(void) { ash_cuda_trap(); }
ASH_NVVM(void) __anyshmem_nvvm_exit(void) { ash_kernel_exit(); }

#endif
