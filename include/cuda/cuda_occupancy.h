/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A name that libraries include.  The calculator for any device, which NVIDIA's header has, is
 * not here: cudaOccupancyMaxActiveBlocksPerMultiprocessor says how many blocks fit.
 */
#include <cuda_runtime.h>
