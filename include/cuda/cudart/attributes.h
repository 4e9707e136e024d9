/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes of a device: X(runtime's name after cudaDevAttr, driver's name after
 * CU_DEVICE_ATTRIBUTE_, number).
 */
#ifndef ASH_CUDA_ATTRIBUTES_H
#define ASH_CUDA_ATTRIBUTES_H

#define ASH_CUDA_ATTRIBUTES(X) \
    X(MaxThreadsPerBlock, MAX_THREADS_PER_BLOCK, 1) \
    X(MaxBlockDimX, MAX_BLOCK_DIM_X, 2) \
    X(MaxBlockDimY, MAX_BLOCK_DIM_Y, 3) \
    X(MaxBlockDimZ, MAX_BLOCK_DIM_Z, 4) \
    X(MaxGridDimX, MAX_GRID_DIM_X, 5) \
    X(MaxGridDimY, MAX_GRID_DIM_Y, 6) \
    X(MaxGridDimZ, MAX_GRID_DIM_Z, 7) \
    X(MaxSharedMemoryPerBlock, MAX_SHARED_MEMORY_PER_BLOCK, 8) \
    X(TotalConstantMemory, TOTAL_CONSTANT_MEMORY, 9) \
    X(WarpSize, WARP_SIZE, 10) \
    X(MaxPitch, MAX_PITCH, 11) \
    X(MaxRegistersPerBlock, MAX_REGISTERS_PER_BLOCK, 12) \
    X(ClockRate, CLOCK_RATE, 13) \
    X(TextureAlignment, TEXTURE_ALIGNMENT, 14) \
    X(GpuOverlap, GPU_OVERLAP, 15) \
    X(MultiProcessorCount, MULTIPROCESSOR_COUNT, 16) \
    X(KernelExecTimeout, KERNEL_EXEC_TIMEOUT, 17) \
    X(Integrated, INTEGRATED, 18) \
    X(CanMapHostMemory, CAN_MAP_HOST_MEMORY, 19) \
    X(ComputeMode, COMPUTE_MODE, 20) \
    X(SurfaceAlignment, SURFACE_ALIGNMENT, 30) \
    X(ConcurrentKernels, CONCURRENT_KERNELS, 31) \
    X(EccEnabled, ECC_ENABLED, 32) \
    X(PciBusId, PCI_BUS_ID, 33) \
    X(PciDeviceId, PCI_DEVICE_ID, 34) \
    X(TccDriver, TCC_DRIVER, 35) \
    X(MemoryClockRate, MEMORY_CLOCK_RATE, 36) \
    X(GlobalMemoryBusWidth, GLOBAL_MEMORY_BUS_WIDTH, 37) \
    X(L2CacheSize, L2_CACHE_SIZE, 38) \
    X(MaxThreadsPerMultiProcessor, MAX_THREADS_PER_MULTIPROCESSOR, 39) \
    X(AsyncEngineCount, ASYNC_ENGINE_COUNT, 40) \
    X(UnifiedAddressing, UNIFIED_ADDRESSING, 41) \
    X(PciDomainId, PCI_DOMAIN_ID, 50) \
    X(TexturePitchAlignment, TEXTURE_PITCH_ALIGNMENT, 51) \
    X(ComputeCapabilityMajor, COMPUTE_CAPABILITY_MAJOR, 75) \
    X(ComputeCapabilityMinor, COMPUTE_CAPABILITY_MINOR, 76) \
    X(StreamPrioritiesSupported, STREAM_PRIORITIES_SUPPORTED, 78) \
    X(GlobalL1CacheSupported, GLOBAL_L1_CACHE_SUPPORTED, 79) \
    X(LocalL1CacheSupported, LOCAL_L1_CACHE_SUPPORTED, 80) \
    X(MaxSharedMemoryPerMultiprocessor, MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 81) \
    X(MaxRegistersPerMultiprocessor, MAX_REGISTERS_PER_MULTIPROCESSOR, 82) \
    X(ManagedMemory, MANAGED_MEMORY, 83) \
    X(IsMultiGpuBoard, MULTI_GPU_BOARD, 84) \
    X(MultiGpuBoardGroupID, MULTI_GPU_BOARD_GROUP_ID, 85) \
    X(HostNativeAtomicSupported, HOST_NATIVE_ATOMIC_SUPPORTED, 86) \
    X(SingleToDoublePrecisionPerfRatio, SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 87) \
    X(PageableMemoryAccess, PAGEABLE_MEMORY_ACCESS, 88) \
    X(ConcurrentManagedAccess, CONCURRENT_MANAGED_ACCESS, 89) \
    X(ComputePreemptionSupported, COMPUTE_PREEMPTION_SUPPORTED, 90) \
    X(CanUseHostPointerForRegisteredMem, CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 91) \
    X(CooperativeLaunch, COOPERATIVE_LAUNCH, 95) \
    X(CooperativeMultiDeviceLaunch, COOPERATIVE_MULTI_DEVICE_LAUNCH, 96) \
    X(MaxSharedMemoryPerBlockOptin, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97) \
    X(CanFlushRemoteWrites, CAN_FLUSH_REMOTE_WRITES, 98) \
    X(HostRegisterSupported, HOST_REGISTER_SUPPORTED, 99) \
    X(PageableMemoryAccessUsesHostPageTables, PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, 100) \
    X(DirectManagedMemAccessFromHost, DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, 101) \
    X(MaxBlocksPerMultiprocessor, MAX_BLOCKS_PER_MULTIPROCESSOR, 106) \
    X(MaxPersistingL2CacheSize, MAX_PERSISTING_L2_CACHE_SIZE, 108) \
    X(MaxAccessPolicyWindowSize, MAX_ACCESS_POLICY_WINDOW_SIZE, 109) \
    X(ReservedSharedMemoryPerBlock, RESERVED_SHARED_MEMORY_PER_BLOCK, 111) \
    X(SparseCudaArraySupported, SPARSE_CUDA_ARRAY_SUPPORTED, 112) \
    X(HostRegisterReadOnlySupported, READ_ONLY_HOST_REGISTER_SUPPORTED, 113) \
    X(TimelineSemaphoreInteropSupported, TIMELINE_SEMAPHORE_INTEROP_SUPPORTED, 114) \
    X(MemoryPoolsSupported, MEMORY_POOLS_SUPPORTED, 115) \
    X(GPUDirectRDMASupported, GPU_DIRECT_RDMA_SUPPORTED, 116) \
    X(GPUDirectRDMAFlushWritesOptions, GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS, 117) \
    X(GPUDirectRDMAWritesOrdering, GPU_DIRECT_RDMA_WRITES_ORDERING, 118) \
    X(MemoryPoolSupportedHandleTypes, MEMPOOL_SUPPORTED_HANDLE_TYPES, 119) \
    X(ClusterLaunch, CLUSTER_LAUNCH, 120) \
    X(DeferredMappingCudaArraySupported, DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED, 121) \
    X(IpcEventSupport, IPC_EVENT_SUPPORTED, 125) \
    X(MemSyncDomainCount, MEM_SYNC_DOMAIN_COUNT, 126) \
    X(NumaConfig, NUMA_CONFIG, 130) \
    X(NumaId, NUMA_ID, 131) \
    X(MpsEnabled, MPS_ENABLED, 133) \
    X(HostNumaId, HOST_NUMA_ID, 134) \
    X(D3D12CigSupported, D3D12_CIG_SUPPORTED, 135)

/* Of the driver alone. */
#define ASH_CU_ATTRIBUTES(X) \
    X(CAN_USE_STREAM_MEM_OPS_V1, 92) \
    X(CAN_USE_64_BIT_STREAM_MEM_OPS, 122) \
    X(CAN_USE_STREAM_WAIT_VALUE_NOR, 123) \
    X(DMA_BUF_SUPPORTED, 124) \
    X(VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 102) \
    X(HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 103) \
    X(GENERIC_COMPRESSION_SUPPORTED, 107) \
    X(GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED, 110) \
    X(TENSOR_MAP_ACCESS_SUPPORTED, 127) \
    X(HANDLE_TYPE_FABRIC_SUPPORTED, 128) \
    X(UNIFIED_FUNCTION_POINTERS, 129) \
    X(MULTICAST_SUPPORTED, 132)

#endif
