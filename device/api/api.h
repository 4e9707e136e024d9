/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The typed entry points: one forwarding statement each, for every row of the
 * type lists.  Compiled by host.c for the CPU and, a family at a time, by
 * device*.cu for CUDA.
 */
#include "device/api_collective.h"
#include "device/api_deprecated.h"
#include "device/api_ishmem.h"
#include "device/api_nvshmem.h"
#include "device/api_scope.h"
#include "device/api_team.h"
#include "device/api_wait_set.h"
