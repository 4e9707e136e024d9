/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checked mode, as compute-sanitizer has it for GPUs.
 *
 *   ANYSHMEM_CUDA_CHECK=1     cudaMalloc's memory is in pages of its own (check.c), which the host
 *                             cannot access but while a kernel or a copy runs
 *   -fsanitize=host-memory    kernels call ash_cuda_check before they access memory that may be
 *                             the host's alone (check_kernel.c)
 *
 * A library that communicates may access device memory: what NVSHMEM or UCX has touched once, and
 * what nvshmemx_buffer_register names, is accessible from then on.
 */
#ifndef ASH_LIB_CUDART_CHECK_H
#define ASH_LIB_CUDART_CHECK_H

#include "lib/cudart/memory.h"

/* Is it on?  Finds out when it is called first. */
ASH_LOCAL bool ash_check_on(void);

/* Pages for a new allocation, whose nbytes are set; false if there is no memory.  After it was
 * entered in the table it is protected. */
ASH_LOCAL bool ash_check_alloc(struct ash_allocation *allocation);
ASH_LOCAL void ash_check_protect(const struct ash_allocation *allocation);
ASH_LOCAL void ash_check_free(const struct ash_allocation *allocation);

/* Something that runs on the device begins, or has ended. */
ASH_LOCAL void ash_check_open(void);
ASH_LOCAL void ash_check_close(void);

/* What compiled kernels call. */
#define ASH_KERNEL_CALLS __attribute__((visibility("default")))
ASH_KERNEL_CALLS void ash_cuda_check(const void *address, size_t nbytes, int write);
ASH_KERNEL_CALLS void *ash_cuda_malloc(size_t nbytes);
ASH_KERNEL_CALLS void ash_cuda_free(void *memory);

#endif
