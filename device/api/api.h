/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The typed entry points: one forwarding statement each, for every row of the
 * type lists.  Compiled by nvshmem.c for the CPU and, a family at a time, by
 * device*.cu for CUDA.
 */
#include "device/api/collective.h"
#include "device/api/deprecated.h"
#include "device/api/ishmem.h"
#include "device/api/nvshmem.h"
#include "device/api/scope.h"
#include "device/api/team.h"
#include "device/api/wait_set.h"
