/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the device by the compiler; all others use the names below.
 *
 * Everything in device/ that a GPU also runs is in the common subset of C11, C++17 and
 * CUDA C++ over the names that host.h and cuda.h both define:
 *
 *   DEV, DEV_NOINLINE, DEV_COLD      qualifiers of a device function
 *   DEV_NORETURN, dev_unreachable    a function that does not return, and its end
 *   dev_likely, dev_unlikely         what the usual case is
 *   DEV_IS_GPU                       1 if the proxy cannot reach this device's memory,
 *                                    and CPUs cannot tell its threads apart: replies
 *                                    come from a pool, data is staged (state.h)
 *   DEV_BIG_ENDIAN                   1 if the upper half of a word comes first
 *   DEV_CPU_ATOMICS                  1 if atomics here are atomic for the CPU
 *   dev_state                        the state of this PE
 *   dev_load_relaxed(p, width)       loads and stores of 1, 2, 4 or 8 bytes,
 *   dev_store_relaxed(p, width, v)   single copies at system scope
 *   dev_store_release(p, width, v)
 *   dev_load_acquire(p, width), dev_exchange, dev_fetch_add, dev_compare_swap
 *                                    single copies, too; updates return the value before
 *   dev_load_acquire64, dev_store_release64
 *   dev_fetch_add64, dev_fetch_clear64, dev_fetch_set64
 *   dev_load_own64, dev_store_own64  a word that only threads of this device use
 *   dev_claim64(p)                   the next number of a counter of that kind
 *   dev_load_room64(p)               a word that says what may be written now: no
 *                                    later store overtakes the load
 *   dev_load_status(p)               an int, of any memory, that others may change
 *   dev_load_pair(p, ret_first, ret_second)   two words of 8 bytes, at once (GPU)
 *   dev_store_pair(p, first, second)          in any order, or at once
 *   dev_store_slot(slot, word0..3)   release: word 0 makes all earlier stores visible
 *   dev_store_slot_alone             word 0 makes word 1 visible, and word 3 word 2
 *   dev_fence_acquire, dev_fence_release, dev_fence_full
 *   dev_copy(to, from, nbytes)       bytes, overlap allowed
 *   dev_copy_uncached                the same, of bytes that others may just have changed
 *   dev_prefetch_store(p)            p will be written soon
 *   dev_prefetch_load(p)             p will be read soon
 *   dev_progress()                   before a wait for the proxy: do its work (CPU)
 *   dev_kick(can_wait)               after a request that no thread waits for (CPU); can_wait:
 *                                    it may be left to the next one, or to a wait
 *   dev_kick_left()                  send what was left, for another PE may wait for it (CPU)
 *   dev_wake(fd)                     wake the proxy (nothing on a GPU)
 *   struct dev_backoff, dev_backoff_start, dev_backoff    waiting that does not
 *                                    stop the thread that is waited for
 *   dev_backoff_lasting, dev_wait_register(info), dev_wait_unregister(number)    waits that
 *                                    last register what they are for (state/wait_info.h)
 *   dev_check_device_change(function)  before what all PEs do together: the program
 *                                    may have changed its GPU
 *   dev_test_failed                  a test was not met
 *   dev_fetch_yields, dev_fetch_yield  a program may be polling: should this operation yield
 *                                    first; then, on the slow path, it yields
 *   dev_lowest_bit(bits)             number of the lowest bit that is set
 *   dev_rotating_start()             evenly spread numbers, of the caller's own
 *   DEV_VECTOR, dev_none_meets       comparing many variables at once (below)
 *   dev_context()                    the caller's context, with its reply line (CPU)
 *   dev_fault(fault)                 ends the program with a message
 *   dev_group_rank, dev_group_size, dev_group_sync, dev_group_broadcast,
 *   dev_group_copy, dev_group_copy_uncached  warps and blocks (group.h)
 *   dev_lanes_join(ret_lanes), dev_lanes_part(lanes)  lanes that are here at once: true for the
 *                                    one that acts for them
 */
#ifndef ASH_DEVICE_TARGET_TARGET_H
#define ASH_DEVICE_TARGET_TARGET_H

#include <stdbool.h>

#define DEV_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/*
 * How variables compare with values.  dev_none_meets(variables, values, many,
 * status, n, comparison) is true if none of n variables meets the relation with its
 * value (if `negate`: all meet it), and each was read once for that.  False
 * says nothing.  `values` is one value, or n if `many`; a variable whose status
 * is not 0 is passed over.  The address `variables` is a multiple of DEV_VECTOR, and n
 * is a multiple of the variables in a vector.
 */
enum dev_relation { DEV_EQUAL, DEV_LESS, DEV_GREATER };
struct dev_comparison {
    /* Of a variable: its bytes, and whether it is a signed number. */
    unsigned width;
    bool is_signed, negate;
    enum dev_relation relation;
};
#define DEV_VECTOR 16u

#if defined(__CUDA_ARCH__) || defined(__CUDACC__)
#include "device/target/cuda.h"
#elif !defined(ASH_TARGET_MODEL) /* a test has one of its own: tests/unit/gpu/target_model.h */
#include "device/target/host.h"
#endif
#include "device/target/assert.h"

#endif
