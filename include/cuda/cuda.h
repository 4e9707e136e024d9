/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's driver interface: the part that anyshmem has for programs on CPUs.
 */
#ifndef ASH_CUDA_CUDA_H
#define ASH_CUDA_CUDA_H
/* Programs look whether the header is there by the name that NVIDIA's has. */
#define __cuda_cuda_h__

/* The version whose interface this is. */
#define CUDA_VERSION 12040

#include "driver/constants.h"
#include "driver/types.h"
#include "driver/context.h"
#include "driver/memory.h"
#include "driver/module.h"
#include "driver/stream.h"
#include "driver/virtual.h"

#endif
