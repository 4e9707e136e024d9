/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for many variables, teams and collectives, compiled for CUDA: see device.cu. */
#define ASH_DEVICE_LIBRARY 1
#if defined(__CUDA_ARCH__)
#include "device/api_collective.h"
#include "device/api_team.h"
#include "device/api_wait_set.h"
#endif
