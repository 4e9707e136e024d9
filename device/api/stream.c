/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines for streams of the host device: create, destroy, synchronize, query.
 */
#include <errno.h>
#include <nvshmemx.h>

#include "device/hostdev/gpu_routes.h"
#include "device/routine/check.h"
#include "device/stream/stream.h"

static int status_of(int rc)
{
    switch (rc) {
    case 0: return NVSHMEMX_SUCCESS;
    case -ENOMEM: return NVSHMEMX_ERROR_OUT_OF_MEMORY;
    case -EPERM: return NVSHMEMX_ERROR_NOT_SUPPORTED;
    case -EAGAIN: return ANYSHMEMX_ERROR_NOT_READY;
    default: return NVSHMEMX_ERROR_INVALID_VALUE;
    }
}

int anyshmemx_stream_create(cudaStream_t *stream)
{
    ash_check_started("anyshmemx_stream_create");
    if (stream == NULL) return NVSHMEMX_ERROR_INVALID_VALUE;
    return status_of(ash_stream_create(ASH_STREAM_FINALIZED, stream));
}

int anyshmemx_stream_destroy(cudaStream_t stream)
{
    ash_check_started("anyshmemx_stream_destroy");
    return status_of(ash_stream_destroy(stream));
}

int anyshmemx_stream_synchronize(cudaStream_t stream)
{
    ash_check_started("anyshmemx_stream_synchronize");
    return ash_stream_drain(stream);
}

int anyshmemx_stream_query(cudaStream_t stream)
{
    ash_check_started("anyshmemx_stream_query");
    if (ash_gpu_has_stream(stream)) return ash_gpu_routines->stream_state(stream, false);
    return status_of(ash_stream_query(stream));
}
