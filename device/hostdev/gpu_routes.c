/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides which of the two devices of a PE with a GPU a call is for: a stream by its handle,
 * a kernel by asking CUDA.
 */
#include "device/hostdev/gpu_routes.h"

#include "device/hostdev/hostdev.h"

const struct ash_gpu_routines *ash_gpu_routines;

bool ash_stream_is_hostdev(cudaStream_t stream)
{
    return (uintptr_t)stream >= ASH_HOSTDEV_HANDLE;
}

bool ash_gpu_has_stream(cudaStream_t stream)
{
    return ash_gpu_routines != NULL && !ash_stream_is_hostdev(stream);
}

bool ash_gpu_has_kernel(const void *func)
{
    return ash_gpu_routines != NULL && ash_gpu_routines->knows(func);
}

/* Not in a kernel of the host device, on whose threads the program sets no CUDA device. */
void ash_hostdev_check_device_change(const char *function)
{
    if (ash_gpu_routines != NULL && !ash_hostdev_in_grid())
        ash_gpu_routines->check_device_change(function);
}
