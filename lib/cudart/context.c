/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts of the driver interface: one primary context for each device, those that cuCtxCreate
 * makes, and a stack of them in each thread.
 */
#include "lib/cudart/context.h"

#include <pthread.h>
#include <stdlib.h>

#include "lib/cudart/cu.h"
#include "lib/cudart/work.h"

#define STACK_MAX 32

static struct CUctx_st *primaries;
static int n_primaries;
static pthread_mutex_t primaries_lock = PTHREAD_MUTEX_INITIALIZER;
static bool initialized;

/* The top of the stack is the current context. */
static __thread struct CUctx_st *stack[STACK_MAX];
static __thread int depth;

/* A program with this library means its own stream by cudaStreamPerThread. */
static __attribute__((constructor)) void start(void)
{
    ash_stream_per_thread = true;
}

/* The table never moves, since handles point into it. */
struct CUctx_st *ash_context_of(int device)
{
    struct CUctx_st *context = NULL;
    (void)pthread_mutex_lock(&primaries_lock);
    if (primaries == NULL && (primaries = calloc(1024, sizeof(*primaries))) != NULL)
        for (n_primaries = 0; n_primaries < 1024; n_primaries++)
            primaries[n_primaries].device = n_primaries;
    if (primaries != NULL && device >= 0 && device < n_primaries) context = &primaries[device];
    (void)pthread_mutex_unlock(&primaries_lock);
    return context;
}

static void set_current(struct CUctx_st *context)
{
    if (depth == 0) depth = 1;
    stack[depth - 1] = context;
}

static struct CUctx_st *current(void)
{
    return depth > 0 ? stack[depth - 1] : NULL;
}

int ash_context_device(void)
{
    return current() != NULL ? current()->device : 0;
}

void ash_context_primary(int device)
{
    __atomic_store_n(&initialized, true, __ATOMIC_RELAXED);
    set_current(ash_context_of(device));
}

int ash_cudart_device(void)
{
    if (current() == NULL) ash_context_primary(0);
    return ash_context_device();
}

cudaError_t ash_cu_started(void)
{
    return __atomic_load_n(&initialized, __ATOMIC_RELAXED) ? cudaSuccess
                                                           : cudaErrorInitializationError;
}

CUresult cuInit(unsigned int Flags)
{
    if (Flags != 0) return CUDA_ERROR_INVALID_VALUE;
    __atomic_store_n(&initialized, true, __ATOMIC_RELAXED);
    return CUDA_SUCCESS;
}

static bool bad_device(CUdevice dev)
{
    return dev < 0 || dev >= ash_cudart_devices();
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev)
{
    if (pctx == NULL) return CUDA_ERROR_INVALID_VALUE;
    if (bad_device(dev)) return CUDA_ERROR_INVALID_DEVICE;
    *pctx = ash_context_of(dev);
    return *pctx != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice dev)
{
    return bad_device(dev) ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset(CUdevice dev)
{
    return bad_device(dev) ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags)
{
    struct CUctx_st *context = bad_device(dev) ? NULL : ash_context_of(dev);
    if (context == NULL) return CUDA_ERROR_INVALID_DEVICE;
    context->flags = flags;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active)
{
    struct CUctx_st *context = bad_device(dev) ? NULL : ash_context_of(dev);
    if (context == NULL) return CUDA_ERROR_INVALID_DEVICE;
    if (flags == NULL || active == NULL) return CUDA_ERROR_INVALID_VALUE;
    *flags = context->flags;
    *active = 1;
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext ctx)
{
    if (ctx == NULL) return CUDA_ERROR_INVALID_CONTEXT;
    if (depth == STACK_MAX) return CUDA_ERROR_OUT_OF_MEMORY;
    stack[depth++] = ctx;
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *pctx)
{
    if (depth == 0) return CUDA_ERROR_INVALID_CONTEXT;
    depth--;
    if (pctx != NULL) *pctx = stack[depth];
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext *pctx, unsigned int flags, CUdevice dev)
{
    struct CUctx_st *context;
    if (pctx == NULL) return CUDA_ERROR_INVALID_VALUE;
    if (ash_cu_started() != cudaSuccess) return CUDA_ERROR_NOT_INITIALIZED;
    if (bad_device(dev)) return CUDA_ERROR_INVALID_DEVICE;
    context = calloc(1, sizeof(*context));
    if (context == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
    context->device = dev;
    context->flags = flags;
    context->made = true;
    if (cuCtxPushCurrent(context) != CUDA_SUCCESS) {
        free(context);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *pctx = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxDestroy(CUcontext ctx)
{
    if (ctx == NULL || !ctx->made) return CUDA_ERROR_INVALID_CONTEXT;
    if (current() == ctx) depth--;
    free(ctx);
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext ctx)
{
    set_current(ctx);
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *pctx)
{
    if (pctx == NULL) return CUDA_ERROR_INVALID_VALUE;
    if (ash_cu_started() != cudaSuccess) return CUDA_ERROR_NOT_INITIALIZED;
    *pctx = current();
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    if (device == NULL) return CUDA_ERROR_INVALID_VALUE;
    if (current() == NULL) return CUDA_ERROR_INVALID_CONTEXT;
    *device = current()->device;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned int *flags)
{
    if (flags == NULL) return CUDA_ERROR_INVALID_VALUE;
    if (current() == NULL) return CUDA_ERROR_INVALID_CONTEXT;
    *flags = current()->flags;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int *version)
{
    if (version == NULL) return CUDA_ERROR_INVALID_VALUE;
    (void)ctx;
    *version = 3020;
    return CUDA_SUCCESS;
}
