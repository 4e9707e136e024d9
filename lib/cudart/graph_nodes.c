/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs by nodes: what a node does, and adding it.
 */
#include <string.h>

#include "lib/cudart/copy.h"
#include "lib/cudart/graph.h"
#include "lib/cudart/kernel.h"

/* With `extra`, the arguments lie in one buffer, each at a multiple of its size, at most of 16. */
static cudaError_t unpack(const struct ash_cuda_kernel *kernel, void **extra, void **ret_args)
{
    unsigned char *buffer = NULL;
    size_t nbytes = 0, at = 0;
    unsigned i;
    for (; *extra != NULL; extra += 2) {
        if (extra[0] == (void *)1) buffer = extra[1];
        if (extra[0] == (void *)2) nbytes = *(size_t *)extra[1];
    }
    for (i = 0; i < kernel->n_args; i++) {
        size_t size = kernel->sizes[i], alignment = size & (~size + 1);
        if (alignment > 16) alignment = 16;
        if (alignment > 0) at = (at + alignment - 1) / alignment * alignment;
        ret_args[i] = buffer + at;
        at += size;
    }
    return buffer == NULL || at > nbytes ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t ash_kernel_arguments(const void *func, void **params, void **extra, void **room,
                                 void ***ret_args)
{
    const struct CUfunc_st *f = ash_kernel_of(func);
    *ret_args = params;
    if (f == NULL || params != NULL || extra == NULL) return cudaSuccess;
    if (f->kernel->n_args > ASH_ARGUMENTS_MAX) return cudaErrorInvalidValue;
    *ret_args = room;
    return unpack(f->kernel, extra, room);
}

cudaError_t ash_graph_kernel(const struct cudaKernelNodeParams *params, struct ash_work *ret_work)
{
    void *room[ASH_ARGUMENTS_MAX], **args;
    struct ash_launch launch;
    cudaError_t error;
    if (params == NULL) return cudaErrorInvalidValue;
    error = ash_kernel_arguments(params->func, params->kernelParams, params->extra, room, &args);
    if (error == cudaSuccess)
        error = ash_kernel_launch(params->func, params->gridDim, params->blockDim, args,
                                  params->sharedMemBytes, &launch);
    if (error != cudaSuccess) return error;
    ret_work->type = cudaGraphNodeTypeKernel;
    ret_work->launch = ash_launch_copy(&launch);
    return ret_work->launch != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaKernelNodeParams *pNodeParams)
{
    struct ash_work work;
    cudaError_t error = ash_graph_kernel(pNodeParams, &work);
    if (error != cudaSuccess) return ash_cudart_status(error);
    error = ash_graph_add(graph, &work, pDependencies, numDependencies, pGraphNode);
    ash_work_drop(&work);
    return ash_cudart_status(error);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaMemcpy3DParms *pCopyParams)
{
    struct ash_work work = {.type = cudaGraphNodeTypeMemcpy};
    cudaError_t error = ash_copy_3d(pCopyParams, &work.copy);
    if (error == cudaSuccess)
        error = ash_graph_add(graph, &work, pDependencies, numDependencies, pGraphNode);
    return ash_cudart_status(error);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                     void *dst, const void *src, size_t count,
                                     enum cudaMemcpyKind kind)
{
    struct ash_work work = {.type = cudaGraphNodeTypeMemcpy};
    cudaError_t error = ash_copy_1d(dst, src, count, kind, &work.copy);
    if (error == cudaSuccess)
        error = ash_graph_add(graph, &work, pDependencies, numDependencies, pGraphNode);
    return ash_cudart_status(error);
}

cudaError_t ash_graph_set(const struct cudaMemsetParams *params, struct ash_work *ret_work)
{
    if (params == NULL) return cudaErrorInvalidValue;
    if (params->elementSize != 1 && params->elementSize != 2 && params->elementSize != 4)
        return cudaErrorInvalidValue;
    ret_work->type = cudaGraphNodeTypeMemset;
    ret_work->set = *params;
    return cudaSuccess;
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaMemsetParams *pMemsetParams)
{
    struct ash_work work;
    cudaError_t error = ash_graph_set(pMemsetParams, &work);
    if (error == cudaSuccess)
        error = ash_graph_add(graph, &work, pDependencies, numDependencies, pGraphNode);
    return ash_cudart_status(error);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                 const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                 const struct cudaHostNodeParams *pNodeParams)
{
    struct ash_work work = {.type = cudaGraphNodeTypeHost};
    if (pNodeParams == NULL || pNodeParams->fn == NULL)
        return ash_cudart_status(cudaErrorInvalidValue);
    work.host = *pNodeParams;
    return ash_cudart_status(
        ash_graph_add(graph, &work, pDependencies, numDependencies, pGraphNode));
}

/* The node has a copy of its own, as CUDA says. */
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                       const cudaGraphNode_t *pDependencies,
                                       size_t numDependencies, cudaGraph_t childGraph)
{
    struct ash_work work = {.type = cudaGraphNodeTypeGraph};
    cudaError_t error;
    if (childGraph == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    work.graph = ash_graph_clone(childGraph);
    if (work.graph == NULL) return ash_cudart_status(cudaErrorMemoryAllocation);
    error = ash_graph_add(graph, &work, pDependencies, numDependencies, pGraphNode);
    if (error != cudaSuccess) ash_graph_free(work.graph);
    return ash_cudart_status(error);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                  const cudaGraphNode_t *pDependencies, size_t numDependencies)
{
    const struct ash_work work = {.type = cudaGraphNodeTypeEmpty};
    return ash_cudart_status(
        ash_graph_add(graph, &work, pDependencies, numDependencies, pGraphNode));
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                        const cudaGraphNode_t *pDependencies,
                                        size_t numDependencies, cudaEvent_t event)
{
    const struct ash_work work = {.type = cudaGraphNodeTypeEventRecord, .event = {event, 0}};
    if (event == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    return ash_cudart_status(
        ash_graph_add(graph, &work, pDependencies, numDependencies, pGraphNode));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                      const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                      cudaEvent_t event)
{
    const struct ash_work work = {.type = cudaGraphNodeTypeWaitEvent, .event = {event, 0}};
    if (event == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    return ash_cudart_status(
        ash_graph_add(graph, &work, pDependencies, numDependencies, pGraphNode));
}
