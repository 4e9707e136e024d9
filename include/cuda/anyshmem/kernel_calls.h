/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What compiled kernels call in libanyshmem (device/hostdev/kernel.h), as device functions.
 */
#ifndef ANYSHMEM_CUDA_KERNEL_CALLS_H
#define ANYSHMEM_CUDA_KERNEL_CALLS_H

#include <stddef.h>
#include <stdint.h>

struct anyshmem_cuda_index {
    unsigned int x, y, z;
};
struct anyshmem_cuda_thread {
    struct anyshmem_cuda_index thread, block, block_dim, grid_dim;
};

#define ASH_CUDA_CALL extern "C" __attribute__((device))

ASH_CUDA_CALL __attribute__((const)) const struct anyshmem_cuda_thread *anyshmem_this_thread(void);
ASH_CUDA_CALL void *ash_kernel_dynamic_shared(void) __asm__("anyshmem_shared");
ASH_CUDA_CALL void ash_kernel_polled(void);
ASH_CUDA_CALL void ash_kernel_yield(void);
ASH_CUDA_CALL int ash_kernel_syncthreads(int kind, int predicate);
ASH_CUDA_CALL void ash_kernel_grid_sync(void);
ASH_CUDA_CALL void ash_kernel_barrier(unsigned id, unsigned threads);
ASH_CUDA_CALL unsigned ash_kernel_lane(void);
ASH_CUDA_CALL unsigned ash_kernel_activemask(void);
ASH_CUDA_CALL void ash_kernel_syncwarp(unsigned mask);
ASH_CUDA_CALL uint64_t ash_kernel_shuffle(unsigned mask, uint64_t value, int kind, int lane,
                                          int width, int *ret_in_range);
ASH_CUDA_CALL unsigned ash_kernel_ballot(unsigned mask, int predicate);
ASH_CUDA_CALL int ash_kernel_vote(unsigned mask, int predicate, int kind);
ASH_CUDA_CALL unsigned ash_kernel_match(unsigned mask, uint64_t value, int kind, int *ret_all);
ASH_CUDA_CALL uint64_t ash_kernel_reduce(unsigned mask, uint64_t value, int kind, int is_signed);
ASH_CUDA_CALL void ash_kernel_exit(void) __attribute__((noreturn));
ASH_CUDA_CALL void ash_kernel_fail(const char *message, const char *file, unsigned line);
ASH_CUDA_CALL void ash_cuda_assert(const char *assertion, const char *file, unsigned line,
                                   const char *function);
ASH_CUDA_CALL void ash_cuda_trap(void);
ASH_CUDA_CALL int ash_cuda_vprintf(const char *format, const void *arguments);
ASH_CUDA_CALL uint64_t ash_cuda_clock(void);

/* Their kinds, as in device/hostdev/kernel.h. */
enum { ASH_CUDA_SYNC_PLAIN, ASH_CUDA_SYNC_COUNT, ASH_CUDA_SYNC_AND, ASH_CUDA_SYNC_OR };
enum { ASH_CUDA_SHUFFLE_IDX, ASH_CUDA_SHUFFLE_UP, ASH_CUDA_SHUFFLE_DOWN, ASH_CUDA_SHUFFLE_XOR };
enum { ASH_CUDA_VOTE_ALL, ASH_CUDA_VOTE_ANY, ASH_CUDA_VOTE_UNIFORM };
enum { ASH_CUDA_ADD, ASH_CUDA_MIN, ASH_CUDA_MAX, ASH_CUDA_AND, ASH_CUDA_OR, ASH_CUDA_XOR };

#endif
