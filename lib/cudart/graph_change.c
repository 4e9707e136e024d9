/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changing what a node does, in a graph and in one that is ready to run.
 */
#include "lib/cudart/copy.h"
#include "lib/cudart/graph.h"

/* Give a node, if it is of this type, other work. */
static cudaError_t change(cudaGraphNode_t node, const struct ash_work *work)
{
    if (node == NULL || node->work.type != work->type) return cudaErrorInvalidValue;
    ash_graph_change(node, work);
    return cudaSuccess;
}

/* The same in a graph that is ready to run, for the node that was made of this one. */
static cudaError_t change_ready(cudaGraphExec_t exec, cudaGraphNode_t node,
                                const struct ash_work *work)
{
    if (exec == NULL || node == NULL) return cudaErrorInvalidValue;
    return change(ash_graph_cloned(exec->graph, node), work);
}

/* By `exec`, or in the graph itself. */
static cudaError_t change_any(cudaGraphExec_t exec, bool ready, cudaGraphNode_t node,
                              const struct ash_work *work)
{
    return ready ? change_ready(exec, node, work) : change(node, work);
}

static cudaError_t change_kernel(cudaGraphExec_t exec, bool ready, cudaGraphNode_t node,
                                 const struct cudaKernelNodeParams *params)
{
    struct ash_work work;
    cudaError_t error = ash_graph_kernel(params, &work);
    if (error != cudaSuccess) return error;
    if (node != NULL && node->work.type == cudaGraphNodeTypeKernel)
        work.launch->launch.cooperative = node->work.launch->launch.cooperative;
    error = change_any(exec, ready, node, &work);
    ash_work_drop(&work);
    return error;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *pNodeParams)
{
    return ash_cudart_status(change_kernel(NULL, false, node, pNodeParams));
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *pNodeParams)
{
    return ash_cudart_status(change_kernel(hGraphExec, true, node, pNodeParams));
}

static cudaError_t change_host(cudaGraphExec_t exec, bool ready, cudaGraphNode_t node,
                               const struct cudaHostNodeParams *params)
{
    struct ash_work work = {.type = cudaGraphNodeTypeHost};
    if (params == NULL || params->fn == NULL) return cudaErrorInvalidValue;
    work.host = *params;
    return change_any(exec, ready, node, &work);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const struct cudaHostNodeParams *pNodeParams)
{
    return ash_cudart_status(change_host(NULL, false, node, pNodeParams));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *pNodeParams)
{
    return ash_cudart_status(change_host(hGraphExec, true, node, pNodeParams));
}

static cudaError_t change_copy(cudaGraphExec_t exec, bool ready, cudaGraphNode_t node,
                               const struct ash_cuda_copy *copy)
{
    const struct ash_work work = {.type = cudaGraphNodeTypeMemcpy, .copy = *copy};
    return change_any(exec, ready, node, &work);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src,
                                           size_t count, enum cudaMemcpyKind kind)
{
    struct ash_cuda_copy copy;
    cudaError_t error = ash_copy_1d(dst, src, count, kind, &copy);
    if (error == cudaSuccess) error = change_copy(NULL, false, node, &copy);
    return ash_cudart_status(error);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                               void *dst, const void *src, size_t count,
                                               enum cudaMemcpyKind kind)
{
    struct ash_cuda_copy copy;
    cudaError_t error = ash_copy_1d(dst, src, count, kind, &copy);
    if (error == cudaSuccess) error = change_copy(hGraphExec, true, node, &copy);
    return ash_cudart_status(error);
}

static cudaError_t change_set(cudaGraphExec_t exec, bool ready, cudaGraphNode_t node,
                              const struct cudaMemsetParams *params)
{
    struct ash_work work;
    cudaError_t error = ash_graph_set(params, &work);
    return error != cudaSuccess ? error : change_any(exec, ready, node, &work);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemsetParams *pNodeParams)
{
    return ash_cudart_status(change_set(NULL, false, node, pNodeParams));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *pNodeParams)
{
    return ash_cudart_status(change_set(hGraphExec, true, node, pNodeParams));
}
