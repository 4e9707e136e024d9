/* SPDX-License-Identifier: BSD-3-Clause */
/* clang's intrinsics include it; NVIDIA's declares what clang or warp.h defines. */
