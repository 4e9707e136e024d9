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

/* A failed assert of a kernel: prints what CUDA prints, and ends the program. */
__attribute__((visibility("default"))) void ash_cuda_assert(const char *assertion,
                                                            const char *file, unsigned line,
                                                            const char *function);

/* __trap: ends the program with the line. */
__attribute__((visibility("default"))) void ash_cuda_trap(void);

/* clock64 and globaltimer. */
__attribute__((visibility("default"))) uint64_t ash_cuda_clock(void);

#endif
