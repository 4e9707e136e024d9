/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ends what begin.h begins.
 */
#pragma GCC visibility pop
#if defined(__cplusplus)
}
#endif
#undef ASH_CUDA_DEFAULT
