/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs: making and copying them, their dependencies, and running them.
 */
#include <stdlib.h>

#include "lib/cudart/capture.h"
#include "lib/cudart/graph.h"

cudaError_t cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags)
{
    if (pGraph == NULL || flags != 0) return ash_cudart_status(cudaErrorInvalidValue);
    *pGraph = ash_graph_new();
    return ash_cudart_status(*pGraph != NULL ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    if (graph == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    ash_graph_free(graph);
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph)
{
    if (pGraphClone == NULL || originalGraph == NULL)
        return ash_cudart_status(cudaErrorInvalidValue);
    *pGraphClone = ash_graph_clone(originalGraph);
    return ash_cudart_status(*pGraphClone != NULL ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *pNode, cudaGraphNode_t originalNode,
                                     cudaGraph_t clonedGraph)
{
    if (pNode == NULL || originalNode == NULL || clonedGraph == NULL)
        return ash_cudart_status(cudaErrorInvalidValue);
    *pNode = ash_graph_cloned(clonedGraph, originalNode);
    return ash_cudart_status(*pNode != NULL ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t numDependencies)
{
    cudaError_t error = cudaSuccess;
    size_t i;
    if (graph == NULL || ((from == NULL || to == NULL) && numDependencies > 0))
        return ash_cudart_status(cudaErrorInvalidValue);
    for (i = 0; i < numDependencies && error == cudaSuccess; i++)
        error = to[i] == NULL || to[i]->graph != graph ? cudaErrorInvalidValue
                                                       : ash_graph_depend(to[i], from[i]);
    return ash_cudart_status(error);
}

static bool remove_dependency(cudaGraphNode_t node, cudaGraphNode_t on)
{
    size_t i;
    for (i = 0; i < node->n_deps; i++)
        if (node->deps[i] == on) {
            node->deps[i] = node->deps[--node->n_deps];
            return true;
        }
    return false;
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t numDependencies)
{
    size_t i;
    if (graph == NULL || ((from == NULL || to == NULL) && numDependencies > 0))
        return ash_cudart_status(cudaErrorInvalidValue);
    for (i = 0; i < numDependencies; i++)
        if (to[i] == NULL || to[i]->graph != graph || !remove_dependency(to[i], from[i]))
            return ash_cudart_status(cudaErrorInvalidValue);
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    if (node == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    ash_graph_remove(node);
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                 unsigned long long flags)
{
    cudaGraphExec_t exec;
    cudaError_t error = cudaErrorMemoryAllocation;
    if (pGraphExec == NULL || graph == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0)
        return ash_cudart_status(cudaErrorNotSupported);
    exec = calloc(1, sizeof(*exec));
    if (exec == NULL) return ash_cudart_status(error);
    exec->flags = flags;
    exec->graph = ash_graph_clone(graph);
    if (exec->graph != NULL)
        error = ash_graph_sort(exec->graph) ? cudaSuccess : cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        *pGraphExec = exec;
        return ash_cudart_status(error);
    }
    if (exec->graph != NULL) ash_graph_free(exec->graph);
    free(exec);
    return ash_cudart_status(error);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                          unsigned long long flags)
{
    return cudaGraphInstantiate(pGraphExec, graph, flags);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t graphExec, unsigned long long *flags)
{
    if (graphExec == NULL || flags == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    *flags = graphExec->flags;
    return ash_cudart_status(cudaSuccess);
}

/* In a captured stream the graph becomes a node. */
static cudaError_t launch(cudaGraphExec_t exec, cudaStream_t stream)
{
    struct ash_work work = {.type = cudaGraphNodeTypeGraph};
    cudaError_t error;
    if (exec == NULL) return cudaErrorInvalidValue;
    work.graph = exec->graph;
    if (!ash_capture_any()) return ash_work_submit(stream, &work);
    work.graph = ash_graph_clone(exec->graph);
    if (work.graph == NULL) return cudaErrorMemoryAllocation;
    if (ash_capture_add(stream, &work, &error) && error == cudaSuccess) return error;
    ash_graph_free(work.graph);
    work.graph = exec->graph;
    return error != cudaSuccess ? error : ash_work_submit(stream, &work);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream)
{
    return ash_cudart_status(launch(graphExec, stream));
}

cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream)
{
    if (graphExec == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    return ash_cudart_status(ash_stream_valid(stream) ? cudaSuccess
                                                      : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec)
{
    if (graphExec == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    ash_graph_free(graphExec->graph);
    free(graphExec);
    return ash_cudart_status(cudaSuccess);
}

/* CUDA compares nodes in the order in which they were added; so do their lists, when sorted. */
static enum cudaGraphExecUpdateResult compare(cudaGraph_t is, cudaGraph_t will_be,
                                              cudaGraphNode_t *ret_node)
{
    cudaGraphNode_t a = is->first, b = will_be->first;
    *ret_node = NULL;
    if (is->n_nodes != will_be->n_nodes) return cudaGraphExecUpdateErrorTopologyChanged;
    for (; a != NULL && b != NULL; a = a->next, b = b->next) {
        *ret_node = b->original;
        if (a->work.type != b->work.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
        if (a->n_deps != b->n_deps) return cudaGraphExecUpdateErrorTopologyChanged;
    }
    *ret_node = NULL;
    return cudaGraphExecUpdateSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                cudaGraphExecUpdateResultInfo *resultInfo)
{
    cudaGraphExecUpdateResultInfo info = {cudaGraphExecUpdateError, NULL, NULL};
    cudaGraph_t graph;
    if (hGraphExec == NULL || hGraph == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    graph = ash_graph_clone(hGraph);
    if (graph == NULL) return ash_cudart_status(cudaErrorMemoryAllocation);
    if (ash_graph_sort(graph)) info.result = compare(hGraphExec->graph, graph, &info.errorNode);
    if (resultInfo != NULL) *resultInfo = info;
    if (info.result != cudaGraphExecUpdateSuccess) {
        ash_graph_free(graph);
        return ash_cudart_status(cudaErrorGraphExecUpdateFailure);
    }
    ash_graph_replace(hGraphExec, graph);
    return ash_cudart_status(cudaSuccess);
}
