/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The GPU of this PE.  CUDA's driver is loaded at run time, and only if a GPU may be used.
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
 * Decide whether this PE uses a GPU (ANYSHMEM_DEVICE).  0 and *ret_used, or an error that
 * was logged.  device: CUDA's number from nvshmemx_init_attr, or -1.
 */
int ash_cuda_choose(const struct ash_bootstrap *bootstrap, int device, bool *ret_used);

/*
 * Take the device, commit all pages of the heap, register the heaps that are mapped here,
 * make the GPU's channel, and attach it to the proxy.  Does nothing if no GPU is used.
 */
int ash_cuda_start(struct ash_memory *heap, unsigned char *const *peer, uint32_t n_pes,
                   struct ash_proxy *proxy);

/* Copy ash_state to all modules; to be called again after each change of teams.  Does nothing
 * without a GPU. */
void ash_cuda_open(void);

/* Make kernels that wait end, because this process is about to end.  Async-signal-safe. */
void ash_cuda_poison(void);

/* In the child of a fork, which must not use the GPU. */
void ash_cuda_forked(void);

/* Wait for the kernels in flight, before the last barrier. */
void ash_cuda_drain(void);

/* After the last use of the proxy and of visible memory. */
void ash_cuda_stop(void);

/* If the calling thread uses another device now, move to that. */
void ash_cuda_check_device_change(const char *function);

/* Zeroed memory that the device sees at the same address; NULL if there is none,
 * which was logged.  Ordinary memory without a GPU. */
void *ash_cuda_visible_alloc(size_t nbytes);
void ash_cuda_visible_free(void *p, size_t nbytes);

#endif
