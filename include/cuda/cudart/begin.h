/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each header of CUDA's routines has before its declarations; end.h is its counterpart.
 * Included several times, so without a guard.
 */
#if defined(__cplusplus)
#define ASH_CUDA_DEFAULT(value) = value
extern "C" {
#else
#define ASH_CUDA_DEFAULT(value)
#endif
#pragma GCC visibility push(default)
