/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A name that older programs include: what NVIDIA's header of this name has comes with
 * cuda_runtime.h.
 */
#include <cuda_runtime.h>
