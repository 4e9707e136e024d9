/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All of NVSHMEM's entry points that the CPU and CUDA share; nvshmem.c compiles them for the CPU.
 * For CUDA thread.cu, group.cu, scope.cu and qp.cu compile some of these families each.
 */
#include "device/api/collective.h"
#include "device/api/deprecated.h"
#include "device/api/nvshmem.h"
#include "device/api/qp.h"
#include "device/api/region.h"
#include "device/api/scope.h"
#include "device/api/smem.h"
#include "device/api/team.h"
#include "device/api/wait_set.h"
