/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The symmetric heap of this PE, and the allocations in it.
 */
#ifndef ASH_LIB_SYMMETRIC_HEAP_H
#define ASH_LIB_SYMMETRIC_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/hostdev/hostdev.h"
#include "lib/memory/memory.h"

/*
 * Bytes that a heap has beside NVSHMEM_SYMMETRIC_SIZE, for the library's own block and for what is
 * lost where blocks are rounded up: a program may set the size to what it allocates.
 */
#define ASH_HEAP_ROOM (UINT64_C(27) << 20)

/* The library's own block: its bytes, and how many of them are real from the start. */
struct ash_heap_own {
    uint64_t nbytes, n_real;
};

/*
 * Reserve `size` and ASH_HEAP_ROOM bytes, the first of which are the library's own block, and
 * beside them room for static variables, behind that block, at *ret_offset.  0, or an error that
 * was logged.
 */
int ash_heap_start(uint64_t size, struct ash_heap_own own,
                   const struct ash_memory_static *variables, uint64_t *ret_offset);

/* Make bytes of the library's own block real, as long as the heap is there.  Not a collective, and
 * beside any call below.  0, or an error: then some may be real. */
int ash_heap_make_real(uint64_t offset, uint64_t nbytes);

/* The memory of the heap.  lib/cuda commits all of its pages before it registers them. */
struct ash_memory *ash_heap_memory(void);

/* True if the address is in this PE's heap; false before the library has started. */
ASH_PRIVATE bool ash_heap_contains(const void *address);

/* The own heap, or that of a PE whose memory is mapped, which the address is in. */
ASH_PRIVATE bool ash_heap_reaches(const void *address, uintptr_t *ret_start, size_t *ret_nbytes);

/* If set, is told of a buffer that the program registers (buffer.c). */
extern ASH_PRIVATE void (*ash_buffer_look)(void *address, size_t nbytes);

/* After the last use of the heap.  The caller unmaps the heaps of peers. */
void ash_heap_stop(void);

/*
 * nvshmem_malloc and its family, for each family of names; `function` is the name of the
 * routine that the user called.  Each is a barrier of all PEs that completes what was sent,
 * except for 0 bytes or NULL: malloc, calloc and align at their end, free at its beginning.
 *
 * They are collectives of all PEs, which one thread of a PE calls at a time, in the same order on
 * all PEs.  Two threads at once end the job; in a job of one PE, which has no order, they wait
 * for each other.
 */
void *ash_heap_malloc(const char *function, size_t size);
void *ash_heap_calloc(const char *function, size_t count, size_t size);
void *ash_heap_align(const char *function, size_t alignment, size_t size);
void *ash_heap_realloc(const char *function, void *ptr, size_t size);
void ash_heap_free(const char *function, void *ptr);

#endif
