/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM: library setup and exit, PE numbers, symmetric memory, ordering.
 *
 * Document: OpenSHMEM 1.5, "Library Setup, Exit, and Query Routines", "Memory
 * Management Routines", "Memory Ordering Routines" and "Collective Routines".
 * A program may mix these names with NVSHMEM's: there is one library, one heap
 * and one order of operations.
 */
#ifndef SHMEM_SETUP_H
#define SHMEM_SETUP_H

#include <nvshmem/version.h>
#include <shmem/types.h>

NVSHMEM_BEGIN_DECLS

/* The version of OpenSHMEM that these headers follow. */
#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
/* The same as Open MPI has it, for programs that ask for it. */
#define OSHMEM_SPEC_VERSION (SHMEM_MAJOR_VERSION * 10000 + SHMEM_MINOR_VERSION * 100)
#define SHMEM_MAX_NAME_LEN 256
#define SHMEM_VENDOR_STRING NVSHMEM_VENDOR_STRING

/* Thread levels for shmem_init_thread. */
#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

/* Hints for shmem_malloc_with_hints about the use of the memory. */
#define SHMEM_MALLOC_ATOMICS_REMOTE (1L << 0)
#define SHMEM_MALLOC_SIGNAL_REMOTE (1L << 1)

/**
 * Start and end the library.
 *
 * Collective.  Calls are counted, together with those of nvshmem_init: the
 * first one starts the library, and the last finalize completes all operations,
 * synchronizes all PEs and ends the library.  A return from main, or exit, with
 * status 0 and without finalize does the same; with another status it does not
 * wait for other PEs, which ends the job.
 *
 * Where one of these starts the library, static variables of the program are
 * symmetric from then to its end, with the values that they have: global ones and
 * those inside of functions, .data and .bss, also in the shared libraries that call
 * this one and are loaded by then.  Those that are constant or thread-local are not.
 * All PEs must run one program.  ANYSHMEM_STATIC=0 leaves static variables alone, and
 * ANYSHMEM_STATIC=1 makes them symmetric whichever routine starts the library.
 * Afterwards, and in a child of fork, they are memory of the process alone again.
 *
 * @param requested  thread level that the program needs
 * @param provided   out: the level that it has asked for, the highest one if more
 *                   than once; MULTIPLE after shmem_init.  Any thread may call all
 *                   routines, whatever the level
 * @return           shmem_init_thread: 0, or nonzero if the library could not
 *                   start
 *
 * Callable: host; shmem_finalize also in exit handlers and static destructors.
 * Errors: one message gives the reason.  A start that fails when the PEs have found
 * each other ends a job of several, whose others wait for this one: it does not return.
 * Before, as by a setting that is wrong, and in a job of one PE, shmem_init ends
 * the program, and shmem_init_thread returns.
 */
NVSHMEM_EXPORT void shmem_init(void);
NVSHMEM_EXPORT int shmem_init_thread(int requested, int *provided);
NVSHMEM_EXPORT void shmem_query_thread(int *provided);
NVSHMEM_EXPORT void shmem_finalize(void);

/**
 * Find out whether the library is started.
 *
 * @param initialized  out: 1 between the first shmem_init, or the like, and the
 *                     last shmem_finalize, else 0
 *
 * Callable: host, at any time.  Errors: none.  Document: OpenSHMEM 1.6.
 */
NVSHMEM_EXPORT void shmem_query_initialized(int *initialized);

/**
 * Change the level of profiling.  Without effect here: it is for a library of a tool
 * that has a shmem_pcontrol of its own.
 *
 * @param level  0: off; 1: the usual one; 2: with flushed buffers; others as the tool says
 *
 * Callable: host, at any time.  Errors: none.
 */
NVSHMEM_EXPORT void shmem_pcontrol(int level, ...);

/**
 * End the whole job at once, with an exit status.
 *
 * @param status  the exit status that the launcher returns, if it supports that
 *
 * Callable: host, any thread, at any time.  While the library is not started, and in a
 * child that was forked, it ends the calling process alone.  Does not return.
 */
NVSHMEM_EXPORT void shmem_global_exit(int status) __attribute__((__noreturn__));

/**
 * The version of OpenSHMEM, and this library's name.
 *
 * @param major, minor  out: SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION
 * @param name          out: at most SHMEM_MAX_NAME_LEN bytes, including the
 *                      terminating null
 *
 * Callable: host, also before shmem_init.
 */
NVSHMEM_EXPORT void shmem_info_get_version(int *major, int *minor);
NVSHMEM_EXPORT void shmem_info_get_name(char *name);

/**
 * The caller's number, 0..n-1, and the number of PEs of the job.
 *
 * Callable: host.  Errors: before shmem_init and after shmem_finalize the
 * program ends with a message.
 */
NVSHMEM_EXPORT int shmem_my_pe(void);
NVSHMEM_EXPORT int shmem_n_pes(void);

/**
 * Check whether there is such a PE, and whether an address is symmetric, so that
 * routines can access it on that PE.
 *
 * @param pe    number of a PE
 * @param addr  address in the caller's memory
 * @return      1 or 0
 *
 * Callable: host.  Errors: as for shmem_my_pe.
 */
NVSHMEM_EXPORT int shmem_pe_accessible(int pe);
NVSHMEM_EXPORT int shmem_addr_accessible(const void *addr, int pe);

/**
 * Address at which a symmetric object of another PE can be loaded and stored.
 *
 * @param dest  symmetric address
 * @param pe    the other PE
 * @return      the address (dest itself for the calling PE), or NULL if pe's memory
 *              is not mapped here, if dest is not symmetric, or if there is no such PE
 *
 * Callable: host.  Errors: NULL.
 */
NVSHMEM_EXPORT void *shmem_ptr(const void *dest, int pe);

/**
 * Allocate symmetric memory: malloc, calloc (zeroed), align.
 *
 * Collective: every PE calls it with the same sizes.  If the sizes differ, the job
 * ends with a message that shows both.  Synchronizes all PEs at its end.
 * What these return is symmetric, and static variables are (shmem_init); other
 * memory is not.
 *
 * @param size       bytes
 * @param count      calloc: number of elements of size bytes
 * @param alignment  align: a power of two
 * @param hints      0 or SHMEM_MALLOC_*, combined by |; without effect, because
 *                   all memory here is suited to all uses
 * @return           symmetric address, aligned to 512 bytes (align: at least
 *                   alignment); NULL on every PE for 0 bytes, for a product
 *                   that overflows, or if some PE has no room
 *
 * Callable: host.  Errors: NULL as above, and one line at log level warn.
 */
NVSHMEM_EXPORT void *shmem_malloc(size_t size);
NVSHMEM_EXPORT void *shmem_malloc_with_hints(size_t size, long hints);
NVSHMEM_EXPORT void *shmem_calloc(size_t count, size_t size);
NVSHMEM_EXPORT void *shmem_align(size_t alignment, size_t size);

/**
 * Change the size of a block; its contents are kept, up to the smaller size.
 *
 * Collective; synchronizes all PEs.  Operations on the block must be complete.
 *
 * @param ptr   an address that an allocation returned; NULL: as shmem_malloc
 * @param size  bytes; 0 frees the block
 * @return      the new block, aligned to 512 bytes, and ptr is no longer valid; or
 *              NULL on every PE, for size 0 or if some PE has no room; in the
 *              latter case the old block is unchanged
 *
 * Callable: host.  Errors: as for malloc and free.
 */
NVSHMEM_EXPORT void *shmem_realloc(void *ptr, size_t size);

/**
 * Free symmetric memory.  Collective; synchronizes all PEs before the memory is
 * reused.
 *
 * @param ptr  an address that an allocation returned; NULL does nothing
 *
 * Callable: host.  Errors: any other address, or one that was already freed, ends
 * the program with a message.
 */
NVSHMEM_EXPORT void shmem_free(void *ptr);

/**
 * Order the calling PE's operations (fence): puts, atomics and signals to a PE
 * before the call are performed there before those to that PE after the call.
 * Complete them (quiet): every operation that was issued before the call, the _nbi
 * ones included, is complete at both PEs when it returns.
 *
 * Callable: host.  Concurrency: any number of threads; covers the caller's own
 * operations and those it has synchronized with.  Errors: none.
 */
NVSHMEM_EXPORT void shmem_fence(void);
NVSHMEM_EXPORT void shmem_quiet(void);

/**
 * Complete the calling PE's operations to some PEs.  Here it completes those to
 * all PEs, as shmem_quiet does, which a program must not rely on.
 *
 * @param target_pes  array of num_pes PEs
 * @param num_pes     number of PEs; 0 does nothing
 *
 * Callable: host.  Concurrency: as for shmem_quiet.  Errors: a PE that does not
 * exist, and an array that is NULL, end the program with a message.
 * Document: OpenSHMEM 1.6.
 */
NVSHMEM_EXPORT void shmem_pe_quiet(const int *target_pes, size_t num_pes);

/**
 * Barrier over all PEs of the job.  barrier_all completes the caller's operations
 * first (quiet); sync_all only synchronizes.
 *
 * Collective: one thread of every PE calls it.
 * Order: what a PE wrote to its own memory before, and with barrier_all what
 * it sent to others, is visible to all PEs after the call.
 * Callable: host.  Errors: none.
 */
NVSHMEM_EXPORT void shmem_barrier_all(void);
NVSHMEM_EXPORT void shmem_sync_all(void);

NVSHMEM_END_DECLS

#endif
