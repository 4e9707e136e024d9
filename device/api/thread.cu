/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiles the device routines for CUDA: the same headers as in nvshmem.c, but split over
 * several .cu files, so that they compile in parallel and a program links only the families
 * of names that it uses.
 *
 * The headers are included only where nvcc compiles for the GPU.  Otherwise nvcc would make
 * host functions of these names as well, which end the program, and a program would link
 * those instead of the library's.
 */
#define ASH_DEVICE_LIBRARY 1
#include "device/target/target.h"
#if defined(__CUDA_ARCH__)
#include "device/api/deprecated.h"
#include "device/api/nvshmem.h"
#include "device/api/region.h"
#include "device/api/smem.h"
#endif
