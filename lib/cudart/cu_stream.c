/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The driver interface: streams, and values in memory that they write or wait for.
 */
#include "lib/cudart/context.h"
#include "lib/cudart/cu.h"
#include "lib/cudart/work.h"

CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags)
{
    ASH_CU(cudaStreamCreateWithFlags(phStream, Flags));
}

CUresult cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority)
{
    ASH_CU(cudaStreamCreateWithPriority(phStream, flags, priority));
}

CUresult cuStreamDestroy(CUstream hStream)
{
    ASH_CU(cudaStreamDestroy(hStream));
}

CUresult cuStreamSynchronize(CUstream hStream)
{
    ASH_CU(cudaStreamSynchronize(hStream));
}

CUresult cuStreamQuery(CUstream hStream)
{
    ASH_CU(cudaStreamQuery(hStream));
}

CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags)
{
    ASH_CU(cudaStreamWaitEvent(hStream, hEvent, Flags));
}

CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData,
                             unsigned int flags)
{
    ASH_CU(cudaStreamAddCallback(hStream, (cudaStreamCallback_t)(void (*)(void))callback, userData,
                                 flags));
}

CUresult cuStreamGetFlags(CUstream hStream, unsigned int *flags)
{
    ASH_CU(cudaStreamGetFlags(hStream, flags));
}

CUresult cuStreamGetPriority(CUstream hStream, int *priority)
{
    ASH_CU(cudaStreamGetPriority(hStream, priority));
}

static cudaError_t context_of(CUstream stream, CUcontext *ret_context)
{
    int device;
    cudaError_t error = cudaStreamGetDevice(stream, &device);
    if (ret_context == NULL) return cudaErrorInvalidValue;
    if (error == cudaSuccess) *ret_context = ash_context_of(device);
    return error;
}

CUresult cuStreamGetCtx(CUstream hStream, CUcontext *pctx)
{
    ASH_CU(context_of(hStream, pctx));
}

/* Queue the write of a value, or the wait for one. */
static cudaError_t queue_value(CUstream stream, CUdeviceptr addr, const struct ash_value *value)
{
    struct ash_work work = {.type = ASH_WORK_VALUE, .value = *value};
    if (addr == 0 || addr % value->nbytes != 0) return cudaErrorInvalidValue;
    work.value.address = ash_cu_pointer(addr);
    return ash_work_submit(stream, &work);
}

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                              unsigned int flags)
{
    const struct ash_value v = {NULL, value, flags, 4, false};
    ASH_CU(queue_value(stream, addr, &v));
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                              unsigned int flags)
{
    const struct ash_value v = {NULL, value, flags, 8, false};
    ASH_CU(queue_value(stream, addr, &v));
}

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                             unsigned int flags)
{
    const struct ash_value v = {NULL, value, flags, 4, true};
    ASH_CU(queue_value(stream, addr, &v));
}

CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                             unsigned int flags)
{
    const struct ash_value v = {NULL, value, flags, 8, true};
    ASH_CU(queue_value(stream, addr, &v));
}

CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
                                    CUflushGPUDirectRDMAWritesScope scope)
{
    ASH_CU(cudaDeviceFlushGPUDirectRDMAWrites((int)target, (int)scope));
}
