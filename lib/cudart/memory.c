/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of CUDA's memory, a tree of ranges that do not overlap, and its allocation.
 */
#include "lib/cudart/check.h"

#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* An allocation for which it is worth while to ask how much there is. */
#define LARGE (64u << 20)

/* Guarded by tree_lock. */
static void *tree;
static uint64_t n_changes;
static pthread_mutex_t tree_lock = PTHREAD_MUTEX_INITIALIZER;

/* Ranges that have a byte in common are equal. */
static int compare(const void *left, const void *right)
{
    const struct ash_allocation *a = left, *b = right;
    if (a->start + a->nbytes <= b->start) return -1;
    return b->start + b->nbytes <= a->start ? 1 : 0;
}

bool ash_allocation_enter(const struct ash_allocation *allocation)
{
    struct ash_allocation *copy = malloc(sizeof(*copy));
    void *node;
    bool entered = false;
    if (copy == NULL) return false;
    *copy = *allocation;
    (void)pthread_mutex_lock(&tree_lock);
    node = tsearch(copy, &tree, compare);
    if (node != NULL) entered = *(struct ash_allocation **)node == copy;
    (void)pthread_mutex_unlock(&tree_lock);
    if (!entered) free(copy);
    return entered;
}

/* The entry that the address is in, or NULL.  The caller holds the lock. */
static struct ash_allocation *find(const void *address)
{
    const struct ash_allocation byte = {.start = (uintptr_t)address, .nbytes = 1};
    void *node = tfind(&byte, &tree, compare);
    return node != NULL ? *(struct ash_allocation **)node : NULL;
}

bool ash_allocation_find(const void *address, struct ash_allocation *ret_allocation)
{
    struct ash_allocation *entry;
    (void)pthread_mutex_lock(&tree_lock);
    entry = find(address);
    if (entry != NULL) *ret_allocation = *entry;
    (void)pthread_mutex_unlock(&tree_lock);
    return entry != NULL;
}

/* Managed memory is freed by cudaFree, too. */
static bool same_type(enum cudaMemoryType type, enum cudaMemoryType wanted)
{
    return type == wanted || (type == cudaMemoryTypeManaged && wanted == cudaMemoryTypeDevice);
}

bool ash_allocation_remove(const void *start, enum cudaMemoryType type, bool foreign,
                       struct ash_allocation *ret_allocation)
{
    struct ash_allocation *entry;
    (void)pthread_mutex_lock(&tree_lock);
    entry = find(start);
    if (entry != NULL && (entry->start != (uintptr_t)start || entry->foreign != foreign ||
                          !same_type(entry->type, type)))
        entry = NULL;
    if (entry != NULL) {
        (void)tdelete(entry, &tree, compare);
        (void)__atomic_fetch_add(&n_changes, 1, __ATOMIC_RELAXED);
    }
    (void)pthread_mutex_unlock(&tree_lock);
    if (entry == NULL) return false;
    *ret_allocation = *entry;
    free(entry);
    return true;
}

/* Exactly as large, so that AddressSanitizer sees an overflow. */
static bool get_memory(struct ash_allocation *a)
{
    void *memory;
    if (a->type == cudaMemoryTypeDevice && ash_check_on()) return ash_check_alloc(a);
    if (posix_memalign(&memory, ASH_ALLOCATION_ALIGNMENT, a->nbytes) != 0) return false;
    a->start = (uintptr_t)memory;
    return true;
}

static void give_memory(const struct ash_allocation *a)
{
    if (a->mapping != NULL)
        ash_check_free(a);
    else
        free((void *)a->start);
}

cudaError_t ash_allocation_alloc(enum cudaMemoryType type, size_t nbytes, unsigned flags,
                             void **ret_memory)
{
    struct ash_allocation a = {.nbytes = nbytes, .type = type, .flags = flags};
    *ret_memory = NULL;
    a.device = ash_cudart_device();
    if (nbytes == 0) return cudaSuccess;
    /* The system would promise more than there is. */
    if (nbytes > LARGE && nbytes > ash_allocation_available()) return cudaErrorMemoryAllocation;
    if (!get_memory(&a)) return cudaErrorMemoryAllocation;
    if (!ash_allocation_enter(&a)) {
        give_memory(&a);
        return cudaErrorMemoryAllocation;
    }
    if (a.mapping != NULL) ash_check_protect(&a);
    *ret_memory = (void *)a.start;
    return cudaSuccess;
}

bool ash_allocation_free(void *start, enum cudaMemoryType type)
{
    struct ash_allocation a;
    if (!ash_allocation_remove(start, type, false, &a)) return false;
    give_memory(&a);
    return true;
}

/* One that twalk finds.  Written and read under tree_lock. */
static struct ash_allocation *found;
static int found_device;

static void find_of_device(const void *node, VISIT visit, int level)
{
    struct ash_allocation *entry = *(struct ash_allocation *const *)node;
    (void)level;
    if ((visit == postorder || visit == leaf) && entry->device == found_device &&
        !entry->foreign && same_type(entry->type, cudaMemoryTypeDevice))
        found = entry;
}

void ash_allocation_free_all(int device)
{
    uintptr_t start;
    do {
        (void)pthread_mutex_lock(&tree_lock);
        found = NULL;
        found_device = device;
        twalk(tree, find_of_device);
        start = found != NULL ? found->start : 0;
        (void)pthread_mutex_unlock(&tree_lock);
        if (start != 0) (void)ash_allocation_free((void *)start, cudaMemoryTypeDevice);
    } while (start != 0);
}

/* For twalk, under tree_lock. */
static void (*visitor)(const struct ash_allocation *allocation);
static uintptr_t wanted;

static void visit_one(const void *node, VISIT visit, int level)
{
    (void)level;
    if (visit == postorder || visit == leaf) visitor(*(struct ash_allocation *const *)node);
}

void ash_allocation_each(void (*visit)(const struct ash_allocation *allocation))
{
    (void)pthread_mutex_lock(&tree_lock);
    visitor = visit;
    twalk(tree, visit_one);
    (void)pthread_mutex_unlock(&tree_lock);
}

static void find_near(const void *node, VISIT visit, int level)
{
    struct ash_allocation *entry = *(struct ash_allocation *const *)node;
    (void)level;
    if ((visit == postorder || visit == leaf) && entry->mapping != NULL &&
        wanted - (uintptr_t)entry->mapping < entry->mapping_nbytes)
        found = entry;
}

bool ash_allocation_near(const void *address, struct ash_allocation *ret_allocation)
{
    bool is_there;
    (void)pthread_mutex_lock(&tree_lock);
    found = find(address);
    wanted = (uintptr_t)address;
    if (found == NULL) twalk(tree, find_near);
    is_there = found != NULL;
    if (is_there) *ret_allocation = *found;
    (void)pthread_mutex_unlock(&tree_lock);
    return is_there;
}

bool ash_allocation_expose(const void *address, struct ash_allocation *ret_allocation)
{
    struct ash_allocation *entry;
    (void)pthread_mutex_lock(&tree_lock);
    entry = find(address);
    if (entry != NULL && entry->mapping == NULL) entry = NULL;
    if (entry != NULL) {
        entry->exposed = true;
        *ret_allocation = *entry;
    }
    (void)pthread_mutex_unlock(&tree_lock);
    return entry != NULL;
}

uint64_t ash_allocation_changes(void)
{
    return __atomic_load_n(&n_changes, __ATOMIC_RELAXED);
}

size_t ash_allocation_total(void)
{
    return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

size_t ash_allocation_available(void)
{
    char line[128];
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/meminfo", "re");
    while (file != NULL && kib == 0 && fgets(line, sizeof(line), file) != NULL)
        if (sscanf(line, "MemAvailable: %llu kB", &kib) != 1) kib = 0;
    if (file != NULL) (void)fclose(file);
    return kib != 0 ? (size_t)kib * 1024
                    : (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}
