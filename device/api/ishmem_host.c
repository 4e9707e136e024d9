/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel SHMEM's interface, compiled for the CPU; ishmem.o is that of ishmem.cu. */
#include "device/api/ishmem.h"
#include "device/api/ishmem_collective.h"
