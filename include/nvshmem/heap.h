/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The symmetric heap.
 *
 * Document: NVSHMEM, "Memory Management".  NVSHMEM_SYMMETRIC_SIZE sets the heap's
 * size (default 1G; pages take physical memory only once they are allocated).
 */
#ifndef NVSHMEM_HEAP_H
#define NVSHMEM_HEAP_H

#include <nvshmem/init.h>

NVSHMEM_BEGIN_DECLS

/**
 * Allocate symmetric memory: malloc, calloc (zeroed), align.
 *
 * Collective: every PE calls it with the same sizes, and in the same order among all
 * collectives.  If calls or sizes differ, the job ends with a message that shows both.
 * Synchronizes all PEs at its end.
 *
 * Threads: one at a time, because PEs whose threads come in different orders would get
 * different blocks: two at once end the job with a message.  A job of one PE takes them in
 * turn.
 *
 * @param size       bytes
 * @param count      calloc: number of elements of size bytes
 * @param alignment  align: a power of two, from sizeof(void *) to 1 GiB
 * @return           symmetric address, aligned to 512 bytes (align: at least
 *                   alignment); NULL on every PE for 0 bytes, for a product
 *                   that overflows, for an invalid alignment, or if some PE
 *                   has no room
 *
 * Callable: host.  Errors: NULL as above, and one line at log level warn.
 */
NVSHMEM_EXPORT void *nvshmem_malloc(size_t size);
NVSHMEM_EXPORT void *nvshmem_calloc(size_t count, size_t size);
NVSHMEM_EXPORT void *nvshmem_align(size_t alignment, size_t size);

/**
 * Free symmetric memory.
 *
 * Collective, for one thread at a time; synchronizes all PEs before the memory is reused.
 *
 * @param ptr  an address that malloc, calloc or align returned; NULL does nothing
 *
 * Callable: host.  Errors: any other address, or one that was already freed, ends
 * the program with a message.
 */
NVSHMEM_EXPORT void nvshmem_free(void *ptr);

/**
 * Address at which a symmetric object of another PE can be loaded and stored.
 *
 * @param dest  symmetric address
 * @param pe    the other PE
 * @return      the address, or NULL if pe's memory is not mapped here, if dest
 *              is not symmetric, or if there is no such PE
 *
 * Callable: host, device thread.  Errors: NULL.
 */
NVSHMEM_ROUTINE void *nvshmem_ptr(const void *dest, int pe);

/**
 * Address at which a store reaches a symmetric object of all PEs of a team.  There is
 * none: this library uses no hardware that copies stores to several PEs.
 *
 * @param team  a team
 * @param ptr   symmetric address
 * @return      NULL, as NVSHMEM's on a system without such hardware
 *
 * Callable: host, device thread.  Errors: before nvshmem_init and after nvshmem_finalize
 * the program ends with a message.
 */
NVSHMEM_ROUTINE void *nvshmemx_mc_ptr(nvshmem_team_t team, const void *ptr);

NVSHMEM_END_DECLS

#endif
