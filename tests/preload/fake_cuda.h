/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests know of fake_cuda.c beside the driver's functions. */
#ifndef TESTS_PRELOAD_FAKE_CUDA_H
#define TESTS_PRELOAD_FAKE_CUDA_H

#include <stddef.h>
#include <stdint.h>

/* What a CUmodule or CUlibrary points to: where ash_device_state is in it; 0: nowhere. */
struct fake_cuda_module {
    uint64_t address;
    size_t nbytes;
};

/* By dlsym: how many things were not given back (fake_cuda_left); the program resets
 * its device (fake_cuda_reset); streams are captured (fake_cuda_capture). */
typedef int fake_cuda_left_function(void);
typedef void fake_cuda_reset_function(void);
typedef void fake_cuda_capture_function(int capturing);

#endif
