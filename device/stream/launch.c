/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queues launches of kernels on streams.
 */
#include "device/hostdev/launch.h"

#include <errno.h>

#include "device/hostdev/gpu_routes.h"
#include "device/stream/stream.h"

int ash_stream_launch(cudaStream_t stream, const struct ash_launch *launch)
{
    struct ash_stream_op op = {.kind = ASH_STREAM_LAUNCH, .function = launch->name};
    int rc = ash_launch_check(launch);
    if (rc != 0) return rc;
    /* A kernel of the host device cannot run on a stream of CUDA. */
    if (ash_gpu_has_stream(stream)) return -EINVAL;
    if (ash_stream_capture != NULL) rc = ash_stream_capture(stream, NULL, launch);
    if (rc != 0) return rc < 0 ? rc : 0;
    op.launch = ash_launch_copy(launch);
    if (op.launch == NULL) return -ENOMEM;
    op.function = op.launch->launch.name;
    rc = ash_stream_push(stream, &op);
    if (rc == NVSHMEMX_SUCCESS) return 0;
    ash_launch_drop(op.launch);
    return rc == NVSHMEMX_ERROR_INVALID_VALUE ? -EINVAL : -ENOMEM;
}
