/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names by which programs that load libnvshmem_host.so.3 start and end the library.
 */
#include <nvshmemx.h>

#include "lib/base/log.h"

int nvshmemx_hostlib_init_attr(unsigned int flags, nvshmemx_init_attr_t *attr)
{
    return nvshmemx_init_attr(flags, attr);
}

void nvshmemx_hostlib_finalize(void) { nvshmem_finalize(); }

int nvshmemid_hostlib_init_attr(int requested, int *provided, unsigned int bootstrap_flags,
                                nvshmemx_init_attr_t *attr,
                                nvshmemi_version_t nvshmem_device_lib_version,
                                nvshmemx_device_lib_init_cb cb)
{
    int rc;
    (void)requested;
    if (cb != NULL) {
        ash_log(ASH_LOG_ERROR, "the program was linked with the device library of NVSHMEM "
                               "%d.%d.%d, which works with NVSHMEM's own host library only: link "
                               "it with libanyshmem_device.a",
                nvshmem_device_lib_version.major, nvshmem_device_lib_version.minor,
                nvshmem_device_lib_version.patch);
        return NVSHMEMX_ERROR_NOT_SUPPORTED;
    }
    rc = nvshmemx_init_attr(bootstrap_flags, attr);
    if (rc == 0 && provided != NULL) nvshmem_query_thread(provided);
    return rc;
}

void nvshmemid_hostlib_finalize(void *device_ctx, void *transport_device_ctx)
{
    (void)device_ctx, (void)transport_device_ctx;
    nvshmem_finalize();
}

int nvshmemid_init_status(void) { return nvshmemx_init_status(); }
