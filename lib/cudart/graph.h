/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs: nodes with their work and the nodes that they depend on.
 */
#ifndef ASH_LIB_CUDART_GRAPH_H
#define ASH_LIB_CUDART_GRAPH_H

#include "lib/cudart/work.h"

struct CUgraphNode_st {
    struct CUgraphNode_st *next;
    struct CUgraph_st *graph;
    /* In a clone: the node that it was made of, as far as a program may ask for it. */
    struct CUgraphNode_st *original;
    struct ash_work work;
    cudaGraphNode_t *deps;
    size_t n_deps;
    /* It is in the order; it waits only for what is. */
    bool placed;
};

struct CUgraph_st {
    struct CUgraphNode_st *first, *last;
    size_t n_nodes;
};

/* A graph that is ready to run: its own copy, and the order of its nodes. */
struct CUgraphExec_st {
    cudaGraph_t graph;
    unsigned long long flags;
};

ASH_LOCAL cudaGraph_t ash_graph_new(void);
ASH_LOCAL void ash_graph_free(cudaGraph_t graph);

/* A copy whose nodes have `original`; NULL without memory. */
ASH_LOCAL cudaGraph_t ash_graph_clone(cudaGraph_t graph);

/* Bring the nodes into an order in which each comes after those that it depends on: false if
 * there is none. */
ASH_LOCAL bool ash_graph_sort(cudaGraph_t graph);

/* Add a node, and keep the work. */
ASH_LOCAL cudaError_t ash_graph_add(cudaGraph_t graph, const struct ash_work *work,
                                    const cudaGraphNode_t *deps, size_t n_deps,
                                    cudaGraphNode_t *ret_node);

/* Add what is not there yet to the nodes that the node depends on. */
ASH_LOCAL cudaError_t ash_graph_depend(cudaGraphNode_t node, cudaGraphNode_t on);

/* Take a node out, and free it. */
ASH_LOCAL void ash_graph_remove(cudaGraphNode_t node);

/* Let the graph that is ready be this one, with the same nodes in the same order. */
ASH_LOCAL void ash_graph_replace(cudaGraphExec_t exec, cudaGraph_t graph);

/* Give the node other work of the same type. */
ASH_LOCAL void ash_graph_change(cudaGraphNode_t node, const struct ash_work *work);

/* The node of a clone that was made of this one; NULL if there is none. */
ASH_LOCAL cudaGraphNode_t ash_graph_cloned(cudaGraph_t clone, cudaGraphNode_t original);

/* Work of a node, from CUDA's parameters; one user has it. */
ASH_LOCAL cudaError_t ash_graph_kernel(const struct cudaKernelNodeParams *params,
                                       struct ash_work *ret_work);
ASH_LOCAL cudaError_t ash_graph_set(const struct cudaMemsetParams *params,
                                    struct ash_work *ret_work);

#endif
