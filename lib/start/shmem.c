/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM's routines for start and end of the library and for the symmetric heap, over those
 * of NVSHMEM's.
 */
#include <nvshmem.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "device/hostdev/clock.h"
#include "lib/base/error.h"
#include "lib/base/exit.h"
#include "lib/base/log.h"
#include "lib/start/init.h"
#include "lib/symmetric/heap.h"

/* The level that the program has asked for: some programs insist on getting no other. */
static int thread_level = SHMEM_THREAD_MULTIPLE;

static bool is_started(void) { return ash_library_state == ASH_LIBRARY_STARTED; }

void shmem_init(void)
{
    if (!is_started()) __atomic_store_n(&thread_level, SHMEM_THREAD_MULTIPLE, __ATOMIC_RELAXED);
    ash_init_openshmem("shmem_init");
}

void shmem_finalize(void) { ash_finalize("shmem_finalize"); }

int shmem_init_thread(int requested, int *provided)
{
    bool is_first = !is_started();
    int rc;
    if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE)
        requested = SHMEM_THREAD_MULTIPLE;
    ash_expect_openshmem();
    rc = nvshmem_init_thread(requested, NULL);
    if (rc != 0) return rc;
    if (is_first || requested > __atomic_load_n(&thread_level, __ATOMIC_RELAXED))
        __atomic_store_n(&thread_level, requested, __ATOMIC_RELAXED);
    if (provided != NULL) *provided = __atomic_load_n(&thread_level, __ATOMIC_RELAXED);
    return 0;
}

void shmem_query_thread(int *provided)
{
    *provided = __atomic_load_n(&thread_level, __ATOMIC_RELAXED);
}

void shmem_query_initialized(int *initialized)
{
    *initialized = is_started();
}

double shmemx_wtime(void) { return ash_seconds(); }

void shmem_pcontrol(int level, ...) { (void)level; }

void shmem_global_exit(int status)
{
    if (is_started()) ash_global_exit("shmem_global_exit", status);
    ash_log(ASH_LOG_INFO, "shmem_global_exit(%d): the library is not started", status);
    ash_flush_streams();
    _exit(status);
}

void shmem_info_get_version(int *major, int *minor)
{
    *major = SHMEM_MAJOR_VERSION;
    *minor = SHMEM_MINOR_VERSION;
}

void shmem_info_get_name(char *name)
{
    snprintf(name, SHMEM_MAX_NAME_LEN, "%s", SHMEM_VENDOR_STRING);
}

void *shmem_malloc(size_t size) { return ash_heap_malloc("shmem_malloc", size); }

void *shmem_malloc_with_hints(size_t size, long hints)
{
    (void)hints;
    return ash_heap_malloc("shmem_malloc_with_hints", size);
}

void *shmem_calloc(size_t count, size_t size)
{
    return ash_heap_calloc("shmem_calloc", count, size);
}

void *shmem_align(size_t alignment, size_t size)
{
    bool small = alignment == 1 || alignment == 2 || alignment == 4;
    /* NVSHMEM refuses what is less than the alignment of a pointer. */
    return ash_heap_align("shmem_align", small ? sizeof(void *) : alignment, size);
}

void *shmem_realloc(void *ptr, size_t size) { return ash_heap_realloc("shmem_realloc", ptr, size); }

void shmem_free(void *ptr) { ash_heap_free("shmem_free", ptr); }
