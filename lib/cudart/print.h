/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What compiled kernels call beside device/hostdev/kernel.h.
 */
#ifndef ASH_LIB_CUDART_PRINT_H
#define ASH_LIB_CUDART_PRINT_H

#include <stdint.h>

/* printf of a kernel: the number of arguments that were printed. */
__attribute__((visibility("default"))) int ash_cuda_vprintf(const char *format,
                                                            const void *arguments);

/* clock64 and globaltimer. */
__attribute__((visibility("default"))) uint64_t ash_cuda_clock(void);

#endif
