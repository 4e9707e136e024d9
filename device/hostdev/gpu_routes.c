/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which of the two devices of a PE with a GPU a call is for.
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

/* A kernel of the host device runs on threads that the program has no device on. */
void ash_hostdev_check_device_change(const char *function)
{
    if (ash_gpu_routines != NULL && !ash_hostdev_in_grid())
        ash_gpu_routines->check_device_change(function);
}
