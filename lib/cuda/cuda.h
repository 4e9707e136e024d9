/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The GPU of this PE.  CUDA's driver is loaded at run time, if at all.
 *
 * In nvshmem_init: ash_cuda_choose, before it is known whether a proxy is
 * needed; ash_cuda_start, when the node's heaps are mapped; ash_cuda_open, when
 * the state of this PE is complete.
 */
#ifndef ASH_LIB_CUDA_CUDA_H
#define ASH_LIB_CUDA_CUDA_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/bootstrap/bootstrap.h"
#include "lib/memory/memory.h"
#include "proxy/proxy.h"

/*
 * Will this PE use a GPU (ANYSHMEM_DEVICE)?  0 and the answer, or an error that
 * was logged.  device: CUDA's number from nvshmemx_init_attr, or -1.
 */
int ash_cuda_choose(const struct ash_bootstrap *bootstrap, int device, bool *ret_used);

/*
 * Take the device, commit all pages of the heap, register the heaps that are mapped here,
 * make the GPU's channel, and let the proxy serve it.  Only if it is used.
 */
int ash_cuda_start(struct ash_memory *heap, unsigned char *const *peer, uint32_t n_pes,
                   struct ash_proxy *proxy);

/* Copy ash_state to all modules, now and after each change of teams; nothing without a GPU. */
void ash_cuda_open(void);

/* Tell kernels that wait to end; from a program that is about to end.  Async-signal-safe. */
void ash_cuda_poison(void);

/* In the child of a fork: nothing of the GPU may be touched there. */
void ash_cuda_forked(void);

/* Wait for the kernels that are under way, before the last barrier. */
void ash_cuda_drain(void);

/* After the last use of the proxy and of visible memory. */
void ash_cuda_stop(void);

/* Move to the device that the calling thread uses now, if it uses another one. */
void ash_cuda_check_device_change(const char *function);

/* Zeroed memory that the device sees, at the same address; NULL if there is none,
 * which was logged. */
void *ash_cuda_visible_alloc(size_t nbytes);
void ash_cuda_visible_free(void *p, size_t nbytes);

#endif
