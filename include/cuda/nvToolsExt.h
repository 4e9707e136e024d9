/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NVTX by another of its names.
 */
#ifndef ASH_CUDA_NVTOOLSEXT_OLD_H
#define ASH_CUDA_NVTOOLSEXT_OLD_H

#include "nvtx3/nvToolsExt.h"

#endif
