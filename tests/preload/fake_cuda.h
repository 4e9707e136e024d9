/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests use of fake_cuda.c besides the driver's functions. */
#ifndef TESTS_PRELOAD_FAKE_CUDA_H
#define TESTS_PRELOAD_FAKE_CUDA_H

#include <stddef.h>
#include <stdint.h>

/* A CUmodule or CUlibrary points to this: the address of ash_device_state in it; 0: none. */
struct fake_cuda_module {
    uint64_t address;
    size_t nbytes;
};

/* Functions that tests find by dlsym.  fake_cuda_left: how many resources were not released.
 * fake_cuda_fail: what fails from now on, in FAKE_CUDA_FAIL's syntax.  fake_cuda_reset: reset
 * the device, as a program may, at once or at the next query of a stream.  fake_cuda_capture:
 * the status of capture that streams report. */
typedef int fake_cuda_left_function(void);
typedef void fake_cuda_fail_function(const char *text);
typedef void fake_cuda_reset_function(int at_next_query);
typedef void fake_cuda_capture_function(int capturing);

#endif
