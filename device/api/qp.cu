/* SPDX-License-Identifier: BSD-3-Clause */
/* Routines with a queue pair, compiled for CUDA: see thread.cu. */
#define ASH_DEVICE_LIBRARY 1
#if defined(__CUDA_ARCH__)
#include "device/api/qp.h"
#endif
