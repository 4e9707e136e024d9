/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's pipelines: those of cuda_pipeline_primitives.h.  cuda::pipeline is CCCL's.
 */
#ifndef ASH_CUDA_PIPELINE_H
#define ASH_CUDA_PIPELINE_H
#define _CUDA_PIPELINE_H_

#include "cuda_pipeline_primitives.h"

#endif
