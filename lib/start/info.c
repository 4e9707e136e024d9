/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queries of the library's state and threading level, and the names of its statuses.
 */
#include <nvshmemx.h>
#include <stdbool.h>

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

const char *nvshmemx_status_string(int status)
{
#define NAME(STATUS) [STATUS] = #STATUS,
    static const char *const names[] = {ASH_STATUS_LIST(NAME)};
#undef NAME
    bool known = status >= 0 && (size_t)status < sizeof(names) / sizeof(names[0]);
    return known ? names[status] : "unknown status";
}
