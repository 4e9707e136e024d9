/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The name by which NVIDIA's cooperative groups have memcpy_async and wait: they come with
 * cooperative_groups.h.
 */
#include <cooperative_groups.h>
