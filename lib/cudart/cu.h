/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The driver interface by the routines of the runtime.
 */
#ifndef ASH_LIB_CUDART_CU_H
#define ASH_LIB_CUDART_CU_H

#include <cuda.h>
#include <stdint.h>

#include "lib/cudart/cudart.h"

/* cudaSuccess, or cudaErrorInitializationError before cuInit and the first call of the runtime. */
ASH_LOCAL cudaError_t ash_cu_started(void);

ASH_LOCAL CUresult ash_cu_result(cudaError_t error);
ASH_LOCAL cudaError_t ash_cu_enter(void);
ASH_LOCAL CUresult ash_cu_leave(cudaError_t before, cudaError_t error);

/* Return what the call of the runtime returns, as the driver's. */
#define ASH_CU(call) \
    do { \
        cudaError_t before = ash_cu_enter(), error = ash_cu_started(); \
        if (error == cudaSuccess) error = (call); \
        return ash_cu_leave(before, error); \
    } while (0)

static inline void *ash_cu_pointer(CUdeviceptr ptr)
{
    return (void *)(uintptr_t)ptr;
}

#endif
