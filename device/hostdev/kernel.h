/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What compiled kernels call, beside the routines: the device functions of CUDA C++ as the host
 * device has them.  Compilers emit these calls (contrib/nvcc), so each takes and returns
 * numbers and pointers alone.
 *
 * The caller is a device thread; a host thread is the only one of its block and grid.  A lane
 * is a thread's number in its warp: its number in the block, modulo 32.
 */
#ifndef ASH_DEVICE_HOSTDEV_KERNEL_H
#define ASH_DEVICE_HOSTDEV_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

#define ASH_KERNEL_CALL __attribute__((visibility("default")))

/* A __shared__ variable; its address is its identity. */
struct ash_shared_variable {
    size_t nbytes, alignment;
    const char *name;
};

/* The calling block's copy of it, which the first caller of the block allocates.  With nbytes 0:
 * the launch's dynamic shared memory. */
ASH_KERNEL_CALL void *ash_kernel_shared(struct ash_shared_variable *variable);
/* The address in the block's shared memory of which a program has kept the lower 32 bits, as PTX
 * has it; the number itself where there is no such memory. */
ASH_KERNEL_CALL void *ash_kernel_shared_at(unsigned address);

/* After each volatile or atomic load, which may be a loop's that waits: lets other threads run now
 * and then. */
ASH_KERNEL_CALL void ash_kernel_polled(void);

/* Let other threads run: nanosleep, clock64, globaltimer. */
ASH_KERNEL_CALL void ash_kernel_yield(void);

enum ash_kernel_sync { ASH_SYNC_PLAIN, ASH_SYNC_COUNT, ASH_SYNC_AND, ASH_SYNC_OR };

/* __syncthreads, and what the predicates of all threads make; PLAIN: 0. */
ASH_KERNEL_CALL int ash_kernel_syncthreads(int kind, int predicate);

/* Barrier of the whole grid, which must have been launched as cooperative. */
ASH_KERNEL_CALL void ash_kernel_grid_sync(void);

/* bar.sync: barrier number `id` of the block, 0 to 15, for so many threads; 0: all of them. */
ASH_KERNEL_CALL void ash_kernel_barrier(unsigned id, unsigned threads);

/*
 * Operations of the lanes of a warp that `mask` names; the caller must be one of them.  Each waits
 * until all of them that exist and have not ended have called it.  Several groups of a warp can
 * be in such operations at once.
 */
ASH_KERNEL_CALL unsigned ash_kernel_lane(void);
/* The lanes that came to this call together; so a compiler must not make one call of two, as clang
 * does where both branches of a condition begin with it. */
#if defined(__clang__)
#define ASH_KERNEL_APART __attribute__((nomerge))
#else
#define ASH_KERNEL_APART
#endif
ASH_KERNEL_CALL ASH_KERNEL_APART unsigned ash_kernel_activemask(void);
ASH_KERNEL_CALL void ash_kernel_syncwarp(unsigned mask);

/* The value of another lane, 0 of one that does not take part; of the caller, and *ret_in_range 0,
 * if there is no such lane in the segment (shfl.sync). */
enum ash_kernel_shuffle { ASH_SHUFFLE_INDEX, ASH_SHUFFLE_UP, ASH_SHUFFLE_DOWN, ASH_SHUFFLE_XOR };
ASH_KERNEL_CALL uint64_t ash_kernel_shuffle(unsigned mask, uint64_t value, int kind,
                                            int lane_or_delta, int width, int *ret_in_range);

/* The lanes whose predicate is not 0. */
ASH_KERNEL_CALL unsigned ash_kernel_ballot(unsigned mask, int predicate);

enum ash_kernel_vote { ASH_VOTE_ALL, ASH_VOTE_ANY, ASH_VOTE_UNIFORM };
ASH_KERNEL_CALL int ash_kernel_vote(unsigned mask, int predicate, int kind);

/* ANY: the lanes with the caller's value.  ALL: `mask` if all values are the same, else 0. */
enum ash_kernel_match { ASH_MATCH_ANY, ASH_MATCH_ALL };
ASH_KERNEL_CALL unsigned ash_kernel_match(unsigned mask, uint64_t value, int kind, int *ret_all);

enum ash_kernel_reduce {
    ASH_LANES_ADD,
    ASH_LANES_MIN,
    ASH_LANES_MAX,
    ASH_LANES_AND,
    ASH_LANES_OR,
    ASH_LANES_XOR
};
/* Values are extended to 64 bits, by their sign if is_signed. */
ASH_KERNEL_CALL uint64_t ash_kernel_reduce(unsigned mask, uint64_t value, int kind,
                                           int is_signed);

/* In a loop over threads: the thread that calls now has this number in its block. */
ASH_KERNEL_CALL void ash_kernel_at(uint64_t number);

/* The thread ends here, as if the kernel returned. */
ASH_KERNEL_CALL void ash_kernel_exit(void) __attribute__((noreturn));
/* A failed assert, or a trap: ends the program with a message. */
ASH_KERNEL_CALL void ash_kernel_fail(const char *message, const char *file, unsigned line);

#if defined(__cplusplus)
}
#endif

#endif
