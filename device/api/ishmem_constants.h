/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM's constants, whose values differ from NVSHMEM's: each function translates one
 * kind, and ends the program with a message if the number is unknown.
 */
#ifndef ASH_DEVICE_API_ISHMEM_CONSTANTS_H
#define ASH_DEVICE_API_ISHMEM_CONSTANTS_H

#include <ishmemx.h>

#include "device/routine/signal.h"
#include "device/routine/wait.h"

/* NVSHMEM's number for a comparison. */
DEV int ash_ishmem_cmp(const char *function, int cmp)
{
    switch (cmp) {
    case ISHMEM_CMP_EQ: return NVSHMEM_CMP_EQ;
    case ISHMEM_CMP_NE: return NVSHMEM_CMP_NE;
    case ISHMEM_CMP_GT: return NVSHMEM_CMP_GT;
    case ISHMEM_CMP_GE: return NVSHMEM_CMP_GE;
    case ISHMEM_CMP_LT: return NVSHMEM_CMP_LT;
    case ISHMEM_CMP_LE: return NVSHMEM_CMP_LE;
    default: ash_raise(ASH_FAULT_ISHMEM_CMP, function, "cmp", (uint64_t)(int64_t)cmp, 0);
    }
    return -1;
}

DEV int ash_ishmem_signal_op(const char *function, int sig_op)
{
    if (dev_unlikely(sig_op != ISHMEM_SIGNAL_SET && sig_op != ISHMEM_SIGNAL_ADD))
        ash_raise(ASH_FAULT_ISHMEM_SIGNAL_OP, function, "sig_op", (uint64_t)(int64_t)sig_op, 0);
    return sig_op == ISHMEM_SIGNAL_ADD ? NVSHMEM_SIGNAL_ADD : NVSHMEM_SIGNAL_SET;
}

DEV enum ash_scope ash_ishmem_scope(const char *function, ishmemx_group_t group)
{
    switch (group) {
    case ISHMEMX_GROUP_THREAD: return ASH_SCOPE_THREAD;
    case ISHMEMX_GROUP_SUB_GROUP: return ASH_SCOPE_WARP;
    case ISHMEMX_GROUP_WORK_GROUP: return ASH_SCOPE_BLOCK;
    default: ash_raise(ASH_FAULT_GROUP, function, "group", (uint64_t)(int64_t)group, 0);
    }
    return ASH_SCOPE_THREAD;
}

#endif
