/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM: library setup and exit, PE numbers, symmetric memory, ordering.
 *
 * Document: Intel SHMEM, "Library Setup", "Memory Management" and "Memory
 * Ordering".  A program may mix these names with NVSHMEM's: there is
 * one library, one heap and one order of operations.
 */
#ifndef ISHMEM_SETUP_H
#define ISHMEM_SETUP_H

#include <nvshmem/types.h>
#include <nvshmem/version.h>

NVSHMEM_BEGIN_DECLS

/* The version of Intel SHMEM's interface that these headers follow. */
#define ISHMEM_MAJOR_VERSION 1
#define ISHMEM_MINOR_VERSION 5
#define ISHMEM_PATCH_VERSION 1
#define ISHMEM_MAX_NAME_LEN 256
#define ISHMEM_VENDOR_STRING NVSHMEM_VENDOR_STRING

/* Thread levels for ishmem_init_thread. */
#define ISHMEM_THREAD_SINGLE 0
#define ISHMEM_THREAD_FUNNELED 1
#define ISHMEM_THREAD_SERIALIZED 2
#define ISHMEM_THREAD_MULTIPLE 3

/**
 * Start and end the library.
 *
 * Collective.  Calls are counted, together with those of nvshmem_init: the
 * first one starts the library, and the last finalize completes all operations,
 * synchronizes all PEs and ends the library.
 *
 * @param requested  thread level that the program needs
 * @param provided   out: the level that it gets (always MULTIPLE)
 * @return           ishmem_init_thread: 0, or nonzero if the library could not
 *                   start
 *
 * Callable: host; ishmem_finalize also in exit handlers and static destructors.
 * Errors: one message gives the reason.  A start that fails when the PEs have found
 * each other ends a job of several, whose others wait for this one: it does not return.
 * Before, as by a setting that is wrong, and in a job of one PE, ishmem_init ends
 * the program, and ishmem_init_thread returns.
 */
NVSHMEM_EXPORT void ishmem_init(void);
NVSHMEM_EXPORT int ishmem_init_thread(int requested, int *provided);
NVSHMEM_EXPORT void ishmem_query_thread(int *provided);
NVSHMEM_EXPORT void ishmem_finalize(void);

/**
 * The version of the interface, and this library's name.
 *
 * @param major, minor  out: ISHMEM_MAJOR_VERSION, ISHMEM_MINOR_VERSION
 * @param name          out: at most ISHMEM_MAX_NAME_LEN bytes, including the
 *                      terminating null
 *
 * Callable: host, device thread; also before ishmem_init.
 */
NVSHMEM_ROUTINE void ishmem_info_get_version(int *major, int *minor);
NVSHMEM_ROUTINE void ishmem_info_get_name(char *name);

/**
 * The caller's number, 0..n-1, and the number of PEs.
 *
 * Callable: host, device thread.  Errors: before ishmem_init and after
 * ishmem_finalize the program ends with a message.
 */
NVSHMEM_ROUTINE int ishmem_my_pe(void);
NVSHMEM_ROUTINE int ishmem_n_pes(void);

/**
 * Allocate symmetric memory: malloc, calloc (zeroed), align; and free it.
 *
 * Collective: every PE calls it with the same sizes.  As nvshmem_malloc and its
 * family (nvshmem/heap.h), with which these may be mixed.
 *
 * @param size       bytes
 * @param count      calloc: number of elements of size bytes
 * @param alignment  align: a power of two, at least sizeof(void *)
 * @param ptr        an address that malloc, calloc or align returned; NULL does
 *                   nothing
 * @return           symmetric address; NULL on every PE for 0 bytes or if some
 *                   PE has no room
 *
 * Callable: host.  Errors: sizes that differ between PEs, or an invalid ptr, end
 * the program with a message.
 */
NVSHMEM_EXPORT void *ishmem_malloc(size_t size);
NVSHMEM_EXPORT void *ishmem_calloc(size_t count, size_t size);
NVSHMEM_EXPORT void *ishmem_align(size_t alignment, size_t size);
NVSHMEM_EXPORT void ishmem_free(void *ptr);

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
NVSHMEM_ROUTINE void *ishmem_ptr(const void *dest, int pe);

/**
 * Order (fence) or complete (quiet) the calling PE's operations; synchronize all
 * PEs with (barrier_all) or without (sync_all) completing them first.
 *
 * As nvshmem_fence and its family (nvshmem/order.h).
 *
 * Callable: host, device thread.  barrier_all and sync_all are collective: one
 * thread of every PE calls them.  Errors: none.
 */
NVSHMEM_ROUTINE void ishmem_fence(void);
NVSHMEM_ROUTINE void ishmem_quiet(void);
NVSHMEM_ROUTINE void ishmem_barrier_all(void);
NVSHMEM_ROUTINE void ishmem_sync_all(void);

NVSHMEM_END_DECLS

#endif
