/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel SHMEM's interface, compiled for CUDA: see thread.cu. */
#define ASH_DEVICE_LIBRARY 1
#if defined(__CUDA_ARCH__)
#include "device/api/ishmem.h"
#include "device/api/ishmem_collective.h"
#endif
