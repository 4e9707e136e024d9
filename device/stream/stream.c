/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams by their handles: a handle names a slot of a table, guarded by one mutex, and a use
 * of that slot.  Calls for CUDA streams are passed on to the GPU's routines.
 */
#include "device/stream/stream.h"

#include <errno.h>
#include <nvshmemx.h>
#include <pthread.h>

#include "device/hostdev/gpu_routes.h"
#include "device/routine/check.h"

/* Streams that can exist at one time, a power of two: the low bits of a handle are a slot's
 * index. */
#define STREAMS_MAX 4096u

#define PER_THREAD ((uintptr_t)2)

int (*ash_stream_capture)(cudaStream_t stream, const struct ash_stream_op *op,
                          const struct ash_launch *launch);
bool ash_stream_per_thread;

/*
 * A handle is the sum of ASH_HOSTDEV_HANDLE, the slot's index, and STREAMS_MAX for each
 * stream that the slot has had.  It is a number, not an address, so that an invalid one is
 * detected and never dereferenced.  Slot 0 is the default stream's.  Written and read by: all
 * threads, under slots_lock.
 */
static struct {
    struct ash_stream *stream;
    uintptr_t handle;
    enum ash_stream_type type;
    /* Operations that had been queued on this stream when the default one was last ordered after
     * it; and on the default stream, when this one was last ordered after that. */
    uint64_t in_default, of_default;
} slots[STREAMS_MAX];
/* Slots from this one on have never had a stream; and how many streams are blocking. */
static uint32_t slots_used = 1, n_blocking;
/* Taken before the lock of a stream.  A thread that holds a stream's lock keeps it from being
 * freed: ash_stream_end takes the lock first. */
static pthread_mutex_t slots_lock = PTHREAD_MUTEX_INITIALIZER;

/* The stream that the caller means; 0 if there is no memory for the thread's own one, which makes
 * that wait for more than it needs to. */
static uintptr_t handle_of(cudaStream_t stream)
{
    if ((uintptr_t)stream != PER_THREAD || !ash_stream_per_thread) return (uintptr_t)stream;
    return ash_stream_own();
}

/* Returns the slot of a handle, or -1.  The caller holds slots_lock. */
static int slot_find(uintptr_t handle)
{
    uintptr_t i = handle % STREAMS_MAX;
    /* 0, cudaStreamLegacy, cudaStreamPerThread. */
    if (handle <= PER_THREAD) return 0;
    return i > 0 && slots[i].stream != NULL && slots[i].handle == handle ? (int)i : -1;
}

/* Returns the slot's stream, locked, or NULL; also if `ordered` and it is not ordered with the
 * default stream. */
static struct ash_stream *slot_enter(uint32_t i, bool ordered)
{
    struct ash_stream *s = NULL;
    (void)pthread_mutex_lock(&slots_lock);
    if (!ordered || i == 0 || slots[i].type == ASH_STREAM_BLOCKING) s = slots[i].stream;
    if (s != NULL) ash_stream_lock(s);
    (void)pthread_mutex_unlock(&slots_lock);
    return s;
}

/* Takes the stream out of its slot, so that no thread can find it any more.  The caller holds
 * slots_lock. */
static struct ash_stream *slot_clear(uint32_t i)
{
    struct ash_stream *s = slots[i].stream;
    if (i > 0 && s != NULL && slots[i].type == ASH_STREAM_BLOCKING) n_blocking--;
    slots[i].stream = NULL;
    slots[i].in_default = slots[i].of_default = 0;
    if (i == 0) /* A later default stream counts from 0 again. */
        for (uint32_t other = 1; other < slots_used; other++) slots[other].of_default = 0;
    return s;
}

/* Finds the stream of a handle and locks it: its slot, or -1.  *ret_stream is NULL for the default
 * stream before its first operation. */
static int stream_enter(cudaStream_t stream, struct ash_stream **ret_stream)
{
    uintptr_t handle = handle_of(stream);
    int i;
    *ret_stream = NULL;
    (void)pthread_mutex_lock(&slots_lock);
    i = slot_find(handle);
    if (i >= 0) *ret_stream = slots[i].stream;
    if (*ret_stream != NULL) ash_stream_lock(*ret_stream);
    (void)pthread_mutex_unlock(&slots_lock);
    return i;
}

/* Let the fence wait for what is queued on a stream, unless it is done, or was waited for: as
 * many operations as *seen. */
static int fence_stream(struct ash_stream *s, uint64_t *seen, struct ash_stream_fence **fence)
{
    int rc = NVSHMEMX_SUCCESS;
    if (s == NULL) return rc;
    ash_stream_lock(s);
    if (!ash_stream_idle(s) && ash_stream_queued(s) != *seen) rc = ash_stream_before(s, fence);
    *seen = ash_stream_queued(s);
    ash_stream_unlock(s);
    return rc;
}

/* Order the stream of slot i as CUDA does; *ret_fence is NULL if it comes after no other. */
static int fence_others(uint32_t i, struct ash_stream_fence **ret_fence)
{
    int rc = NVSHMEMX_SUCCESS;
    uint32_t other;
    *ret_fence = NULL;
    if (i > 0) {
        if (slots[i].type != ASH_STREAM_BLOCKING) return rc;
        return fence_stream(slots[0].stream, &slots[i].of_default, ret_fence);
    }
    for (other = 1; n_blocking > 0 && other < slots_used; other++)
        if (slots[other].type == ASH_STREAM_BLOCKING && rc == NVSHMEMX_SUCCESS)
            rc = fence_stream(slots[other].stream, &slots[other].in_default, ret_fence);
    return rc;
}

/* Queue op on the stream of slot i, after what must come before.  The caller holds slots_lock, so
 * all threads agree on that. */
static int slot_add(uint32_t i, const struct ash_stream_op *op)
{
    struct ash_stream_fence *fence;
    int rc = fence_others(i, &fence);
    if (slots[i].stream == NULL) slots[i].stream = ash_stream_new();
    if (slots[i].stream == NULL) rc = NVSHMEMX_ERROR_OUT_OF_MEMORY;
    if (rc != NVSHMEMX_SUCCESS) {
        if (fence != NULL) ash_stream_fence_drop(fence);
        return rc;
    }
    ash_stream_lock(slots[i].stream);
    if (fence != NULL) rc = ash_stream_after(slots[i].stream, fence);
    if (rc == NVSHMEMX_SUCCESS) rc = ash_stream_add(slots[i].stream, op);
    ash_stream_unlock(slots[i].stream);
    return rc;
}

static int captured(int rc)
{
    if (rc == -ENOMEM) return NVSHMEMX_ERROR_OUT_OF_MEMORY;
    return rc < 0 ? NVSHMEMX_ERROR_INVALID_VALUE : NVSHMEMX_SUCCESS;
}

int ash_stream_push(cudaStream_t stream, const struct ash_stream_op *op)
{
    uintptr_t handle;
    int i, rc = 0;
    if (ash_gpu_has_stream(stream)) {
        ash_gpu_routines->stream_op(op, stream);
        return NVSHMEMX_SUCCESS;
    }
    if (ash_stream_capture != NULL && op->kind != ASH_STREAM_LAUNCH)
        rc = ash_stream_capture(stream, op, NULL);
    if (rc != 0) return captured(rc);
    handle = handle_of(stream);
    (void)pthread_mutex_lock(&slots_lock);
    i = slot_find(handle);
    rc = i < 0 ? NVSHMEMX_ERROR_INVALID_VALUE : slot_add((uint32_t)i, op);
    (void)pthread_mutex_unlock(&slots_lock);
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
    int rc = NVSHMEMX_SUCCESS;
    if (ash_gpu_has_stream(stream))
        return ash_hostdev_in_grid() ? NVSHMEMX_ERROR_NOT_SUPPORTED
                                     : ash_gpu_routines->stream_state(stream, true);
    if (stream_enter(stream, &s) < 0) return NVSHMEMX_ERROR_INVALID_VALUE;
    if (s == NULL) return rc;
    if (ash_stream_waitable(s))
        ash_stream_wait(s);
    else
        rc = NVSHMEMX_ERROR_NOT_SUPPORTED;
    ash_stream_unlock(s);
    return rc;
}

/* Wait for all streams, or for those alone that are ordered with the default one; returns true if
 * all were idle. */
static bool wait_once(bool ordered)
{
    uint32_t i;
    bool idle = true;
    for (i = 0; i < __atomic_load_n(&slots_used, __ATOMIC_RELAXED); i++) {
        struct ash_stream *s = slot_enter(i, ordered);
        if (s == NULL) continue;
        idle = idle && ash_stream_idle(s);
        ash_stream_wait(s);
        ash_stream_unlock(s);
    }
    return idle;
}

static int wait_if_allowed(bool ordered)
{
    if (!ash_streams_waitable()) return -EPERM;
    (void)wait_once(ordered);
    return 0;
}

int ash_streams_drain(void) { return wait_if_allowed(false); }
int ash_stream_wait_legacy(void) { return wait_if_allowed(true); }

/* An operation may queue others on other streams, so this repeats until it finds all queues
 * empty. */
void ash_hostdev_streams_stop(void)
{
    uint32_t i;
    while (!wait_once(false)) continue;
    for (i = 0; i < __atomic_load_n(&slots_used, __ATOMIC_RELAXED); i++) {
        struct ash_stream *s = NULL;
        (void)pthread_mutex_lock(&slots_lock);
        if (i == 0 || slots[i].type == ASH_STREAM_FINALIZED) s = slot_clear(i);
        (void)pthread_mutex_unlock(&slots_lock);
        if (s != NULL) ash_stream_end(s);
    }
}

/* Give the stream a slot, or return false.  The caller holds slots_lock. */
static bool slot_take(struct ash_stream *s, enum ash_stream_type type, cudaStream_t *ret_stream)
{
    uint32_t i = 1;
    while (i < STREAMS_MAX && slots[i].stream != NULL) i++;
    if (i == STREAMS_MAX) return false;
    if (i == slots_used) __atomic_store_n(&slots_used, i + 1, __ATOMIC_RELAXED);
    if (slots[i].handle == 0) slots[i].handle = ASH_HOSTDEV_HANDLE + i;
    slots[i].handle += STREAMS_MAX;
    slots[i].stream = s;
    slots[i].type = type;
    if (type == ASH_STREAM_BLOCKING) n_blocking++;
    *ret_stream = (cudaStream_t)slots[i].handle;
    return true;
}

int ash_stream_create(enum ash_stream_type type, cudaStream_t *ret_stream)
{
    struct ash_stream *s = ash_stream_new();
    bool taken;
    if (s == NULL) return -ENOMEM;
    (void)pthread_mutex_lock(&slots_lock);
    taken = slot_take(s, type, ret_stream);
    (void)pthread_mutex_unlock(&slots_lock);
    if (taken) return 0;
    ash_stream_end(s);
    return -ENOMEM;
}

int ash_stream_destroy(cudaStream_t stream)
{
    struct ash_stream *s = NULL;
    int i, rc = -EINVAL;
    (void)pthread_mutex_lock(&slots_lock);
    i = slot_find((uintptr_t)stream);
    if (i > 0) rc = ash_stream_waitable(slots[i].stream) ? 0 : -EPERM;
    if (rc == 0) s = slot_clear((uint32_t)i);
    (void)pthread_mutex_unlock(&slots_lock);
    if (s != NULL) ash_stream_end(s);
    return rc;
}

/* Unlocks a stream, or NULL: is all done that was queued on it? */
static bool stream_leave(struct ash_stream *s)
{
    bool idle = s == NULL || ash_stream_idle(s);
    if (s != NULL) ash_stream_unlock(s);
    return idle;
}

int ash_stream_query(cudaStream_t stream)
{
    uint32_t i, end = __atomic_load_n(&slots_used, __ATOMIC_RELAXED);
    struct ash_stream *s;
    int slot = stream_enter(stream, &s);
    bool idle = stream_leave(s);
    if (slot < 0) return -EINVAL;
    /* The default stream comes after all blocking ones. */
    for (i = 1; slot == 0 && idle && i < end; i++) idle = stream_leave(slot_enter(i, true));
    return idle ? 0 : -EAGAIN;
}

bool ash_stream_valid(cudaStream_t stream)
{
    bool valid;
    (void)pthread_mutex_lock(&slots_lock);
    valid = slot_find((uintptr_t)stream) >= 0;
    (void)pthread_mutex_unlock(&slots_lock);
    return valid;
}
