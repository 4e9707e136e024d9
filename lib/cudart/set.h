/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Setting memory: now, after what the default stream waits for, or queued.
 */
#ifndef ASH_LIB_CUDART_SET_H
#define ASH_LIB_CUDART_SET_H

#include "lib/cudart/work.h"

ASH_LOCAL cudaError_t ash_set_now(const struct cudaMemsetParams *set);
ASH_LOCAL cudaError_t ash_set_queue(const struct cudaMemsetParams *set, cudaStream_t stream);

#endif
