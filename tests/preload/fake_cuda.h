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
 * its device (fake_cuda_reset: at once, or when a stream is next asked); streams are
 * captured (fake_cuda_capture); what fails from now on, as FAKE_CUDA_FAIL says it
 * (fake_cuda_fail). */
typedef int fake_cuda_left_function(void);
typedef void fake_cuda_fail_function(const char *text);
typedef void fake_cuda_reset_function(int at_next_query);
typedef void fake_cuda_capture_function(int capturing);

#endif
