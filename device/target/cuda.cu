/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of this PE in the GPU's memory: lib/cuda/module.c copies ash_state there. */
#include "device/target/target.h"

__constant__ struct ash_state ash_device_state;
