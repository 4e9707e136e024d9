/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/symmetric/tree.h"

#include <stddef.h>

/* Splitmix64; the same numbers in every run, so that a run can be repeated. */
static uint64_t next_random(struct ash_tree *tree)
{
    uint64_t z = tree->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Hang the nodes below `top` that are before `node` under its left, and the others, which are
 * after it, under its right. */
static void divide(const struct ash_tree *tree, struct ash_tree_node *top,
                   struct ash_tree_node *node)
{
    struct ash_tree_node **left = &node->left, **right = &node->right;
    while (top != NULL) {
        if (tree->before(top, node)) {
            *left = top;
            left = &top->right;
            top = top->right;
        } else {
            *right = top;
            right = &top->left;
            top = top->left;
        }
    }
    *left = *right = NULL;
}

void ash_tree_insert(struct ash_tree *tree, struct ash_tree_node *node)
{
    struct ash_tree_node **place = &tree->root;
    node->priority = next_random(tree);
    while (*place != NULL && (*place)->priority >= node->priority)
        place = tree->before(*place, node) ? &(*place)->right : &(*place)->left;
    divide(tree, *place, node);
    *place = node;
}

void ash_tree_remove(struct ash_tree *tree, struct ash_tree_node *node)
{
    struct ash_tree_node **place = &tree->root, *left = node->left, *right = node->right;
    while (*place != node)
        place = tree->before(*place, node) ? &(*place)->right : &(*place)->left;
    /* Join what is below it: all of `left` is before all of `right`. */
    while (left != NULL && right != NULL) {
        if (left->priority >= right->priority) {
            *place = left;
            place = &left->right;
            left = left->right;
        } else {
            *place = right;
            place = &right->left;
            right = right->left;
        }
    }
    *place = left != NULL ? left : right;
}

struct ash_tree_node *ash_tree_at_or_after(const struct ash_tree *tree,
                                           const struct ash_tree_node *key)
{
    struct ash_tree_node *node = tree->root, *found = NULL;
    while (node != NULL) {
        if (tree->before(node, key)) {
            node = node->right;
        } else {
            found = node;
            node = node->left;
        }
    }
    return found;
}

struct ash_tree_node *ash_tree_at_or_before(const struct ash_tree *tree,
                                            const struct ash_tree_node *key)
{
    struct ash_tree_node *node = tree->root, *found = NULL;
    while (node != NULL) {
        if (tree->before(key, node)) {
            node = node->left;
        } else {
            found = node;
            node = node->right;
        }
    }
    return found;
}

struct ash_tree_node *ash_tree_after(const struct ash_tree *tree,
                                     const struct ash_tree_node *node)
{
    struct ash_tree_node *next = tree->root, *found = NULL;
    while (next != NULL) {
        if (tree->before(node, next)) {
            found = next;
            next = next->left;
        } else {
            next = next->right;
        }
    }
    return found;
}

struct ash_tree_node *ash_tree_last(const struct ash_tree *tree)
{
    struct ash_tree_node *node = tree->root;
    while (node != NULL && node->right != NULL) node = node->right;
    return node;
}
