/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines of Intel SHMEM's interface that only the host calls, over those of NVSHMEM's.
 */
#include <ishmemx.h>
#include <nvshmemx.h>

#include "lib/base/end.h"
#include "lib/base/error.h"
#include "lib/start/init.h"
#include "lib/symmetric/heap.h"

void ishmem_init(void) { ash_init("ishmem_init"); }
void ishmem_finalize(void) { ash_finalize("ishmem_finalize"); }

int ishmem_init_thread(int requested, int *provided)
{
    return nvshmem_init_thread(requested, provided);
}

void ishmem_query_thread(int *provided) { nvshmem_query_thread(provided); }

void ishmemx_init_attr(ishmemx_attr_t *attr)
{
    static const char function[] = "ishmemx_init_attr";
    if (attr != NULL && (unsigned)attr->runtime >= ISHMEMX_RUNTIME_INVALID)
        ash_fatal("%s: runtime %d is not one of ISHMEMX_RUNTIME_MPI.._PMI (0..2)", function,
                  (int)attr->runtime);
    if (attr != NULL && attr->mpi_comm != NULL)
        ash_fatal("%s: a communicator is not supported: the PEs are those of the launcher",
                  function);
    ash_init(function);
}

void ishmemx_query_initialized(int *initialized)
{
    *initialized = ash_library_state == ASH_LIBRARY_STARTED;
}

ishmemx_runtime_type_t ishmemx_runtime_get_type(void) { return ISHMEMX_RUNTIME_PMI; }

void *ishmem_malloc(size_t size) { return ash_heap_malloc("ishmem_malloc", size); }

void *ishmem_calloc(size_t count, size_t size)
{
    return ash_heap_calloc("ishmem_calloc", count, size);
}

void *ishmem_align(size_t alignment, size_t size)
{
    return ash_heap_align("ishmem_align", alignment, size);
}

void ishmem_free(void *ptr) { ash_heap_free("ishmem_free", ptr); }
