/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tree that keeps nodes in an order: a treap.  Each node has a random priority, and none has
 * a higher one than its parent.  So the tree has the shape that inserting in random order would
 * give it, whatever the real order was: its depth is a small multiple of log2(nodes).
 *
 * The nodes are parts of the caller's structures, so nothing here needs memory or can fail.
 */
#ifndef ASH_LIB_SYMMETRIC_TREE_H
#define ASH_LIB_SYMMETRIC_TREE_H

#include <stdbool.h>
#include <stdint.h>

struct ash_tree_node {
    struct ash_tree_node *left, *right;
    uint64_t priority;
};

struct ash_tree {
    struct ash_tree_node *root;
    /* A strict total order of the nodes. */
    bool (*before)(const struct ash_tree_node *a, const struct ash_tree_node *b);
    /* The state of the generator of priorities. */
    uint64_t random;
};

void ash_tree_insert(struct ash_tree *tree, struct ash_tree_node *node);

/* The node must be in the tree. */
void ash_tree_remove(struct ash_tree *tree, struct ash_tree_node *node);

/* The first node that is not before the key, and the last one that is not after it; the key need
 * not be in the tree.  NULL if there is none. */
struct ash_tree_node *ash_tree_at_or_after(const struct ash_tree *tree,
                                           const struct ash_tree_node *key);
struct ash_tree_node *ash_tree_at_or_before(const struct ash_tree *tree,
                                            const struct ash_tree_node *key);

/* The first node after this one, and the last node of all; NULL if there is none. */
struct ash_tree_node *ash_tree_after(const struct ash_tree *tree,
                                     const struct ash_tree_node *node);
struct ash_tree_node *ash_tree_last(const struct ash_tree *tree);

#endif
