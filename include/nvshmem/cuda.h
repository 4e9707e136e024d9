/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What CUDA programs expect nvshmem.h to include for them: CUDA's headers, some of C's, and
 * an error macro.  Only where types.h uses CUDA's headers; a program of C gets none of it.
 */
#ifndef NVSHMEM_CUDA_H
#define NVSHMEM_CUDA_H

#include <nvshmem/types.h>

#if defined(ASH_CUDA_HEADERS) && !defined(ASH_DEVICE_LIBRARY)
#include <cuda.h>
#include <cuda_runtime.h>
#if defined(__CUDACC__)
#include <cooperative_groups.h>
#endif

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Print file, line, function and a text as of printf to standard error. */
#define NVSHMEMI_ERROR_PRINT(...) \
    ((void)fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, __func__), \
     (void)fprintf(stderr, __VA_ARGS__), (void)fputc('\n', stderr))
#endif

#endif
