/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order of CUDA's default stream and its blocking streams, by fences: an operation that is
 * queued on each stream that comes first opens it, and one on the stream that comes later
 * waits for it.  Neither stream knows the other, which may be destroyed meanwhile.
 */
#include <nvshmemx.h>
#include <pthread.h>
#include <stdlib.h>

#include "device/stream/stream.h"

struct ash_stream_fence {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    /* Streams that have not come to it; those, and the one that waits, which may still use it. */
    uint32_t missing, n_users;
};

/* The caller does not use it any more, and has its lock. */
static void leave(struct ash_stream_fence *fence)
{
    bool last = --fence->n_users == 0;
    (void)pthread_mutex_unlock(&fence->lock);
    if (!last) return;
    (void)pthread_cond_destroy(&fence->opened);
    (void)pthread_mutex_destroy(&fence->lock);
    free(fence);
}

static void come(void *pointer)
{
    struct ash_stream_fence *fence = pointer;
    (void)pthread_mutex_lock(&fence->lock);
    if (--fence->missing == 0) (void)pthread_cond_signal(&fence->opened);
    leave(fence);
}

static void wait(void *pointer)
{
    struct ash_stream_fence *fence = pointer;
    (void)pthread_mutex_lock(&fence->lock);
    while (fence->missing > 0) (void)pthread_cond_wait(&fence->opened, &fence->lock);
    leave(fence);
}

static struct ash_stream_fence *fence_new(void)
{
    struct ash_stream_fence *fence = calloc(1, sizeof(*fence));
    if (fence == NULL) return NULL;
    (void)pthread_mutex_init(&fence->lock, NULL);
    (void)pthread_cond_init(&fence->opened, NULL);
    fence->n_users = 1;
    return fence;
}

int ash_stream_before(struct ash_stream *first, struct ash_stream_fence **fence)
{
    struct ash_stream_op op = {.kind = ASH_STREAM_CALL, .call = {.function = come}};
    int rc;
    if (*fence == NULL) *fence = fence_new();
    if (*fence == NULL) return NVSHMEMX_ERROR_OUT_OF_MEMORY;
    op.call.arg = *fence;
    (void)pthread_mutex_lock(&(*fence)->lock);
    (*fence)->missing++;
    (*fence)->n_users++;
    (void)pthread_mutex_unlock(&(*fence)->lock);
    rc = ash_stream_add(first, &op);
    if (rc != NVSHMEMX_SUCCESS) come(*fence);
    return rc;
}

int ash_stream_after(struct ash_stream *later, struct ash_stream_fence *fence)
{
    struct ash_stream_op op = {.kind = ASH_STREAM_CALL,
                               .call = {.function = wait, .arg = fence}};
    int rc = ash_stream_add(later, &op);
    if (rc != NVSHMEMX_SUCCESS) ash_stream_fence_drop(fence);
    return rc;
}

void ash_stream_fence_drop(struct ash_stream_fence *fence)
{
    (void)pthread_mutex_lock(&fence->lock);
    leave(fence);
}
