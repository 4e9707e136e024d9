/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs: nodes, dependencies, order, copies.
 */
#include "lib/cudart/graph.h"

#include <stdlib.h>
#include <string.h>

cudaGraph_t ash_graph_new(void)
{
    return calloc(1, sizeof(struct CUgraph_st));
}

/* A graph in a node is that node's own. */
static void node_free(cudaGraphNode_t node)
{
    if (node->work.type == cudaGraphNodeTypeGraph)
        ash_graph_free(node->work.graph);
    else
        ash_work_drop(&node->work);
    free(node->deps);
    free(node);
}

void ash_graph_free(cudaGraph_t graph)
{
    cudaGraphNode_t node = graph->first;
    while (node != NULL) {
        cudaGraphNode_t next = node->next;
        node_free(node);
        node = next;
    }
    free(graph);
}

cudaError_t ash_graph_depend(cudaGraphNode_t node, cudaGraphNode_t on)
{
    cudaGraphNode_t *more;
    size_t i;
    if (on == NULL || on->graph != node->graph || on == node) return cudaErrorInvalidValue;
    for (i = 0; i < node->n_deps; i++)
        if (node->deps[i] == on) return cudaSuccess;
    more = realloc(node->deps, (node->n_deps + 1) * sizeof(cudaGraphNode_t));
    if (more == NULL) return cudaErrorMemoryAllocation;
    more[node->n_deps++] = on;
    node->deps = more;
    return cudaSuccess;
}

cudaError_t ash_graph_add(cudaGraph_t graph, const struct ash_work *work,
                          const cudaGraphNode_t *deps, size_t n_deps, cudaGraphNode_t *ret_node)
{
    cudaGraphNode_t node;
    cudaError_t error = cudaSuccess;
    size_t i;
    if (graph == NULL || ret_node == NULL || (deps == NULL && n_deps > 0))
        return cudaErrorInvalidValue;
    node = calloc(1, sizeof(*node));
    if (node == NULL) return cudaErrorMemoryAllocation;
    node->graph = graph;
    node->work = *work;
    for (i = 0; i < n_deps && error == cudaSuccess; i++) error = ash_graph_depend(node, deps[i]);
    if (error != cudaSuccess) {
        free(node->deps);
        free(node);
        return error;
    }
    ash_work_keep(&node->work);
    if (graph->last != NULL)
        graph->last->next = node;
    else
        graph->first = node;
    graph->last = node;
    graph->n_nodes++;
    *ret_node = node;
    return cudaSuccess;
}

void ash_graph_change(cudaGraphNode_t node, const struct ash_work *work)
{
    struct ash_work before = node->work;
    ash_work_keep(work);
    node->work = *work;
    ash_work_drop(&before);
}

cudaGraphNode_t ash_graph_cloned(cudaGraph_t clone, cudaGraphNode_t original)
{
    cudaGraphNode_t node = clone->first;
    while (node != NULL && node->original != original) node = node->next;
    return node;
}

/* The nodes alone: their dependencies follow when all are there. */
static bool clone_nodes(cudaGraph_t clone, cudaGraph_t graph)
{
    const struct CUgraphNode_st *node;
    for (node = graph->first; node != NULL; node = node->next) {
        struct ash_work work = node->work;
        cudaGraphNode_t copy;
        if (work.type == cudaGraphNodeTypeGraph) {
            work.graph = ash_graph_clone(node->work.graph);
            if (work.graph == NULL) return false;
        }
        if (ash_graph_add(clone, &work, NULL, 0, &copy) != cudaSuccess) return false;
        copy->original = (cudaGraphNode_t)node;
    }
    return true;
}

static bool clone_dependencies(cudaGraph_t clone, cudaGraph_t graph)
{
    cudaGraphNode_t node, copy;
    size_t i;
    for (node = graph->first, copy = clone->first; node != NULL;
         node = node->next, copy = copy->next)
        for (i = 0; i < node->n_deps; i++)
            if (ash_graph_depend(copy, ash_graph_cloned(clone, node->deps[i])) != cudaSuccess)
                return false;
    return true;
}

cudaGraph_t ash_graph_clone(cudaGraph_t graph)
{
    cudaGraph_t clone = ash_graph_new();
    if (clone == NULL) return NULL;
    if (clone_nodes(clone, graph) && clone_dependencies(clone, graph)) return clone;
    ash_graph_free(clone);
    return NULL;
}

static bool can_be_placed(const struct CUgraphNode_st *node)
{
    size_t i;
    for (i = 0; i < node->n_deps; i++)
        if (!node->deps[i]->placed) return false;
    return true;
}

/* Most nodes were added after those that they depend on: one round is enough then. */
bool ash_graph_sort(cudaGraph_t graph)
{
    cudaGraphNode_t sorted = NULL, *end = &sorted, *at, node;
    size_t placed = 0, before;
    for (node = graph->first; node != NULL; node = node->next) node->placed = false;
    do {
        before = placed;
        at = &graph->first;
        while ((node = *at) != NULL) {
            if (!can_be_placed(node)) {
                at = &node->next;
                continue;
            }
            *at = node->next;
            node->next = NULL;
            node->placed = true;
            *end = node;
            end = &node->next;
            graph->last = node;
            placed++;
        }
    } while (placed > before && placed < graph->n_nodes);
    /* In a circle: put the nodes that remain behind the others. */
    *end = graph->first;
    for (node = graph->first; node != NULL; node = node->next) graph->last = node;
    graph->first = sorted;
    for (node = sorted; node != NULL; node = node->next)
        if (node->work.type == cudaGraphNodeTypeGraph && !ash_graph_sort(node->work.graph))
            return false;
    return placed == graph->n_nodes;
}

cudaError_t ash_graph_queue(cudaGraph_t graph, cudaStream_t stream)
{
    const struct CUgraphNode_st *node;
    cudaError_t error = cudaSuccess;
    for (node = graph->first; node != NULL && error == cudaSuccess; node = node->next)
        error = ash_work_queue(stream, &node->work);
    return error;
}

void ash_graph_remove(cudaGraphNode_t node)
{
    cudaGraph_t graph = node->graph;
    cudaGraphNode_t *at = &graph->first, other;
    size_t i;
    graph->last = NULL;
    while ((other = *at) != NULL) {
        for (i = 0; i < other->n_deps; i++)
            if (other->deps[i] == node) other->deps[i--] = other->deps[--other->n_deps];
        if (other == node) {
            *at = node->next;
            continue;
        }
        graph->last = other;
        at = &other->next;
    }
    graph->n_nodes--;
    node_free(node);
}

/* Nodes of programs stay known by those that they were made of, as at the instantiation. */
void ash_graph_replace(cudaGraphExec_t exec, cudaGraph_t graph)
{
    cudaGraphNode_t is = exec->graph->first, will_be = graph->first;
    for (; is != NULL && will_be != NULL; is = is->next, will_be = will_be->next)
        will_be->original = is->original;
    ash_graph_free(exec->graph);
    exec->graph = graph;
}
