/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program may set and a CPU has no use for: flags, limits, cache and bank preferences,
 * peers, the profiler.  It is kept, so that a program reads what it has set.
 */
#include <pthread.h>
#include <string.h>

#include "lib/cudart/cudart.h"

#define LIMITS 7
#define DEVICES_MAX 1024

static unsigned device_flags = cudaDeviceMapHost;
static enum cudaFuncCache cache_config = cudaFuncCachePreferNone;
static enum cudaSharedMemConfig bank_config = cudaSharedMemBankSizeFourByte;
static size_t limits[LIMITS] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
/* Peers that are enabled from a device: bits of the second by the first. */
static unsigned char peers[DEVICES_MAX][DEVICES_MAX / 8];
static pthread_mutex_t peers_lock = PTHREAD_MUTEX_INITIALIZER;

static bool bad_device(int device)
{
    return device < 0 || device >= ash_cudart_devices();
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    if ((flags & ~(unsigned)cudaDeviceMask) != 0) return ash_cudart_status(cudaErrorInvalidValue);
    device_flags = flags | cudaDeviceMapHost;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    if (flags == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    *flags = device_flags;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    if ((unsigned)limit >= LIMITS) return ash_cudart_status(cudaErrorUnsupportedLimit);
    limits[limit] = value;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    if (value == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    if ((unsigned)limit >= LIMITS) return ash_cudart_status(cudaErrorUnsupportedLimit);
    *value = limits[limit];
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig)
{
    cache_config = cacheConfig;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *cacheConfig)
{
    if (cacheConfig == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    *cacheConfig = cache_config;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    bank_config = config;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    if (config == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    *config = bank_config;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
    if (leastPriority != NULL) *leastPriority = 0;
    if (greatestPriority != NULL) *greatestPriority = -5;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(int target, int scope)
{
    (void)target;
    (void)scope;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaProfilerStart(void)
{
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaProfilerStop(void)
{
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice)
{
    if (canAccessPeer == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    if (bad_device(device) || bad_device(peerDevice))
        return ash_cudart_status(cudaErrorInvalidDevice);
    *canAccessPeer = device != peerDevice;
    return ash_cudart_status(cudaSuccess);
}

/* Access works in any case; what CUDA checks is checked, since it would fail on a GPU. */
static cudaError_t set_peer(int peer, bool enable)
{
    int self = ash_cudart_device();
    unsigned char bit = (unsigned char)(1u << (peer % 8)), *byte;
    cudaError_t error = cudaSuccess;
    if (bad_device(peer) || peer == self) return cudaErrorInvalidDevice;
    byte = &peers[self][peer / 8];
    (void)pthread_mutex_lock(&peers_lock);
    if (enable == ((*byte & bit) != 0))
        error = enable ? cudaErrorPeerAccessAlreadyEnabled : cudaErrorPeerAccessNotEnabled;
    *byte = (unsigned char)(enable ? *byte | bit : *byte & ~bit);
    (void)pthread_mutex_unlock(&peers_lock);
    return error;
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags)
{
    return ash_cudart_status(flags != 0 ? cudaErrorInvalidValue : set_peer(peerDevice, true));
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice)
{
    return ash_cudart_status(set_peer(peerDevice, false));
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int srcDevice,
                                      int dstDevice)
{
    if (value == NULL || attr < cudaDevP2PAttrPerformanceRank ||
        attr > cudaDevP2PAttrCudaArrayAccessSupported)
        return ash_cudart_status(cudaErrorInvalidValue);
    if (bad_device(srcDevice) || bad_device(dstDevice) || srcDevice == dstDevice)
        return ash_cudart_status(cudaErrorInvalidDevice);
    *value = attr == cudaDevP2PAttrAccessSupported || attr == cudaDevP2PAttrNativeAtomicSupported;
    return ash_cudart_status(cudaSuccess);
}
