/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's runtime interface, for C and C++: the part that anyshmem has for programs on CPUs.
 */
#ifndef ASH_CUDA_RUNTIME_API_H
#define ASH_CUDA_RUNTIME_API_H
/* Programs look whether the header is there by the name that NVIDIA's has. */
#define __CUDA_RUNTIME_API_H__

/* The version whose interface this is. */
#define CUDART_VERSION 12040
#define CUDART_DEVICE

#include "builtin_types.h"
#include "cudart/device.h"
#include "cudart/graph.h"
#include "cudart/launch.h"
#include "cudart/memory.h"
#include "cudart/memory_async.h"
#include "cudart/stream.h"

#endif
