/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Types of device code.
 */
#ifndef ASH_CUDA_DEVICE_TYPES_H
#define ASH_CUDA_DEVICE_TYPES_H
#define __DEVICE_TYPES_H__

#include "host_defines.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#endif
