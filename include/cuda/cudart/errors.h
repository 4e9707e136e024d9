/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's errors, which the runtime and the driver interface share but for some names:
 * X(runtime's name after cudaError, driver's name after CUDA_ERROR_, number, text).
 */
#ifndef ASH_CUDA_ERRORS_H
#define ASH_CUDA_ERRORS_H

/* Of both interfaces. */
#define ASH_CUDA_ERRORS(X) \
    X(InvalidValue, INVALID_VALUE, 1, "invalid argument") \
    X(MemoryAllocation, OUT_OF_MEMORY, 2, "out of memory") \
    X(InitializationError, NOT_INITIALIZED, 3, "initialization error") \
    X(CudartUnloading, DEINITIALIZED, 4, "driver shutting down") \
    X(ProfilerDisabled, PROFILER_DISABLED, 5, \
      "profiler disabled while using external profiling tool") \
    X(ProfilerNotInitialized, PROFILER_NOT_INITIALIZED, 6, \
      "profiler not initialized: call cudaProfilerInitialize()") \
    X(ProfilerAlreadyStarted, PROFILER_ALREADY_STARTED, 7, "profiler already started") \
    X(ProfilerAlreadyStopped, PROFILER_ALREADY_STOPPED, 8, "profiler already stopped") \
    X(StubLibrary, STUB_LIBRARY, 34, "CUDA driver is a stub library") \
    X(DevicesUnavailable, DEVICE_UNAVAILABLE, 46, \
      "CUDA-capable device(s) is/are busy or unavailable") \
    X(NoDevice, NO_DEVICE, 100, "no CUDA-capable device is detected") \
    X(InvalidDevice, INVALID_DEVICE, 101, "invalid device ordinal") \
    X(DeviceNotLicensed, DEVICE_NOT_LICENSED, 102, "device doesn't have valid Grid license") \
    X(InvalidKernelImage, INVALID_IMAGE, 200, "device kernel image is invalid") \
    X(DeviceUninitialized, INVALID_CONTEXT, 201, "invalid device context") \
    X(MapBufferObjectFailed, MAP_FAILED, 205, "mapping of buffer object failed") \
    X(UnmapBufferObjectFailed, UNMAP_FAILED, 206, "unmapping of buffer object failed") \
    X(ArrayIsMapped, ARRAY_IS_MAPPED, 207, "array is mapped") \
    X(AlreadyMapped, ALREADY_MAPPED, 208, "resource already mapped") \
    X(NoKernelImageForDevice, NO_BINARY_FOR_GPU, 209, \
      "no kernel image is available for execution on the device") \
    X(AlreadyAcquired, ALREADY_ACQUIRED, 210, "resource already acquired") \
    X(NotMapped, NOT_MAPPED, 211, "resource not mapped") \
    X(NotMappedAsArray, NOT_MAPPED_AS_ARRAY, 212, "resource not mapped as array") \
    X(NotMappedAsPointer, NOT_MAPPED_AS_POINTER, 213, "resource not mapped as pointer") \
    X(ECCUncorrectable, ECC_UNCORRECTABLE, 214, "uncorrectable ECC error encountered") \
    X(UnsupportedLimit, UNSUPPORTED_LIMIT, 215, "limit is not supported on this architecture") \
    X(DeviceAlreadyInUse, CONTEXT_ALREADY_IN_USE, 216, \
      "exclusive-thread device already in use by a different thread") \
    X(PeerAccessUnsupported, PEER_ACCESS_UNSUPPORTED, 217, \
      "peer access is not supported between these two devices") \
    X(InvalidPtx, INVALID_PTX, 218, "a PTX JIT compilation failed") \
    X(InvalidGraphicsContext, INVALID_GRAPHICS_CONTEXT, 219, "invalid OpenGL or DirectX context") \
    X(NvlinkUncorrectable, NVLINK_UNCORRECTABLE, 220, \
      "uncorrectable NVLink error detected during the execution") \
    X(JitCompilerNotFound, JIT_COMPILER_NOT_FOUND, 221, "PTX JIT compiler library not found") \
    X(UnsupportedPtxVersion, UNSUPPORTED_PTX_VERSION, 222, \
      "the provided PTX was compiled with an unsupported toolchain.") \
    X(JitCompilationDisabled, JIT_COMPILATION_DISABLED, 223, "PTX JIT compilation was disabled") \
    X(UnsupportedExecAffinity, UNSUPPORTED_EXEC_AFFINITY, 224, \
      "the provided execution affinity is not supported") \
    X(UnsupportedDevSideSync, UNSUPPORTED_DEVSIDE_SYNC, 225, \
      "the provided PTX contains unsupported call to cudaDeviceSynchronize") \
    X(Contained, CONTAINED, 226, \
      "Invalid access of peer GPU memory over nvlink or a hardware error") \
    X(InvalidSource, INVALID_SOURCE, 300, "device kernel image is invalid") \
    X(FileNotFound, FILE_NOT_FOUND, 301, "file not found") \
    X(SharedObjectSymbolNotFound, SHARED_OBJECT_SYMBOL_NOT_FOUND, 302, \
      "shared object symbol not found") \
    X(SharedObjectInitFailed, SHARED_OBJECT_INIT_FAILED, 303, \
      "shared object initialization failed") \
    X(OperatingSystem, OPERATING_SYSTEM, 304, \
      "OS call failed or operation not supported on this OS") \
    X(InvalidResourceHandle, INVALID_HANDLE, 400, "invalid resource handle") \
    X(IllegalState, ILLEGAL_STATE, 401, "the operation cannot be performed in the present state") \
    X(LossyQuery, LOSSY_QUERY, 402, "attempted introspection would be semantically lossy") \
    X(SymbolNotFound, NOT_FOUND, 500, "named symbol not found") \
    X(NotReady, NOT_READY, 600, "device not ready") \
    X(IllegalAddress, ILLEGAL_ADDRESS, 700, "an illegal memory access was encountered") \
    X(LaunchOutOfResources, LAUNCH_OUT_OF_RESOURCES, 701, \
      "too many resources requested for launch") \
    X(LaunchTimeout, LAUNCH_TIMEOUT, 702, "the launch timed out and was terminated") \
    X(LaunchIncompatibleTexturing, LAUNCH_INCOMPATIBLE_TEXTURING, 703, \
      "launch uses incompatible texturing mode") \
    X(PeerAccessAlreadyEnabled, PEER_ACCESS_ALREADY_ENABLED, 704, \
      "peer access is already enabled") \
    X(PeerAccessNotEnabled, PEER_ACCESS_NOT_ENABLED, 705, "peer access has not been enabled") \
    X(SetOnActiveProcess, PRIMARY_CONTEXT_ACTIVE, 708, \
      "cannot set while device is active in this process") \
    X(ContextIsDestroyed, CONTEXT_IS_DESTROYED, 709, "context is destroyed") \
    X(Assert, ASSERT, 710, "device-side assert triggered") \
    X(TooManyPeers, TOO_MANY_PEERS, 711, "peer mapping resources exhausted") \
    X(HostMemoryAlreadyRegistered, HOST_MEMORY_ALREADY_REGISTERED, 712, \
      "part or all of the requested memory range is already mapped") \
    X(HostMemoryNotRegistered, HOST_MEMORY_NOT_REGISTERED, 713, \
      "pointer does not correspond to a registered memory region") \
    X(HardwareStackError, HARDWARE_STACK_ERROR, 714, "hardware stack error") \
    X(IllegalInstruction, ILLEGAL_INSTRUCTION, 715, "an illegal instruction was encountered") \
    X(MisalignedAddress, MISALIGNED_ADDRESS, 716, "misaligned address") \
    X(InvalidAddressSpace, INVALID_ADDRESS_SPACE, 717, \
      "operation not supported on global/shared address space") \
    X(InvalidPc, INVALID_PC, 718, "invalid program counter") \
    X(LaunchFailure, LAUNCH_FAILED, 719, "unspecified launch failure") \
    X(CooperativeLaunchTooLarge, COOPERATIVE_LAUNCH_TOO_LARGE, 720, \
      "too many blocks in cooperative launch") \
    X(TensorMemoryLeak, TENSOR_MEMORY_LEAK, 721, "tensor memory not completely freed") \
    X(NotPermitted, NOT_PERMITTED, 800, "operation not permitted") \
    X(NotSupported, NOT_SUPPORTED, 801, "operation not supported") \
    X(SystemNotReady, SYSTEM_NOT_READY, 802, "system not yet initialized") \
    X(SystemDriverMismatch, SYSTEM_DRIVER_MISMATCH, 803, \
      "system has unsupported display driver / cuda driver combination") \
    X(CompatNotSupportedOnDevice, COMPAT_NOT_SUPPORTED_ON_DEVICE, 804, \
      "forward compatibility was attempted on non supported HW") \
    X(MpsConnectionFailed, MPS_CONNECTION_FAILED, 805, \
      "MPS client failed to connect to the MPS control daemon or the MPS server") \
    X(MpsRpcFailure, MPS_RPC_FAILURE, 806, \
      "the remote procedural call between the MPS server and the MPS client failed") \
    X(MpsServerNotReady, MPS_SERVER_NOT_READY, 807, \
      "MPS server is not ready to accept new MPS client requests") \
    X(MpsMaxClientsReached, MPS_MAX_CLIENTS_REACHED, 808, \
      "the hardware resources required to create MPS client have been exhausted") \
    X(MpsMaxConnectionsReached, MPS_MAX_CONNECTIONS_REACHED, 809, \
      "the hardware resources required to support device connections have been exhausted") \
    X(MpsClientTerminated, MPS_CLIENT_TERMINATED, 810, \
      "the MPS client has been terminated by the server") \
    X(CdpNotSupported, CDP_NOT_SUPPORTED, 811, \
      "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, " \
      "does not support it") \
    X(CdpVersionMismatch, CDP_VERSION_MISMATCH, 812, \
      "unsupported interaction between different versions of CUDA Dynamic Parallelism") \
    X(StreamCaptureUnsupported, STREAM_CAPTURE_UNSUPPORTED, 900, \
      "operation not permitted when stream is capturing") \
    X(StreamCaptureInvalidated, STREAM_CAPTURE_INVALIDATED, 901, \
      "operation failed due to a previous error during capture") \
    X(StreamCaptureMerge, STREAM_CAPTURE_MERGE, 902, \
      "operation would result in a merge of separate capture sequences") \
    X(StreamCaptureUnmatched, STREAM_CAPTURE_UNMATCHED, 903, \
      "capture was not ended in the same stream as it began") \
    X(StreamCaptureUnjoined, STREAM_CAPTURE_UNJOINED, 904, "capturing stream has unjoined work") \
    X(StreamCaptureIsolation, STREAM_CAPTURE_ISOLATION, 905, \
      "dependency created on uncaptured work in another stream") \
    X(StreamCaptureImplicit, STREAM_CAPTURE_IMPLICIT, 906, \
      "operation would make the legacy stream depend on a capturing blocking stream") \
    X(CapturedEvent, CAPTURED_EVENT, 907, \
      "operation not permitted on an event last recorded in a capturing stream") \
    X(StreamCaptureWrongThread, STREAM_CAPTURE_WRONG_THREAD, 908, \
      "attempt to terminate a thread-local capture sequence from another thread") \
    X(Timeout, TIMEOUT, 909, "wait operation timed out") \
    X(GraphExecUpdateFailure, GRAPH_EXEC_UPDATE_FAILURE, 910, \
      "the graph update was not performed because it included changes which violated " \
      "constraints specific to instantiated graph update") \
    X(ExternalDevice, EXTERNAL_DEVICE, 911, \
      "an async error has occured in external entity outside of CUDA") \
    X(InvalidClusterSize, INVALID_CLUSTER_SIZE, 912, \
      "a kernel launch error has occurred due to cluster misconfiguration") \
    X(FunctionNotLoaded, FUNCTION_NOT_LOADED, 913, \
      "the function handle is not loaded when calling an API that requires a loaded function") \
    X(InvalidResourceType, INVALID_RESOURCE_TYPE, 914, \
      "one or more resources passed in are not valid resource types for the operation") \
    X(InvalidResourceConfiguration, INVALID_RESOURCE_CONFIGURATION, 915, \
      "one or more resources are insufficient or non-applicable for the operation") \
    X(Unknown, UNKNOWN, 999, "unknown error")

/* Of the runtime alone: without the second name. */
#define ASH_CUDART_ERRORS(X) \
    X(InvalidConfiguration, 9, "invalid configuration argument") \
    X(InvalidPitchValue, 12, "invalid pitch argument") \
    X(InvalidSymbol, 13, "invalid device symbol") \
    X(InvalidHostPointer, 16, "invalid host pointer") \
    X(InvalidDevicePointer, 17, "invalid device pointer") \
    X(InvalidTexture, 18, "invalid texture reference") \
    X(InvalidTextureBinding, 19, "texture is not bound to a pointer") \
    X(InvalidChannelDescriptor, 20, "invalid channel descriptor") \
    X(InvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
    X(AddressOfConstant, 22, "invalid address of constant") \
    X(TextureFetchFailed, 23, "fetch from texture failed") \
    X(TextureNotBound, 24, "cannot fetch from a texture that is not bound") \
    X(SynchronizationError, 25, "incorrect use of __syncthreads()") \
    X(InvalidFilterSetting, 26, "linear filtering not supported for non-float type") \
    X(InvalidNormSetting, 27, "read as normalized float not supported for data type") \
    X(MixedDeviceExecution, 28, \
      "device emulation mode and device execution mode cannot be mixed") \
    X(NotYetImplemented, 31, "feature not yet implemented") \
    X(MemoryValueTooLarge, 32, "memory size or pointer value too large to fit in 32 bit") \
    X(InsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version") \
    X(CallRequiresNewerDriver, 36, "API call is not supported in the installed CUDA driver") \
    X(InvalidSurface, 37, "invalid surface reference") \
    X(DuplicateVariableName, 43, "duplicate global variable looked up by string name") \
    X(DuplicateTextureName, 44, "duplicate texture looked up by string name") \
    X(DuplicateSurfaceName, 45, "duplicate surface looked up by string name") \
    X(IncompatibleDriverContext, 49, "incompatible driver context") \
    X(MissingConfiguration, 52, "__global__ function call is not configured") \
    X(PriorLaunchFailure, 53, "unspecified launch failure in prior launch") \
    X(LaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches") \
    X(LaunchFileScopedTex, 66, \
      "launch failed because kernel uses unsupported, file-scoped textures (texture " \
      "objects are supported)") \
    X(LaunchFileScopedSurf, 67, \
      "launch failed because kernel uses unsupported, file-scoped surfaces (surface " \
      "objects are supported)") \
    X(SyncDepthExceeded, 68, \
      "cudaDeviceSynchronize failed because caller's grid depth exceeds " \
      "cudaLimitDevRuntimeSyncDepth") \
    X(LaunchPendingCountExceeded, 69, \
      "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount") \
    X(InvalidDeviceFunction, 98, "invalid device function") \
    X(SoftwareValidityNotEstablished, 103, "integrity checks failed") \
    X(StartupFailure, 127, "startup failure in cuda runtime") \
    X(ApiFailureBase, 10000, "api failure base")

#endif
