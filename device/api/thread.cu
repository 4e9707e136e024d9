/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device routines, compiled for CUDA: the same text as nvshmem.c, in some files
 * of families of names, so that they are compiled beside each other and a program
 * gets those that it uses.
 *
 * For the GPU alone.  Else nvcc makes functions of these names for the host,
 * too, that end the program, and a program would get those and not the
 * library's.
 */
#define ASH_DEVICE_LIBRARY 1
#include "device/target/target.h"
#if defined(__CUDA_ARCH__)
#include "device/api/deprecated.h"
#include "device/api/nvshmem.h"
#endif
