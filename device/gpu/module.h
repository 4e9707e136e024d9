/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between libanyshmem_device.a and libanyshmem.so.
 *
 * A program has one copy of the device routines for each of its device links,
 * each with the state in its own constant memory and with a CUDA runtime that
 * knows that link's kernels.  A constructor in each copy registers it; the
 * library, which has no CUDA runtime, calls back.
 */
#ifndef ASH_DEVICE_GPU_MODULE_H
#define ASH_DEVICE_GPU_MODULE_H

#include <nvshmem/cuda_types.h>
#include <nvshmem/types.h>
#include <stdbool.h>

struct ash_stream_op;

/* Incremented when anything here, struct ash_state or struct ash_stream_op changes, or an
 * operation of device/channel/request.h gets another number. */
#define ASH_MODULE_VERSION 10u

/* Functions that return int return an error of the CUDA runtime, 0 for success. */
struct ash_module {
    uint32_t version;
    /* sizeof(struct ash_state) and sizeof(struct ash_stream_op), checked as well as `version`. */
    uint32_t state_nbytes;
    uint32_t stream_op_nbytes;
    /* Returns the address of the state in the memory of the current device. */
    int (*state_address)(void **ret_address);
    /* True if func is a kernel of this device link. */
    bool (*knows)(const void *func);
    /* Launch a kernel all of whose blocks are resident at once, unless its attributes say that
     * they need not be. */
    int (*launch)(const cudaLaunchConfig_t *config, const void *func, void **args);
    /* Blocks that are resident at once on the current device. */
    int (*grid_size)(const void *func, uint32_t block_threads, size_t shared_nbytes,
                     int *ret_blocks);
    /* Do one operation in a stream's order. */
    int (*stream_op)(const struct ash_stream_op *op, void *stream);
    const char *(*error_text)(int error);
    /* The next one in the library's list.  Written and read by: the library. */
    struct ash_module *next;
};

NVSHMEM_BEGIN_DECLS

/* Called only by the constructor and destructor in libanyshmem_device.a. */
NVSHMEM_EXPORT void anyshmem_module_register(struct ash_module *module);
NVSHMEM_EXPORT void anyshmem_module_unregister(struct ash_module *module);

NVSHMEM_END_DECLS

#endif
