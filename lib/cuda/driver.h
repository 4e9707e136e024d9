/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's driver: loaded at run time, so neither its header nor its library is
 * needed to build, or to run without a GPU.
 */
#ifndef ASH_LIB_CUDA_DRIVER_H
#define ASH_LIB_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ash_cuda_driver {
#define CUDA(name, symbol, parameters) int (*name) parameters;
#include "lib/cuda/driver.def"
#undef CUDA
};

/* Callable after ash_cuda_load returned 0. */
extern struct ash_cuda_driver ash_cuda;

/* The oldest driver that is supported, as CUDA numbers it: 1000 * major + 10 * minor. */
#define ASH_CUDA_VERSION_MIN 12000

/* Constants of the driver's ABI, which never change: errors. */
enum {
    ASH_CUDA_OUT_OF_MEMORY = 2,
    ASH_CUDA_DEINITIALIZED = 4,
    ASH_CUDA_NO_DEVICE = 100,
    ASH_CUDA_INVALID_CONTEXT = 201,
    ASH_CUDA_INVALID_HANDLE = 400,
    ASH_CUDA_NOT_READY = 600,
    ASH_CUDA_CONTEXT_IS_DESTROYED = 709,
    ASH_CUDA_NOT_PERMITTED = 800,
    ASH_CUDA_CAPTURE_UNSUPPORTED = 900
};

/* Attributes of devices. */
enum {
    ASH_CUDA_HOST_NATIVE_ATOMIC = 86,
    ASH_CUDA_WAIT_VALUE64 = 122
};

/* Attributes of addresses, and the value for memory of the host that the GPU sees. */
enum {
    ASH_CUDA_MEMORY_TYPE = 2,
    ASH_CUDA_MEMORY_HOST = 1
};

/* Flags. */
enum {
    ASH_CUDA_REGISTER_PORTABLE_MAPPED = 3,
    ASH_CUDA_STREAM_NON_BLOCKING = 1,
    ASH_CUDA_WAIT_EQ = 1,
    ASH_CUDA_CAPTURE_RELAXED = 2
};

/* Why there is no GPU to use. */
struct ash_cuda_reason {
    /* The usual reason: the machine has no GPU or no driver. */
    bool usual;
    char text[256];
};

/* Has the program loaded the driver, and has this thread a current context? */
bool ash_cuda_context_is_current(void);

/* Load and start the driver, and count its devices: 0, or an ASH_ERROR and the reason. */
int ash_cuda_load(int *ret_count, struct ash_cuda_reason *ret_reason);

/* "CUDA_ERROR_OUT_OF_MEMORY (out of memory)"; until the thread's next call. */
const char *ash_cuda_text(int error);

#endif
