/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CUDA runtime on the host device: a library of its own, since its names are CUDA's.
 *
 *   error.c          names and texts; the last error of a thread
 *   device.c, attribute.c, context.c
 *                    devices, which are all this CPU
 *   memory.h         memory, and which of it is the device's
 *   kernel.h         kernels and variables that the program was compiled with
 *   work.h           what is queued on a stream or stands in a graph
 *   capture.h        streams that are captured
 *   cu_*.c           the driver interface, by the routines of the runtime
 */
#ifndef ASH_LIB_CUDART_CUDART_H
#define ASH_LIB_CUDART_CUDART_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#define ASH_LOCAL __attribute__((visibility("hidden")))

/* What a routine of the runtime returns: the error, which becomes the thread's last one, or an
 * earlier one that stays. */
ASH_LOCAL cudaError_t ash_cudart_status(cudaError_t error);

/* An error that all later calls return, because a kernel has failed. */
ASH_LOCAL void ash_cudart_stick(cudaError_t error);

/* The same for a negative error of the host device; -EINVAL is `invalid`. */
ASH_LOCAL cudaError_t ash_cudart_of(int rc, cudaError_t invalid);

/* The devices that a program sees, at least 1. */
ASH_LOCAL int ash_cudart_devices(void);

/* The calling thread's device; makes that device's context current if there is none. */
ASH_LOCAL int ash_cudart_device(void);

/* The device's attribute; false for one that does not exist. */
ASH_LOCAL bool ash_cudart_attribute(int attribute, int *ret_value);

/* Co-resident threads, and shared memory, of a multiprocessor. */
#define ASH_SM_THREADS 2048
#define ASH_SM_BLOCKS 32
#define ASH_SM_SHARED (228 * 1024)
/* Shared memory of a block; more if the program asks for it. */
#define ASH_BLOCK_SHARED (48 * 1024)
#define ASH_BLOCK_SHARED_OPTIN (227 * 1024)
#define ASH_BLOCK_SHARED_RESERVED 1024

#endif
