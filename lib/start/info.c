/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queries of the library's state, threading level, version and name.
 */
#include <nvshmemx.h>
#include <stdio.h>

#include "lib/base/error.h"

int nvshmemx_init_status(void)
{
    return ash_library_state == ASH_LIBRARY_STARTED ? NVSHMEM_STATUS_IS_INITIALIZED
                                                    : NVSHMEM_STATUS_NOT_INITIALIZED;
}

void nvshmem_query_thread(int *provided)
{
    *provided = NVSHMEM_THREAD_MULTIPLE;
}

void nvshmem_info_get_version(int *major, int *minor)
{
    *major = NVSHMEM_MAJOR_VERSION;
    *minor = NVSHMEM_MINOR_VERSION;
}

void nvshmem_info_get_name(char *name)
{
    snprintf(name, NVSHMEM_MAX_NAME_LEN, "%s", NVSHMEM_VENDOR_STRING);
}
