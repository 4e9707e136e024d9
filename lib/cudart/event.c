/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events.  The records of an event are numbered as they are queued, and those to which their
 * streams have not come yet are listed: a wait is for the record that was the newest at its call,
 * and later ones, which other streams may come to before, do not end it.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "device/hostdev/clock.h"
#include "lib/cudart/capture.h"

#define MAGIC 0x45564e54u

struct CUevent_st {
    /* Written and read by: all threads that use the event, under `lock`. */
    pthread_mutex_t lock;
    pthread_cond_t progress;
    unsigned magic, flags;
    /* The handle, and each record, wait and node. */
    uint32_t users;
    /* How often it was recorded, and the records, in order, that no stream has come to. */
    uint64_t recorded;
    uint64_t *pending;
    size_t n_pending, room;
    /* The newest record that a stream has come to, and when (ash_now_ns). */
    uint64_t reached, ns;
    struct ash_captured captured;
};

static bool bad(cudaEvent_t event)
{
    return event == NULL || event->magic != MAGIC;
}

void ash_event_keep(cudaEvent_t event)
{
    (void)pthread_mutex_lock(&event->lock);
    event->users++;
    (void)pthread_mutex_unlock(&event->lock);
}

void ash_event_drop(cudaEvent_t event)
{
    bool last;
    (void)pthread_mutex_lock(&event->lock);
    last = --event->users == 0;
    (void)pthread_mutex_unlock(&event->lock);
    if (!last) return;
    (void)pthread_cond_destroy(&event->progress);
    (void)pthread_mutex_destroy(&event->lock);
    free(event->captured.nodes);
    free(event->pending);
    free(event);
}

/* Where a record stands among the pending ones, or where it would.  The caller holds the lock. */
static size_t place_of(const struct CUevent_st *event, uint64_t number)
{
    size_t i = 0;
    while (i < event->n_pending && event->pending[i] < number) i++;
    return i;
}

static bool is_pending(const struct CUevent_st *event, uint64_t number)
{
    size_t i = place_of(event, number);
    return i < event->n_pending && event->pending[i] == number;
}

void ash_event_reached(const struct ash_event_time *time)
{
    cudaEvent_t event = time->event;
    size_t i;
    (void)pthread_mutex_lock(&event->lock);
    i = place_of(event, time->number);
    event->n_pending--;
    memmove(&event->pending[i], &event->pending[i + 1],
            (event->n_pending - i) * sizeof(*event->pending));
    if (time->number > event->reached) {
        event->reached = time->number;
        event->ns = ash_now_ns();
    }
    (void)pthread_cond_broadcast(&event->progress);
    (void)pthread_mutex_unlock(&event->lock);
}

void ash_event_await(const struct ash_event_time *time)
{
    cudaEvent_t event = time->event;
    (void)pthread_mutex_lock(&event->lock);
    while (is_pending(event, time->number))
        (void)pthread_cond_wait(&event->progress, &event->lock);
    (void)pthread_mutex_unlock(&event->lock);
}

uint64_t ash_event_newest(cudaEvent_t event)
{
    uint64_t number;
    (void)pthread_mutex_lock(&event->lock);
    number = event->recorded;
    (void)pthread_mutex_unlock(&event->lock);
    return number;
}

/* The caller holds the lock. */
static bool make_room(struct CUevent_st *event)
{
    size_t room = event->room == 0 ? 4 : 2 * event->room;
    uint64_t *pending;
    if (event->n_pending < event->room) return true;
    pending = realloc(event->pending, room * sizeof(*pending));
    if (pending == NULL) return false;
    event->pending = pending;
    event->room = room;
    return true;
}

uint64_t ash_event_record(cudaEvent_t event)
{
    uint64_t number = 0;
    (void)pthread_mutex_lock(&event->lock);
    if (make_room(event)) number = event->pending[event->n_pending++] = ++event->recorded;
    (void)pthread_mutex_unlock(&event->lock);
    return number;
}

/* A stream has come to the newest record, or there is none. */
static bool is_reached(cudaEvent_t event)
{
    bool pending;
    (void)pthread_mutex_lock(&event->lock);
    pending = is_pending(event, event->recorded);
    (void)pthread_mutex_unlock(&event->lock);
    return !pending;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    struct CUevent_st *e;
    if (event == NULL || flags > 7 ||
        ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming)))
        return ash_cudart_status(cudaErrorInvalidValue);
    (void)ash_cudart_device();
    e = calloc(1, sizeof(*e));
    if (e == NULL) return ash_cudart_status(cudaErrorMemoryAllocation);
    (void)pthread_mutex_init(&e->lock, NULL);
    (void)pthread_cond_init(&e->progress, NULL);
    e->magic = MAGIC;
    e->flags = flags;
    e->users = 1;
    *event = e;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (bad(event)) return ash_cudart_status(cudaErrorInvalidResourceHandle);
    event->magic = 0;
    ash_event_drop(event);
    return ash_cudart_status(cudaSuccess);
}

static cudaError_t record(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    const struct ash_work work = {.type = cudaGraphNodeTypeEventRecord, .event = {event, 0}};
    cudaError_t error;
    if (bad(event)) return cudaErrorInvalidResourceHandle;
    if (flags > cudaEventRecordExternal) return cudaErrorInvalidValue;
    if (flags == cudaEventRecordDefault &&
        ash_capture_record(stream, &event->captured, &error))
        return error;
    event->captured.capture = 0;
    return ash_work_submit(stream, &work);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return ash_cudart_status(record(event, stream, cudaEventRecordDefault));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    return ash_cudart_status(record(event, stream, flags));
}

static cudaError_t wait_event(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    const struct ash_work work = {.type = cudaGraphNodeTypeWaitEvent, .event = {event, 0}};
    cudaError_t error;
    if (bad(event)) return cudaErrorInvalidResourceHandle;
    if (flags > cudaEventWaitExternal) return cudaErrorInvalidValue;
    if (!ash_stream_valid(stream)) return cudaErrorInvalidResourceHandle;
    if (flags == cudaEventWaitDefault && ash_capture_wait(stream, &event->captured, &error))
        return error;
    return is_reached(event) && !ash_capture_any() ? cudaSuccess : ash_work_submit(stream, &work);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    return ash_cudart_status(wait_event(stream, event, flags));
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    if (bad(event)) return ash_cudart_status(cudaErrorInvalidResourceHandle);
    if (ash_capture_holds(&event->captured)) return ash_cudart_status(cudaErrorCapturedEvent);
    return ash_cudart_status(is_reached(event) ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    struct ash_event_time time = {event, 0};
    if (bad(event)) return ash_cudart_status(cudaErrorInvalidResourceHandle);
    if (ash_capture_holds(&event->captured)) return ash_cudart_status(cudaErrorCapturedEvent);
    time.number = ash_event_newest(event);
    ash_event_await(&time);
    return ash_cudart_status(cudaSuccess);
}

static cudaError_t elapsed(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    if (ms == NULL) return cudaErrorInvalidValue;
    if (bad(start) || bad(end)) return cudaErrorInvalidResourceHandle;
    if ((start->flags | end->flags) & cudaEventDisableTiming) return cudaErrorInvalidResourceHandle;
    if (start->recorded == 0 || end->recorded == 0) return cudaErrorInvalidResourceHandle;
    if (!is_reached(start) || !is_reached(end)) return cudaErrorNotReady;
    *ms = (float)(1e-6 * (double)(int64_t)(end->ns - start->ns));
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    return ash_cudart_status(elapsed(ms, start, end));
}

/* The processes of a node share no events here. */
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
    (void)handle;
    (void)event;
    return ash_cudart_status(cudaErrorNotSupported);
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
    (void)event;
    (void)handle;
    return ash_cudart_status(cudaErrorNotSupported);
}
