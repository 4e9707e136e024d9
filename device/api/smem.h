/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entry points of shared memory that programs lend: nothing is done with it.
 */
#ifndef ASH_DEVICE_API_SMEM_H
#define ASH_DEVICE_API_SMEM_H

#include <nvshmemx.h>

#include "device/target/target.h"

NVSHMEM_BEGIN_DECLS

NVSHMEM_ROUTINE int nvshmemx_ask_smem(nvshmemx_smem_amount_t amount)
{
    switch (amount) {
    case NVSHMEMX_SMEM_MINIMUM: return 32768;
    case NVSHMEMX_SMEM_BARRIERS_ONLY: return 1136;
    default: return 65536;
    }
}

NVSHMEM_ROUTINE void nvshmemx_give_smem(void *smem, size_t size)
{
    (void)smem;
    (void)size;
}

NVSHMEM_ROUTINE void nvshmemx_release_smem(void)
{
}

NVSHMEM_END_DECLS

#endif
