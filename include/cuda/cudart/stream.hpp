/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events for C++: with their flags.
 */
#ifndef ASH_CUDA_STREAM_HPP
#define ASH_CUDA_STREAM_HPP

#include "stream.h"

static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return ::cudaEventCreateWithFlags(event, flags);
}

#endif
