/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for many variables, teams and collectives, compiled for CUDA: see thread.cu. */
#define ASH_DEVICE_LIBRARY 1
#if defined(__CUDA_ARCH__)
#include "device/api/collective.h"
#include "device/api/team.h"
#include "device/api/wait_set.h"
#endif
