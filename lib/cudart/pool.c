/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory in the order of a stream, and pools, which keep nothing: memory is there at once, and
 * goes back to the system when a stream frees it.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cudart/capture.h"
#include "lib/cudart/memory.h"

#define ATTRIBUTES 9

struct CUmemPoolHandle_st {
    int device;
    /* Those that a program may set. */
    uint64_t value[ATTRIBUTES];
};

static struct CUmemPoolHandle_st *defaults;
static cudaMemPool_t *chosen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define DEVICES_MAX 1024

/* The caller holds the lock. */
static bool make_defaults(void)
{
    int i;
    if (defaults != NULL) return true;
    defaults = calloc(DEVICES_MAX, sizeof(*defaults));
    chosen = calloc(DEVICES_MAX, sizeof(*chosen));
    if (defaults == NULL || chosen == NULL) return false;
    for (i = 0; i < DEVICES_MAX; i++) {
        defaults[i].device = i;
        chosen[i] = &defaults[i];
    }
    return true;
}

static cudaError_t pool_of(cudaMemPool_t *ret_pool, int device, bool by_default)
{
    bool made;
    if (ret_pool == NULL) return cudaErrorInvalidValue;
    if (device < 0 || device >= ash_cudart_devices()) return cudaErrorInvalidDevice;
    (void)pthread_mutex_lock(&lock);
    made = make_defaults();
    if (made) *ret_pool = by_default ? &defaults[device] : chosen[device];
    (void)pthread_mutex_unlock(&lock);
    return made ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device)
{
    return ash_cudart_status(pool_of(memPool, device, true));
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device)
{
    return ash_cudart_status(pool_of(memPool, device, false));
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool)
{
    cudaMemPool_t before;
    cudaError_t error = pool_of(&before, device, false);
    if (error == cudaSuccess && memPool == NULL) error = cudaErrorInvalidValue;
    if (error != cudaSuccess) return ash_cudart_status(error);
    (void)pthread_mutex_lock(&lock);
    chosen[device] = memPool;
    (void)pthread_mutex_unlock(&lock);
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const struct cudaMemPoolProps *poolProps)
{
    if (memPool == NULL || poolProps == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    if (poolProps->handleTypes != cudaMemHandleTypeNone)
        return ash_cudart_status(cudaErrorNotSupported);
    *memPool = calloc(1, sizeof(**memPool));
    if (*memPool == NULL) return ash_cudart_status(cudaErrorMemoryAllocation);
    (*memPool)->device = poolProps->location.id;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool)
{
    cudaMemPool_t by_default;
    if (memPool == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    if (pool_of(&by_default, memPool->device, true) == cudaSuccess && by_default == memPool)
        return ash_cudart_status(cudaErrorInvalidValue);
    free(memPool);
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep)
{
    (void)minBytesToKeep;
    return ash_cudart_status(memPool != NULL ? cudaSuccess : cudaErrorInvalidValue);
}

/* The first three are an int, the others 64 bits. */
static size_t value_size(enum cudaMemPoolAttr attr)
{
    return attr <= cudaMemPoolReuseAllowInternalDependencies ? sizeof(int) : sizeof(uint64_t);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value)
{
    if (memPool == NULL || value == NULL || attr < 1 || attr >= ATTRIBUTES)
        return ash_cudart_status(cudaErrorInvalidValue);
    memcpy(&memPool->value[attr], value, value_size(attr));
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value)
{
    if (memPool == NULL || value == NULL || attr < 1 || attr >= ATTRIBUTES)
        return ash_cudart_status(cudaErrorInvalidValue);
    memcpy(value, &memPool->value[attr], value_size(attr));
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const struct cudaMemAccessDesc *descList,
                                 size_t count)
{
    return ash_cudart_status(memPool == NULL || (descList == NULL && count > 0)
                                 ? cudaErrorInvalidValue
                                 : cudaSuccess);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t memPool,
                                 struct cudaMemLocation *location)
{
    if (flags == NULL || memPool == NULL || location == NULL)
        return ash_cudart_status(cudaErrorInvalidValue);
    *flags = cudaMemAccessFlagsProtReadWrite;
    return ash_cudart_status(cudaSuccess);
}

static cudaError_t allocate(void **ret_memory, size_t size, cudaStream_t stream)
{
    struct ash_work work = {.type = cudaGraphNodeTypeMemAlloc};
    cudaError_t error;
    if (ret_memory == NULL) return cudaErrorInvalidValue;
    error = ash_allocation_alloc(cudaMemoryTypeDevice, size, 0, ret_memory);
    work.memory = *ret_memory;
    if (error == cudaSuccess) error = ash_work_submit(stream, &work);
    return error;
}

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream)
{
    return ash_cudart_status(allocate(devPtr, size, hStream));
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool,
                                    cudaStream_t stream)
{
    if (memPool == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    return cudaMallocAsync(ptr, size, stream);
}

/* A graph may run again and use the memory again: there it is never freed. */
cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream)
{
    struct ash_work work = {.type = cudaGraphNodeTypeMemFree, .memory = devPtr};
    struct ash_allocation a;
    cudaError_t error;
    if (devPtr == NULL) return ash_cudart_status(cudaSuccess);
    if (!ash_allocation_find(devPtr, &a) || a.start != (uintptr_t)devPtr || a.foreign)
        return ash_cudart_status(cudaErrorInvalidValue);
    if (ash_capture_any()) {
        struct ash_work nothing = {.type = cudaGraphNodeTypeMemAlloc};
        if (ash_capture_add(hStream, &nothing, &error)) return ash_cudart_status(error);
    }
    return ash_cudart_status(ash_work_submit(hStream, &work));
}
