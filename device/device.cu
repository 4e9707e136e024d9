/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device routines, compiled for CUDA: the same text as host.c, in some files
 * of families of names, so that they are compiled beside each other and a program
 * gets those that it uses.
 */
#define ASH_DEVICE_LIBRARY 1
#include "device/api_deprecated.h"
#include "device/api_nvshmem.h"

__device__ struct ash_state ash_device_state;
