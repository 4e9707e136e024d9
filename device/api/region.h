/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entry points of regions, whose hints have no effect: nothing remembers a region.
 */
#ifndef ASH_DEVICE_API_REGION_H
#define ASH_DEVICE_API_REGION_H

#include <nvshmemx.h>

#include "device/routine/check.h"

/* The handle of every region. */
#define ASH_REGION 1

DEV bool ash_region_hints_exist(uint32_t hints)
{
    return (hints & ~(uint32_t)NVSHMEMX_REGION_HINT_BATCH_RMA) == 0;
}

DEV int ash_region_start(const char *function, nvshmemx_region_handle_t *handle,
                         const nvshmemx_region_attrs_t *attrs)
{
    ash_check_started(function);
    if (handle == NULL) return NVSHMEMX_ERROR_INVALID_VALUE;
    if (attrs != NULL && !ash_region_hints_exist(attrs->hints)) return NVSHMEMX_ERROR_INVALID_VALUE;
    *handle = ASH_REGION;
    return NVSHMEMX_SUCCESS;
}

DEV int ash_region_stop(const char *function, nvshmemx_region_handle_t handle)
{
    ash_check_started(function);
    return handle == ASH_REGION ? NVSHMEMX_SUCCESS : NVSHMEMX_ERROR_INVALID_VALUE;
}

NVSHMEM_BEGIN_DECLS

#define ASH_DEFINE(SUFFIX) \
    NVSHMEM_ROUTINE int nvshmemx_region_start##SUFFIX(nvshmemx_region_handle_t *handle, \
                                                      const nvshmemx_region_attrs_t *attrs) \
    { \
        return ash_region_start("nvshmemx_region_start" #SUFFIX, handle, attrs); \
    } \
    NVSHMEM_ROUTINE int nvshmemx_region_stop##SUFFIX(nvshmemx_region_handle_t handle) \
    { \
        return ash_region_stop("nvshmemx_region_stop" #SUFFIX, handle); \
    }
ASH_DEFINE()
ASH_DEFINE(_block)
#undef ASH_DEFINE

NVSHMEM_ROUTINE int nvshmemx_region_is_active(uint32_t hints, int *active)
{
    ash_check_started("nvshmemx_region_is_active");
    if (active == NULL || !ash_region_hints_exist(hints)) return NVSHMEMX_ERROR_INVALID_VALUE;
    *active = 0;
    return NVSHMEMX_SUCCESS;
}

NVSHMEM_END_DECLS

#endif
