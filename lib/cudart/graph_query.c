/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program asks of graphs and nodes.
 */
#include <stdio.h>
#include <string.h>

#include "lib/cudart/graph.h"
#include "lib/cudart/kernel.h"

/* Nodes for which a test is true, as CUDA returns lists: with NULL their number, else as many as
 * fit, the others NULL. */
static cudaError_t list(cudaGraph_t graph, bool (*test)(cudaGraphNode_t, cudaGraphNode_t),
                        cudaGraphNode_t of, cudaGraphNode_t *nodes, size_t *ret_n)
{
    cudaGraphNode_t node;
    size_t n = 0, room;
    if (graph == NULL || ret_n == NULL) return cudaErrorInvalidValue;
    room = *ret_n;
    for (node = graph->first; node != NULL; node = node->next) {
        if (!test(node, of)) continue;
        if (nodes != NULL && n < room) nodes[n] = node;
        n++;
    }
    if (nodes != NULL && n < room) memset(nodes + n, 0, (room - n) * sizeof(*nodes));
    *ret_n = nodes != NULL && n > room ? room : n;
    return cudaSuccess;
}

static bool any(cudaGraphNode_t node, cudaGraphNode_t of)
{
    (void)node;
    (void)of;
    return true;
}

static bool is_root(cudaGraphNode_t node, cudaGraphNode_t of)
{
    (void)of;
    return node->n_deps == 0;
}

static bool depends_on(cudaGraphNode_t node, cudaGraphNode_t of)
{
    size_t i;
    for (i = 0; i < node->n_deps; i++)
        if (node->deps[i] == of) return true;
    return false;
}

static bool is_depended_on(cudaGraphNode_t node, cudaGraphNode_t of)
{
    return depends_on(of, node);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes)
{
    return ash_cudart_status(list(graph, any, NULL, nodes, numNodes));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *pRootNodes,
                                  size_t *pNumRootNodes)
{
    return ash_cudart_status(list(graph, is_root, NULL, pRootNodes, pNumRootNodes));
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
                                         size_t *pNumDependencies)
{
    if (node == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    return ash_cudart_status(
        list(node->graph, is_depended_on, node, pDependencies, pNumDependencies));
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
                                           size_t *pNumDependentNodes)
{
    if (node == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    return ash_cudart_status(
        list(node->graph, depends_on, node, pDependentNodes, pNumDependentNodes));
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              size_t *numEdges)
{
    cudaGraphNode_t node;
    size_t n = 0, i;
    if (graph == NULL || numEdges == NULL || (from == NULL) != (to == NULL))
        return ash_cudart_status(cudaErrorInvalidValue);
    for (node = graph->first; node != NULL; node = node->next)
        for (i = 0; i < node->n_deps; i++, n++) {
            if (from == NULL || n >= *numEdges) continue;
            from[n] = node->deps[i];
            to[n] = node;
        }
    if (from == NULL || n < *numEdges) *numEdges = n;
    return ash_cudart_status(cudaSuccess);
}

/* An operation of NVSHMEM is a kernel on a GPU. */
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *pType)
{
    if (node == NULL || pType == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    *pType = node->work.type >= ASH_WORK_OPERATION ? cudaGraphNodeTypeKernel : node->work.type;
    return ash_cudart_status(cudaSuccess);
}

static bool is_type(cudaGraphNode_t node, enum cudaGraphNodeType type, const void *params)
{
    return node != NULL && params != NULL && node->work.type == type;
}

static dim3 dim3_of(struct anyshmem_index index)
{
    return (dim3){index.x, index.y, index.z};
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                         struct cudaKernelNodeParams *pNodeParams)
{
    const struct ash_launch *launch;
    struct CUfunc_st *f;
    if (!is_type(node, cudaGraphNodeTypeKernel, pNodeParams))
        return ash_cudart_status(cudaErrorInvalidValue);
    launch = &node->work.launch->launch;
    f = ash_kernel_of_thunk(launch->thunk);
    if (f == NULL) return ash_cudart_status(cudaErrorInvalidDeviceFunction);
    *pNodeParams = (struct cudaKernelNodeParams){
        .func = f->host != NULL ? (void *)f->host : f,
        .gridDim = dim3_of(launch->grid_dim),
        .blockDim = dim3_of(launch->block_dim),
        .sharedMemBytes = (unsigned)launch->shared_nbytes,
        .kernelParams = launch->args,
    };
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                            cudaLaunchAttributeValue *value_out)
{
    if (!is_type(hNode, cudaGraphNodeTypeKernel, value_out))
        return ash_cudart_status(cudaErrorInvalidValue);
    memset(value_out, 0, sizeof(*value_out));
    if (attr == cudaLaunchAttributeCooperative)
        value_out->cooperative = hNode->work.launch->launch.cooperative;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                            const cudaLaunchAttributeValue *value)
{
    if (!is_type(hNode, cudaGraphNodeTypeKernel, value))
        return ash_cudart_status(cudaErrorInvalidValue);
    if (attr == cudaLaunchAttributeCooperative)
        hNode->work.launch->launch.cooperative = value->cooperative != 0;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                       struct cudaHostNodeParams *pNodeParams)
{
    if (!is_type(node, cudaGraphNodeTypeHost, pNodeParams))
        return ash_cudart_status(cudaErrorInvalidValue);
    *pNodeParams = node->work.host;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                         struct cudaMemsetParams *pNodeParams)
{
    if (!is_type(node, cudaGraphNodeTypeMemset, pNodeParams))
        return ash_cudart_status(cudaErrorInvalidValue);
    *pNodeParams = node->work.set;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *pGraph)
{
    if (!is_type(node, cudaGraphNodeTypeGraph, pGraph))
        return ash_cudart_status(cudaErrorInvalidValue);
    *pGraph = node->work.graph;
    return ash_cudart_status(cudaSuccess);
}

static const char *type_name(enum cudaGraphNodeType type)
{
    static const char *const names[] = {"KERNEL", "MEMCPY", "MEMSET",     "HOST",
                                        "GRAPH",  "EMPTY",  "WAIT EVENT", "RECORD EVENT"};
    if (type == ASH_WORK_OPERATION) return "NVSHMEM";
    return (unsigned)type < sizeof(names) / sizeof(names[0]) ? names[type] : "MEMORY";
}

static void print_node(FILE *file, cudaGraphNode_t node)
{
    const struct ash_work *work = &node->work;
    size_t i;
    fprintf(file, "    n%p [label=\"%s", (void *)node, type_name(work->type));
    if (work->type == cudaGraphNodeTypeKernel)
        fprintf(file, "\\n%s", work->launch->launch.name);
    if (work->type == ASH_WORK_OPERATION) fprintf(file, "\\n%s", work->operation.function);
    fprintf(file, "\"];\n");
    for (i = 0; i < node->n_deps; i++)
        fprintf(file, "    n%p -> n%p;\n", (void *)node->deps[i], (void *)node);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags)
{
    cudaGraphNode_t node;
    FILE *file;
    (void)flags;
    if (graph == NULL || path == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    file = fopen(path, "we");
    if (file == NULL) return ash_cudart_status(cudaErrorOperatingSystem);
    fprintf(file, "digraph dot {\n");
    for (node = graph->first; node != NULL; node = node->next) print_node(file, node);
    fprintf(file, "}\n");
    return ash_cudart_status(fclose(file) == 0 ? cudaSuccess : cudaErrorOperatingSystem);
}
