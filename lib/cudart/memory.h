/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of CUDA.  All of it is memory of this process; a table says which of it a program got
 * as what, so that bad frees are found and copies know their direction.
 */
#ifndef ASH_LIB_CUDART_MEMORY_H
#define ASH_LIB_CUDART_MEMORY_H

#include <stdint.h>

#include "lib/cudart/cudart.h"

struct ash_allocation {
    uintptr_t start;
    size_t nbytes;
    enum cudaMemoryType type;
    int device;
    unsigned flags;
    /* Memory of the program, by cudaHostRegister, or of another process; not ours to free. */
    bool foreign;
    /* In checked mode (check.h): the pages that it has, with their guards, or NULL; the host may
     * access them. */
    void *mapping;
    size_t mapping_nbytes;
    bool exposed;
};

/* What cudaMalloc promises at least. */
#define ASH_ALLOCATION_ALIGNMENT 256u

/* Allocate and enter it; the memory's content is undefined. */
ASH_LOCAL cudaError_t ash_allocation_alloc(enum cudaMemoryType type, size_t nbytes, unsigned flags,
                                       void **ret_memory);

/* Enter memory that is there: false if a part of it is in the table, or there is no memory. */
ASH_LOCAL bool ash_allocation_enter(const struct ash_allocation *allocation);

/* Take the allocation that begins there out of the table; false if none of the type does. */
ASH_LOCAL bool ash_allocation_remove(const void *start, enum cudaMemoryType type, bool foreign,
                                 struct ash_allocation *ret_allocation);

/* Remove and free: false if there is none. */
ASH_LOCAL bool ash_allocation_free(void *start, enum cudaMemoryType type);

/* The allocation that the address is in. */
ASH_LOCAL bool ash_allocation_find(const void *address, struct ash_allocation *ret_allocation);

/* The allocation that the address is in, or in whose pages or guards it is. */
ASH_LOCAL bool ash_allocation_near(const void *address, struct ash_allocation *ret_allocation);

/* Mark the allocation that the address is in as exposed; false if there is none with pages. */
ASH_LOCAL bool ash_allocation_expose(const void *address, struct ash_allocation *ret_allocation);

/* Visit all, under the table's lock. */
ASH_LOCAL void ash_allocation_each(void (*visit)(const struct ash_allocation *allocation));

/* How often an allocation has been taken out of the table. */
ASH_LOCAL uint64_t ash_allocation_changes(void);

/* Free what cudaMalloc and cudaMallocManaged gave for a device. */
ASH_LOCAL void ash_allocation_free_all(int device);

/* Bytes that the machine has, and that are available. */
ASH_LOCAL size_t ash_allocation_total(void);
ASH_LOCAL size_t ash_allocation_available(void);

#endif
