/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams by their handles: a handle names a slot of a table, guarded by one mutex, and a use
 * of that slot.  Calls for CUDA streams are passed on to the GPU's routines.
 */
#include "device/stream/stream.h"

#include <nvshmemx.h>
#include <pthread.h>

#include "device/hostdev/gpu_routes.h"
#include "device/routine/check.h"

/* Streams that can exist at one time, a power of two: the low bits of a handle are a slot's
 * index. */
#define STREAMS_MAX 4096u

/*
 * A handle is the sum of ASH_HOSTDEV_HANDLE, the slot's index, and STREAMS_MAX for each
 * stream that the slot has had.  It is a number, not an address, so that an invalid one is
 * detected and never dereferenced.  Slot 0 is the default stream's.  Written and read by: all
 * threads, under slots_lock.
 */
static struct {
    struct ash_stream *stream;
    uintptr_t handle;
} slots[STREAMS_MAX];
/* Taken before the lock of a stream.  A thread that holds a stream's lock keeps it from being
 * freed: ash_stream_end takes the lock first. */
static pthread_mutex_t slots_lock = PTHREAD_MUTEX_INITIALIZER;

/* Returns the slot of a handle, or -1.  The caller holds slots_lock. */
static int slot_find(cudaStream_t stream)
{
    uintptr_t handle = (uintptr_t)stream, i = handle % STREAMS_MAX;
    /* 0, cudaStreamLegacy, cudaStreamPerThread. */
    if (handle <= 2) return 0;
    return i > 0 && slots[i].stream != NULL && slots[i].handle == handle ? (int)i : -1;
}

/* Returns the slot's stream, locked, or NULL. */
static struct ash_stream *slot_enter(uint32_t i)
{
    struct ash_stream *s;
    (void)pthread_mutex_lock(&slots_lock);
    s = slots[i].stream;
    if (s != NULL) ash_stream_lock(s);
    (void)pthread_mutex_unlock(&slots_lock);
    return s;
}

/* Takes the stream out of its slot, so that no thread can find it any more; NULL if there is
 * none. */
static struct ash_stream *slot_clear(uint32_t i)
{
    struct ash_stream *s;
    (void)pthread_mutex_lock(&slots_lock);
    s = slots[i].stream;
    slots[i].stream = NULL;
    (void)pthread_mutex_unlock(&slots_lock);
    return s;
}

/*
 * Finds the stream of a handle and locks it; returns 0 or NVSHMEMX_ERROR_*.  The default
 * stream is created if `make`; otherwise *ret_stream is NULL before its first operation.
 */
static int stream_enter(cudaStream_t stream, bool make, struct ash_stream **ret_stream)
{
    int i, rc = NVSHMEMX_SUCCESS;
    *ret_stream = NULL;
    (void)pthread_mutex_lock(&slots_lock);
    i = slot_find(stream);
    if (i < 0) {
        rc = NVSHMEMX_ERROR_INVALID_VALUE;
    } else {
        if (slots[i].stream == NULL && make) slots[i].stream = ash_stream_new();
        *ret_stream = slots[i].stream;
        if (*ret_stream != NULL)
            ash_stream_lock(*ret_stream);
        else if (make)
            rc = NVSHMEMX_ERROR_OUT_OF_MEMORY;
    }
    (void)pthread_mutex_unlock(&slots_lock);
    return rc;
}

int ash_stream_push(cudaStream_t stream, const struct ash_stream_op *op)
{
    struct ash_stream *s;
    int rc;
    if (ash_gpu_has_stream(stream)) {
        ash_gpu_routines->stream_op(op, stream);
        return NVSHMEMX_SUCCESS;
    }
    rc = stream_enter(stream, true, &s);
    if (rc != NVSHMEMX_SUCCESS) return rc;
    rc = ash_stream_add(s, op);
    ash_stream_unlock(s);
    return rc;
}

void ash_stream_queue(const struct ash_stream_op *op, cudaStream_t stream)
{
    int rc = ash_stream_push(stream, op);
    if (rc == NVSHMEMX_SUCCESS) return;
    ash_raise(rc == NVSHMEMX_ERROR_INVALID_VALUE ? ASH_FAULT_STREAM : ASH_FAULT_QUEUE,
              op->function, "stream", (uint64_t)(uintptr_t)stream, 0);
}

int ash_stream_drain(cudaStream_t stream)
{
    struct ash_stream *s;
    int rc;
    if (ash_gpu_has_stream(stream))
        return ash_hostdev_in_grid() ? NVSHMEMX_ERROR_NOT_SUPPORTED
                                     : ash_gpu_routines->stream_state(stream, true);
    rc = stream_enter(stream, false, &s);
    if (s == NULL) return rc;
    if (ash_stream_waitable(s))
        ash_stream_wait(s);
    else
        rc = NVSHMEMX_ERROR_NOT_SUPPORTED;
    ash_stream_unlock(s);
    return rc;
}

/* An operation may queue others on other streams, so this repeats until it finds all queues
 * empty. */
static void drain_all(void)
{
    bool idle;
    do {
        uint32_t i;
        idle = true;
        for (i = 0; i < STREAMS_MAX; i++) {
            struct ash_stream *s = slot_enter(i);
            if (s == NULL) continue;
            idle = idle && ash_stream_idle(s);
            ash_stream_wait(s);
            ash_stream_unlock(s);
        }
    } while (!idle);
}

void ash_hostdev_streams_stop(void)
{
    uint32_t i;
    drain_all();
    for (i = 0; i < STREAMS_MAX; i++) {
        struct ash_stream *s = slot_clear(i);
        if (s != NULL) ash_stream_end(s);
    }
}

int anyshmemx_stream_create(cudaStream_t *stream)
{
    struct ash_stream *s;
    uint32_t i = 1;
    ash_check_started("anyshmemx_stream_create");
    if (stream == NULL) return NVSHMEMX_ERROR_INVALID_VALUE;
    s = ash_stream_new();
    if (s == NULL) return NVSHMEMX_ERROR_OUT_OF_MEMORY;
    (void)pthread_mutex_lock(&slots_lock);
    while (i < STREAMS_MAX && slots[i].stream != NULL) i++;
    if (i < STREAMS_MAX) {
        if (slots[i].handle == 0) slots[i].handle = ASH_HOSTDEV_HANDLE + i;
        slots[i].handle += STREAMS_MAX;
        slots[i].stream = s;
        *stream = (cudaStream_t)slots[i].handle;
    }
    (void)pthread_mutex_unlock(&slots_lock);
    if (i < STREAMS_MAX) return NVSHMEMX_SUCCESS;
    ash_stream_end(s);
    return NVSHMEMX_ERROR_OUT_OF_MEMORY;
}

int anyshmemx_stream_destroy(cudaStream_t stream)
{
    struct ash_stream *s = NULL;
    int i, rc = NVSHMEMX_ERROR_INVALID_VALUE;
    ash_check_started("anyshmemx_stream_destroy");
    (void)pthread_mutex_lock(&slots_lock);
    i = slot_find(stream);
    if (i > 0 && !ash_stream_waitable(slots[i].stream)) {
        rc = NVSHMEMX_ERROR_NOT_SUPPORTED;
    } else if (i > 0) {
        s = slots[i].stream;
        slots[i].stream = NULL;
    }
    (void)pthread_mutex_unlock(&slots_lock);
    if (s == NULL) return rc;
    ash_stream_end(s);
    return NVSHMEMX_SUCCESS;
}

int anyshmemx_stream_synchronize(cudaStream_t stream)
{
    ash_check_started("anyshmemx_stream_synchronize");
    return ash_stream_drain(stream);
}

int anyshmemx_stream_query(cudaStream_t stream)
{
    struct ash_stream *s;
    int rc;
    ash_check_started("anyshmemx_stream_query");
    if (ash_gpu_has_stream(stream)) return ash_gpu_routines->stream_state(stream, false);
    rc = stream_enter(stream, false, &s);
    if (s == NULL) return rc;
    if (!ash_stream_idle(s)) rc = ANYSHMEMX_ERROR_NOT_READY;
    ash_stream_unlock(s);
    return rc;
}
