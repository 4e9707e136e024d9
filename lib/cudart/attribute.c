/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes and properties of a device: those of a GPU of compute capability 8.0 where a kernel
 * could depend on them, and those of this machine where it is about memory and processors.
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/cudart/cu.h"
#include "lib/cudart/memory.h"

#define DIM_MAX 2147483647
/* Programs make as many blocks as fill the device, and each costs time here: no more than the
 * CPUs can run, but enough that grids have several blocks. */
#define PROCESSORS_MIN 8
#define PROCESSORS_MAX 132

/* Multiprocessors: one for each CPU that the process may use. */
static int processors(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
    if (n < PROCESSORS_MIN) return PROCESSORS_MIN;
    return n < PROCESSORS_MAX ? n : PROCESSORS_MAX;
}

static const struct {
    int attribute, value;
} constants[] = {
    {cudaDevAttrMaxThreadsPerBlock, 1024},
    {cudaDevAttrMaxBlockDimX, 1024},
    {cudaDevAttrMaxBlockDimY, 1024},
    {cudaDevAttrMaxBlockDimZ, 64},
    {cudaDevAttrMaxGridDimX, DIM_MAX},
    {cudaDevAttrMaxGridDimY, 65535},
    {cudaDevAttrMaxGridDimZ, 65535},
    {cudaDevAttrMaxSharedMemoryPerBlock, ASH_BLOCK_SHARED},
    {cudaDevAttrTotalConstantMemory, 65536},
    {cudaDevAttrWarpSize, 32},
    {cudaDevAttrMaxPitch, DIM_MAX},
    {cudaDevAttrMaxRegistersPerBlock, 65536},
    {cudaDevAttrClockRate, 1000000},
    {cudaDevAttrTextureAlignment, 512},
    {cudaDevAttrGpuOverlap, 1},
    {cudaDevAttrIntegrated, 1},
    {cudaDevAttrCanMapHostMemory, 1},
    {cudaDevAttrComputeMode, cudaComputeModeDefault},
    {cudaDevAttrSurfaceAlignment, 512},
    {cudaDevAttrConcurrentKernels, 1},
    {cudaDevAttrMemoryClockRate, 1000000},
    {cudaDevAttrGlobalMemoryBusWidth, 64},
    {cudaDevAttrL2CacheSize, 4 << 20},
    {cudaDevAttrMaxThreadsPerMultiProcessor, ASH_SM_THREADS},
    {cudaDevAttrAsyncEngineCount, 2},
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrTexturePitchAlignment, 32},
    {cudaDevAttrComputeCapabilityMajor, 8},
    {cudaDevAttrComputeCapabilityMinor, 0},
    {cudaDevAttrStreamPrioritiesSupported, 1},
    {cudaDevAttrGlobalL1CacheSupported, 1},
    {cudaDevAttrLocalL1CacheSupported, 1},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, ASH_SM_SHARED},
    {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrHostNativeAtomicSupported, 1},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
    {cudaDevAttrPageableMemoryAccess, 1},
    {cudaDevAttrConcurrentManagedAccess, 1},
    {cudaDevAttrComputePreemptionSupported, 1},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
    {cudaDevAttrCooperativeLaunch, 1},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, ASH_BLOCK_SHARED_OPTIN},
    {cudaDevAttrCanFlushRemoteWrites, 1},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables, 1},
    {cudaDevAttrDirectManagedMemAccessFromHost, 1},
    {cudaDevAttrMaxBlocksPerMultiprocessor, ASH_SM_BLOCKS},
    {cudaDevAttrReservedSharedMemoryPerBlock, ASH_BLOCK_SHARED_RESERVED},
    {cudaDevAttrHostRegisterReadOnlySupported, 1},
    {cudaDevAttrMemoryPoolsSupported, 1},
    {cudaDevAttrGPUDirectRDMASupported, 1},
    {cudaDevAttrGPUDirectRDMAWritesOrdering, cudaGPUDirectRDMAWritesOrderingAllDevices},
    {cudaDevAttrMemoryPoolSupportedHandleTypes, cudaMemHandleTypeNone},
    {cudaDevAttrMemSyncDomainCount, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, 1},
    {CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS, 1},
};

/* An attribute that has a number and nothing else is 0. */
bool ash_cudart_attribute(int attribute, int *ret_value)
{
    size_t i;
    *ret_value = 0;
    if (attribute == cudaDevAttrMultiProcessorCount) *ret_value = processors();
    for (i = 0; i < sizeof(constants) / sizeof(constants[0]); i++)
        if (constants[i].attribute == attribute) *ret_value = constants[i].value;
    return attribute >= 1 && attribute < cudaDevAttrMax;
}

static cudaError_t get_attribute(int *value, int attribute, int device)
{
    if (value == NULL) return cudaErrorInvalidValue;
    if (device < 0 || device >= ash_cudart_devices()) return cudaErrorInvalidDevice;
    if (!ash_cudart_attribute(attribute, value)) return cudaErrorInvalidValue;
    if (attribute == cudaDevAttrPciBusId) *value = device & 0xff;
    if (attribute == cudaDevAttrPciDomainId) *value = device >> 8;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    return ash_cudart_status(get_attribute(value, (int)attr, device));
}

CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev)
{
    ASH_CU(get_attribute(pi, (int)attrib, dev));
}

/* Members of the properties that are an attribute. */
#define ASH_SAME_INTS(X) \
    X(regsPerBlock, MaxRegistersPerBlock) \
    X(warpSize, WarpSize) \
    X(maxThreadsPerBlock, MaxThreadsPerBlock) \
    X(maxThreadsDim[0], MaxBlockDimX) \
    X(maxThreadsDim[1], MaxBlockDimY) \
    X(maxThreadsDim[2], MaxBlockDimZ) \
    X(maxGridSize[0], MaxGridDimX) \
    X(maxGridSize[1], MaxGridDimY) \
    X(maxGridSize[2], MaxGridDimZ) \
    X(clockRate, ClockRate) \
    X(major, ComputeCapabilityMajor) \
    X(minor, ComputeCapabilityMinor) \
    X(deviceOverlap, GpuOverlap) \
    X(multiProcessorCount, MultiProcessorCount) \
    X(integrated, Integrated) \
    X(canMapHostMemory, CanMapHostMemory) \
    X(concurrentKernels, ConcurrentKernels) \
    X(asyncEngineCount, AsyncEngineCount) \
    X(unifiedAddressing, UnifiedAddressing) \
    X(memoryClockRate, MemoryClockRate) \
    X(memoryBusWidth, GlobalMemoryBusWidth) \
    X(l2CacheSize, L2CacheSize) \
    X(maxThreadsPerMultiProcessor, MaxThreadsPerMultiProcessor) \
    X(streamPrioritiesSupported, StreamPrioritiesSupported) \
    X(globalL1CacheSupported, GlobalL1CacheSupported) \
    X(localL1CacheSupported, LocalL1CacheSupported) \
    X(regsPerMultiprocessor, MaxRegistersPerMultiprocessor) \
    X(managedMemory, ManagedMemory) \
    X(hostNativeAtomicSupported, HostNativeAtomicSupported) \
    X(singleToDoublePrecisionPerfRatio, SingleToDoublePrecisionPerfRatio) \
    X(pageableMemoryAccess, PageableMemoryAccess) \
    X(concurrentManagedAccess, ConcurrentManagedAccess) \
    X(computePreemptionSupported, ComputePreemptionSupported) \
    X(canUseHostPointerForRegisteredMem, CanUseHostPointerForRegisteredMem) \
    X(cooperativeLaunch, CooperativeLaunch) \
    X(pageableMemoryAccessUsesHostPageTables, PageableMemoryAccessUsesHostPageTables) \
    X(directManagedMemAccessFromHost, DirectManagedMemAccessFromHost) \
    X(maxBlocksPerMultiProcessor, MaxBlocksPerMultiprocessor) \
    X(hostRegisterSupported, HostRegisterSupported) \
    X(memoryPoolsSupported, MemoryPoolsSupported) \
    X(gpuDirectRDMASupported, GPUDirectRDMASupported) \
    X(gpuDirectRDMAWritesOrdering, GPUDirectRDMAWritesOrdering)

/* Each device has an identity of its own, the same in all processes of the node. */
static void fill_identity(struct cudaDeviceProp *prop, int device)
{
    long host = gethostid();
    (void)snprintf(prop->name, sizeof(prop->name), "anyshmem host device");
    memcpy(prop->uuid.bytes, &host, sizeof(host));
    memcpy(prop->uuid.bytes + sizeof(host), &device, sizeof(device));
    prop->pciBusID = device & 0xff;
    prop->pciDomainID = device >> 8;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    int value;
    if (prop == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    if (device < 0 || device >= ash_cudart_devices())
        return ash_cudart_status(cudaErrorInvalidDevice);
    memset(prop, 0, sizeof(*prop));
    fill_identity(prop, device);
#define COPY(member, attribute) \
    (void)ash_cudart_attribute(cudaDevAttr##attribute, &value); \
    prop->member = value;
    ASH_SAME_INTS(COPY)
#undef COPY
    prop->totalGlobalMem = ash_allocation_total();
    prop->sharedMemPerBlock = ASH_BLOCK_SHARED;
    prop->sharedMemPerBlockOptin = ASH_BLOCK_SHARED_OPTIN;
    prop->sharedMemPerMultiprocessor = ASH_SM_SHARED;
    prop->reservedSharedMemPerBlock = ASH_BLOCK_SHARED_RESERVED;
    prop->memPitch = DIM_MAX;
    prop->totalConstMem = 65536;
    prop->textureAlignment = prop->surfaceAlignment = 512;
    prop->texturePitchAlignment = 32;
    return ash_cudart_status(cudaSuccess);
}
