/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NVTX by another of its names.
 */
#ifndef ASH_CUDA_NVTOOLSEXTCUDA_H
#define ASH_CUDA_NVTOOLSEXTCUDA_H

#include "nvToolsExt.h"

#endif
