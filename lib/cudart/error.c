/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's errors: their names and texts, the last error of each thread, and the error that stays
 * when a kernel has failed.
 */
#include <errno.h>
#include <nvshmemx.h>

#include "lib/cudart/cu.h"

static __thread cudaError_t last_error;
/* Written by: the thread whose kernel fails, atomically.  Read by: all. */
static int sticky_error;

cudaError_t ash_cudart_status(cudaError_t error)
{
    int sticky = __atomic_load_n(&sticky_error, __ATOMIC_RELAXED);
    if (sticky != 0) error = (cudaError_t)sticky;
    if (error != cudaSuccess) last_error = error;
    return error;
}

void ash_cudart_stick(cudaError_t error)
{
    int none = 0;
    (void)__atomic_compare_exchange_n(&sticky_error, &none, (int)error, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED);
}

cudaError_t ash_cudart_of(int rc, cudaError_t invalid)
{
    switch (rc) {
    case 0: return cudaSuccess;
    case NVSHMEMX_ERROR_OUT_OF_MEMORY:
    case -ENOMEM: return cudaErrorMemoryAllocation;
    case -E2BIG: return cudaErrorCooperativeLaunchTooLarge;
    case -EAGAIN: return cudaErrorNotReady;
    case NVSHMEMX_ERROR_NOT_SUPPORTED:
    case -EPERM: return cudaErrorNotPermitted;
    default: return invalid;
    }
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = ash_cudart_status(last_error);
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return ash_cudart_status(last_error);
}

const char *cudaGetErrorName(cudaError_t error)
{
    switch ((int)error) {
    case 0: return "cudaSuccess";
#define NAME(runtime, driver, number, text) \
    case number: return "cudaError" #runtime;
        ASH_CUDA_ERRORS(NAME)
#undef NAME
#define NAME(runtime, number, text) \
    case number: return "cudaError" #runtime;
        ASH_CUDART_ERRORS(NAME)
#undef NAME
    default: return "unrecognized error code";
    }
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch ((int)error) {
    case 0: return "no error";
#define TEXT(runtime, driver, number, text) \
    case number: return text;
        ASH_CUDA_ERRORS(TEXT)
#undef TEXT
#define TEXT(runtime, number, text) \
    case number: return text;
        ASH_CUDART_ERRORS(TEXT)
#undef TEXT
    default: return "unrecognized error code";
    }
}

CUresult cuGetErrorName(CUresult error, const char **pStr)
{
    if (pStr == NULL) return CUDA_ERROR_INVALID_VALUE;
    switch ((int)error) {
    case 0: *pStr = "CUDA_SUCCESS"; return CUDA_SUCCESS;
#define NAME(runtime, driver, number, text) \
    case number: *pStr = "CUDA_ERROR_" #driver; return CUDA_SUCCESS;
        ASH_CUDA_ERRORS(NAME)
#undef NAME
    case 202: *pStr = "CUDA_ERROR_CONTEXT_ALREADY_CURRENT"; return CUDA_SUCCESS;
    default: *pStr = NULL; return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuGetErrorString(CUresult error, const char **pStr)
{
    if (pStr == NULL) return CUDA_ERROR_INVALID_VALUE;
    switch ((int)error) {
    case 0: *pStr = "no error"; return CUDA_SUCCESS;
#define TEXT(runtime, driver, number, text) \
    case number: *pStr = text; return CUDA_SUCCESS;
        ASH_CUDA_ERRORS(TEXT)
#undef TEXT
    case 202: *pStr = "context already current"; return CUDA_SUCCESS;
    default: *pStr = NULL; return CUDA_ERROR_INVALID_VALUE;
    }
}

/* The driver interface has fewer errors than the runtime. */
CUresult ash_cu_result(cudaError_t error)
{
    switch (error) {
    case cudaErrorInvalidSymbol: return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_INVALID_HANDLE;
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidHostPointer:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorInvalidMemcpyDirection: return CUDA_ERROR_INVALID_VALUE;
    default: return (CUresult)error;
    }
}

/* A call by the driver interface leaves the runtime's last error as it was. */
cudaError_t ash_cu_enter(void)
{
    return last_error;
}

CUresult ash_cu_leave(cudaError_t before, cudaError_t error)
{
    last_error = before;
    return ash_cu_result(error);
}
