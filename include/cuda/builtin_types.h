/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's types, all of them.
 */
#ifndef ASH_CUDA_BUILTIN_TYPES_H
#define ASH_CUDA_BUILTIN_TYPES_H
#define __BUILTIN_TYPES_H__

#include "device_types.h"
#include "driver_types.h"
#include "vector_types.h"

#endif
