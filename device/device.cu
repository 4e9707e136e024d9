/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device routines, compiled for CUDA: the same text as host.c.
 */
#define ASH_DEVICE_LIBRARY 1
#include "device/api.h"

__constant__ struct ash_state ash_device_state;
