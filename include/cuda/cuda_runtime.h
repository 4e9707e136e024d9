/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's runtime interface with what C++ adds to it: pointers of any type, symbols and kernels
 * by name.  A program of C gets what cuda_runtime_api.h has.
 */
#ifndef ASH_CUDA_RUNTIME_H
#define ASH_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__

#include "cuda_runtime_api.h"
#include "cuda_device_runtime_api.h"
#include "device_launch_parameters.h"
#include "vector_functions.h"

#if defined(__cplusplus)
#include "cudart/launch.hpp"
#include "cudart/memory.hpp"
#include "cudart/occupancy.hpp"
#include "cudart/stream.hpp"
#endif

#endif
