/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start and end for programs that load libnvshmem_host.so.3 and call its host routines alone.
 *
 * Document: NVSHMEM, "Library Setup" (nvshmemx_hostlib_init_attr, nvshmemx_hostlib_finalize);
 * the others are entry points of NVSHMEM's library that no document describes.
 */
#ifndef NVSHMEM_HOSTLIB_H
#define NVSHMEM_HOSTLIB_H

#include <nvshmem/init_attr.h>

NVSHMEM_BEGIN_DECLS

/**
 * Start and end the library, as nvshmemx_init_attr and nvshmem_finalize do.
 *
 * @param flags, attr  as for nvshmemx_init_attr
 * @return             as nvshmemx_init_attr
 *
 * Collective.  Callable: host.
 */
NVSHMEM_EXPORT int nvshmemx_hostlib_init_attr(unsigned int flags, nvshmemx_init_attr_t *attr);
NVSHMEM_EXPORT void nvshmemx_hostlib_finalize(void);

/* A release of a device library, and the function by which one hands over its state. */
typedef struct {
    int major;
    int minor;
    int patch;
} nvshmemi_version_t;
typedef int (*nvshmemx_device_lib_init_cb)(void **dev_state_ptr, void **transport_dev_state_ptr);

/**
 * The same, as NVSHMEM's own libraries call it.
 *
 * @param requested                   thread level that the program needs
 * @param provided                    out: the level that it gets; may be NULL
 * @param bootstrap_flags, attr       as for nvshmemx_init_attr
 * @param nvshmem_device_lib_version  without effect
 * @param cb                          NULL.  A program that passes a function was linked
 *                                    with NVIDIA's device library, which works with
 *                                    NVIDIA's host library only
 * @param device_ctx, transport_device_ctx  without effect
 * @return                            as nvshmemx_init_attr; NVSHMEMX_ERROR_NOT_SUPPORTED,
 *                                    with a message, if there is a cb.
 *                                    nvshmemid_init_status: as nvshmemx_init_status
 *
 * Collective, but for nvshmemid_init_status.  Callable: host.
 */
NVSHMEM_EXPORT int nvshmemid_hostlib_init_attr(int requested, int *provided,
                                               unsigned int bootstrap_flags,
                                               nvshmemx_init_attr_t *attr,
                                               nvshmemi_version_t nvshmem_device_lib_version,
                                               nvshmemx_device_lib_init_cb cb);
NVSHMEM_EXPORT void nvshmemid_hostlib_finalize(void *device_ctx, void *transport_device_ctx);
NVSHMEM_EXPORT int nvshmemid_init_status(void);

NVSHMEM_END_DECLS

#endif
