/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stream is a list of chunks of operations, under one mutex, and a thread, which the first
 * operation starts.  The thread runs one operation after another, without the lock.
 */
#include "device/stream/stream.h"

#include <nvshmemx.h>
#include <pthread.h>
#include <stdlib.h>

#include "device/hostdev/launch.h"
#include "device/hostdev/wait_table.h"
#include "device/stream/run.h"

/* Operations in a chunk; a queue grows and shrinks by whole chunks. */
#define CHUNK_OPS 64u

struct chunk {
    struct chunk *next;
    struct ash_stream_op ops[CHUNK_OPS];
};

/* Written and read by: all threads that use the stream, under `lock`. */
struct ash_stream {
    pthread_mutex_t lock;
    /* Wakes the stream's thread: an operation was queued, or the stream ends. */
    pthread_cond_t work;
    /* Wakes waiters: an operation is done, or, for ash_stream_end, the last waiter has left. */
    pthread_cond_t progress;
    pthread_t thread;
    bool has_thread;
    bool ending;
    uint32_t n_waiters;
    /* Numbers of operations so far; operation i is ops[i % CHUNK_OPS] of its chunk. */
    uint64_t queued, done;
    /* The chunks from operation `done` to `queued`, and a free one for the next use, or NULL. */
    struct chunk *first, *last, *spare;
};

/* The stream that the calling thread runs; NULL in all other threads. */
static __thread const struct ash_stream *running __attribute__((tls_model("initial-exec")));

struct ash_stream *ash_stream_new(void)
{
    struct ash_stream *s = calloc(1, sizeof(*s));
    if (s == NULL) return NULL;
    (void)pthread_mutex_init(&s->lock, NULL);
    (void)pthread_cond_init(&s->work, NULL);
    (void)pthread_cond_init(&s->progress, NULL);
    return s;
}

void ash_stream_lock(struct ash_stream *s)
{
    (void)pthread_mutex_lock(&s->lock);
}

void ash_stream_unlock(struct ash_stream *s)
{
    (void)pthread_mutex_unlock(&s->lock);
}

bool ash_stream_idle(const struct ash_stream *s)
{
    return s->done == s->queued;
}

uint64_t ash_stream_queued(const struct ash_stream *s)
{
    return s->queued;
}

bool ash_stream_waitable(const struct ash_stream *s)
{
    return running != s && !ash_hostdev_in_grid();
}

bool ash_streams_waitable(void)
{
    return running == NULL && !ash_hostdev_in_grid();
}

/* The chunk with room for one more operation, or NULL. */
static struct chunk *queue_room(struct ash_stream *s)
{
    struct chunk *chunk = s->spare;
    if (s->queued % CHUNK_OPS != 0) return s->last;
    if (chunk == NULL && (chunk = malloc(sizeof(*chunk))) == NULL) return NULL;
    s->spare = NULL;
    chunk->next = NULL;
    if (s->first == NULL)
        s->first = chunk;
    else
        s->last->next = chunk;
    s->last = chunk;
    return chunk;
}

/* The first operation is done.  Its chunk, if all of it is done, becomes the spare one or is
 * freed. */
static void queue_advance(struct ash_stream *s)
{
    struct chunk *chunk = s->first;
    if (++s->done % CHUNK_OPS == 0) {
        s->first = chunk->next;
        if (s->spare == NULL)
            s->spare = chunk;
        else
            free(chunk);
    }
    if (s->n_waiters > 0) (void)pthread_cond_broadcast(&s->progress);
}

static void run_launch(struct ash_kept_launch *kept)
{
    if (ash_launch_run(&kept->launch) != 0)
        ash_hostdev_fail("out of memory for a kernel that was queued on a stream");
    ash_launch_drop(kept);
}

static void run(const struct ash_stream_op *op)
{
    switch (op->kind) {
    case ASH_STREAM_CALL: op->call.function(op->call.arg); break;
    case ASH_STREAM_LAUNCH: run_launch(op->launch); break;
    default: ash_stream_run(op); break;
    }
}

/* Runs the queued operations until the stream ends and the queue is empty. */
static void *stream_main(void *pointer)
{
    struct ash_stream *s = pointer;
    running = s;
    (void)pthread_mutex_lock(&s->lock);
    for (;;) {
        const struct ash_stream_op *op;
        while (s->done == s->queued && !s->ending)
            (void)pthread_cond_wait(&s->work, &s->lock);
        if (s->done == s->queued) break;
        op = &s->first->ops[s->done % CHUNK_OPS];
        (void)pthread_mutex_unlock(&s->lock);
        run(op);
        dev_kick_left(); /* this thread may have nothing more to do */
        (void)pthread_mutex_lock(&s->lock);
        queue_advance(s);
    }
    (void)pthread_mutex_unlock(&s->lock);
    return NULL;
}

int ash_stream_add(struct ash_stream *s, const struct ash_stream_op *op)
{
    struct chunk *chunk;
    if (!s->has_thread) {
        int rc = ash_hostdev_thread(&s->thread, stream_main, s, "anyshmem-stream");
        if (rc != 0) return NVSHMEMX_ERROR_OUT_OF_MEMORY;
        s->has_thread = true;
    }
    chunk = queue_room(s);
    if (chunk == NULL) return NVSHMEMX_ERROR_OUT_OF_MEMORY;
    chunk->ops[s->queued++ % CHUNK_OPS] = *op;
    (void)pthread_cond_signal(&s->work);
    return NVSHMEMX_SUCCESS;
}

void ash_stream_wait(struct ash_stream *s)
{
    uint64_t end = s->queued;
    uint32_t wait = 0;
    int cancel;
    /* A thread that is cancelled in here would never release the lock. */
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    s->n_waiters++;
    if (s->done < end) wait = ash_hostdev_register_work("a stream", "what is queued on it");
    while (s->done < end)
        (void)pthread_cond_wait(&s->progress, &s->lock);
    dev_wait_unregister(wait);
    if (--s->n_waiters == 0 && s->ending) (void)pthread_cond_broadcast(&s->progress);
    (void)pthread_setcancelstate(cancel, NULL);
}

void ash_stream_end(struct ash_stream *s)
{
    int cancel;
    /* As above; and no other thread would end the stream, which can no longer be found. */
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    (void)pthread_mutex_lock(&s->lock);
    s->ending = true;
    (void)pthread_cond_signal(&s->work);
    (void)pthread_mutex_unlock(&s->lock);
    if (s->has_thread) (void)pthread_join(s->thread, NULL);
    (void)pthread_mutex_lock(&s->lock);
    while (s->n_waiters > 0)
        (void)pthread_cond_wait(&s->progress, &s->lock);
    (void)pthread_mutex_unlock(&s->lock);
    (void)pthread_cond_destroy(&s->progress);
    (void)pthread_cond_destroy(&s->work);
    (void)pthread_mutex_destroy(&s->lock);
    free(s->first);
    free(s->spare);
    free(s);
    (void)pthread_setcancelstate(cancel, NULL);
}
