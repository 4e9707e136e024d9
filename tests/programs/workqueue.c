/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A work queue on fetching atomics, written against OpenSHMEM alone.
 *
 * The work is a tree whose shape comes from a hash: to do a node is to find its
 * children and put them into the queue.  The queue is on PE 0; every PE takes
 * from it and adds to it.  Results are sums on PE 0 by atomics of all kinds.
 *
 * "workqueue serial" does the same without OpenSHMEM; both print the same.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 20000
#define DEPTHS 24
#define ROOTS 40

/* What is known of the nodes that are done. */
struct results {
    long nodes[DEPTHS];
    unsigned long long sum;
    unsigned int mix;
    unsigned long largest;
    long long most_children;
};

/* All of it is used on PE 0. */
struct queue {
    /* Items handed out, and items put in. */
    long head, tail;
    /* Nodes that are not done yet. */
    int pending;
    uint64_t items[CAPACITY];
    struct results results;
};

/* A node: 56 bits of hash, and its depth; never 0. */
static uint64_t make_node(uint64_t seed, unsigned depth)
{
    uint64_t x = seed + UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return ((x >> 8 | 1) & ~(UINT64_C(0xff) << 56)) | (uint64_t)depth << 56;
}

static unsigned depth_of(uint64_t node)
{
    return (unsigned)(node >> 56);
}

static int children_of(uint64_t node)
{
    static const int choices[8] = {0, 2, 0, 3, 1, 0, 2, 1};
    if (depth_of(node) + 1 >= DEPTHS) return 0;
    return choices[node >> 20 & 7];
}

static uint64_t child_of(uint64_t node, int number)
{
    return make_node(node * 31 + (uint64_t)number, depth_of(node) + 1);
}

static void print_results(const struct results *r)
{
    long total = 0;
    for (int depth = 0; depth < DEPTHS; depth++) {
        printf("depth %d: %ld nodes\n", depth, r->nodes[depth]);
        total += r->nodes[depth];
    }
    printf("%ld nodes, sum %llu, mix %08x, largest %lu, at most %lld children\n", total, r->sum,
           r->mix, r->largest, r->most_children);
}

/* Serial. */

static void run_serial(void)
{
    static uint64_t stack[CAPACITY];
    static struct results r;
    long n = 0;
    for (int i = 0; i < ROOTS; i++) stack[n++] = make_node((uint64_t)i, 0);
    while (n > 0) {
        uint64_t node = stack[--n];
        int children = children_of(node);
        r.nodes[depth_of(node)]++;
        r.sum += node;
        r.mix ^= (unsigned int)node;
        if ((unsigned long)node > r.largest) r.largest = (unsigned long)node;
        if (children > r.most_children) r.most_children = children;
        for (int i = 0; i < children; i++) stack[n++] = child_of(node, i);
    }
    print_results(&r);
}

/* With OpenSHMEM. */

static void fail(const char *text)
{
    fprintf(stderr, "workqueue: PE %d: %s\n", shmem_my_pe(), text);
    shmem_global_exit(1);
}

static void put_item(struct queue *q, long slot, uint64_t node)
{
    if (slot >= CAPACITY) fail("the queue is full");
    if (shmem_atomic_swap(&q->items[slot], node, 0) != 0) fail("the slot is taken");
}

/* The next item, or 0 when all work is done. */
static uint64_t take_item(struct queue *q)
{
    long slot = shmem_atomic_fetch_inc(&q->head, 0);
    for (;;) {
        uint64_t node = slot < CAPACITY ? shmem_atomic_fetch(&q->items[slot], 0) : 0;
        if (node != 0) return node;
        if (shmem_atomic_fetch(&q->pending, 0) == 0) return 0;
    }
}

static void raise_largest(unsigned long *largest, unsigned long value)
{
    unsigned long now = shmem_atomic_fetch(largest, 0);
    while (now < value) {
        unsigned long before = shmem_atomic_compare_swap(largest, now, value, 0);
        if (before == now) return;
        now = before;
    }
}

static void raise_children(long long *most, long long value)
{
    long long now = shmem_longlong_atomic_fetch(most, 0);
    while (now < value) now = shmem_longlong_atomic_compare_swap(most, now, value, 0);
}

static void do_node(struct queue *q, uint64_t node)
{
    struct results *r = &q->results;
    int children = children_of(node);
    if (children > 0) {
        /* They count before anybody can find them, so that the count is 0 at the end only. */
        long slot;
        shmem_atomic_fetch_add(&q->pending, children, 0);
        slot = shmem_atomic_fetch_add(&q->tail, (long)children, 0);
        for (int i = 0; i < children; i++) put_item(q, slot + i, child_of(node, i));
    }
    shmem_atomic_inc(&r->nodes[depth_of(node)], 0);
    shmem_atomic_add(&r->sum, (unsigned long long)node, 0);
    shmem_atomic_xor(&r->mix, (unsigned int)node, 0);
    raise_largest(&r->largest, (unsigned long)node);
    raise_children(&r->most_children, children);
    shmem_atomic_fetch_add(&q->pending, -1, 0);
}

static void run_parallel(void)
{
    struct queue *q;
    uint64_t node;
    shmem_init();
    q = shmem_calloc(1, sizeof(*q));
    if (q == NULL) fail("no symmetric memory");
    if (shmem_my_pe() == 0) {
        for (int i = 0; i < ROOTS; i++) q->items[i] = make_node((uint64_t)i, 0);
        q->tail = q->pending = ROOTS;
    }
    shmem_barrier_all();
    while ((node = take_item(q)) != 0) do_node(q, node);
    shmem_barrier_all();
    if (shmem_my_pe() == 0) print_results(&q->results);
    shmem_free(q);
    shmem_finalize();
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "serial") == 0)
        run_serial();
    else
        run_parallel();
    return 0;
}
