/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies from CUDA's arguments.
 */
#ifndef ASH_LIB_CUDART_COPY_H
#define ASH_LIB_CUDART_COPY_H

#include "lib/cudart/work.h"

/* Each checks its arguments. */
ASH_LOCAL cudaError_t ash_copy_1d(void *dest, const void *source, size_t nbytes,
                                  enum cudaMemcpyKind kind, struct ash_cuda_copy *ret_copy);
ASH_LOCAL cudaError_t ash_copy_2d(const struct cudaPitchedPtr *dest,
                                  const struct cudaPitchedPtr *source, size_t width,
                                  size_t height, struct ash_cuda_copy *ret_copy);
ASH_LOCAL cudaError_t ash_copy_3d(const struct cudaMemcpy3DParms *params,
                                  struct ash_cuda_copy *ret_copy);

/* Copy now, after what the default stream waits for. */
ASH_LOCAL cudaError_t ash_copy_now(const struct ash_cuda_copy *copy);

/*
 * Queue a copy.  Memory of the program that CUDA did not allocate is free for other use when
 * this returns, as CUDA promises it: a source was read, a destination is written.
 */
ASH_LOCAL cudaError_t ash_copy_queue(const struct ash_cuda_copy *copy, enum cudaMemcpyKind kind,
                                     cudaStream_t stream);

#endif
