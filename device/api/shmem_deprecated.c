/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiles OpenSHMEM's deprecated names for the CPU.
 */
#include "device/api/shmem_deprecated.h"
