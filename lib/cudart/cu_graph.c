/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The driver interface: events, captures, graphs.
 */
#include "lib/cudart/cu.h"

CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags)
{
    ASH_CU(cudaEventCreateWithFlags(phEvent, Flags));
}

CUresult cuEventRecord(CUevent hEvent, CUstream hStream)
{
    ASH_CU(cudaEventRecord(hEvent, hStream));
}

CUresult cuEventQuery(CUevent hEvent)
{
    ASH_CU(cudaEventQuery(hEvent));
}

CUresult cuEventSynchronize(CUevent hEvent)
{
    ASH_CU(cudaEventSynchronize(hEvent));
}

CUresult cuEventDestroy(CUevent hEvent)
{
    ASH_CU(cudaEventDestroy(hEvent));
}

CUresult cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd)
{
    ASH_CU(cudaEventElapsedTime(pMilliseconds, hStart, hEnd));
}

CUresult cuStreamBeginCapture(CUstream hStream, CUstreamCaptureMode mode)
{
    ASH_CU(cudaStreamBeginCapture(hStream, (enum cudaStreamCaptureMode)mode));
}

CUresult cuStreamEndCapture(CUstream hStream, CUgraph *phGraph)
{
    ASH_CU(cudaStreamEndCapture(hStream, phGraph));
}

CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus)
{
    ASH_CU(cudaStreamIsCapturing(hStream,
                                 (enum cudaStreamCaptureStatus *)(void *)captureStatus));
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    ASH_CU(cudaThreadExchangeStreamCaptureMode((enum cudaStreamCaptureMode *)(void *)mode));
}

CUresult cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph, unsigned long long flags)
{
    ASH_CU(cudaGraphInstantiate(phGraphExec, hGraph, flags));
}

CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream)
{
    ASH_CU(cudaGraphLaunch(hGraphExec, hStream));
}

CUresult cuGraphExecDestroy(CUgraphExec hGraphExec)
{
    ASH_CU(cudaGraphExecDestroy(hGraphExec));
}

CUresult cuGraphDestroy(CUgraph hGraph)
{
    ASH_CU(cudaGraphDestroy(hGraph));
}
