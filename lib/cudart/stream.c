/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams, which are those of the host device; a table has what a program asks of its own ones.
 */
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cudart/capture.h"
#include "lib/cudart/stream.h"

struct stream_entry {
    cudaStream_t stream;
    unsigned flags;
    int priority, device;
    cudaLaunchAttributeValue window, policy;
};

/* Written and read by: all threads, under `lock`. */
static void *tree;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int compare(const void *left, const void *right)
{
    uintptr_t a = (uintptr_t)((const struct stream_entry *)left)->stream;
    uintptr_t b = (uintptr_t)((const struct stream_entry *)right)->stream;
    return a < b ? -1 : a > b;
}

/* The caller holds the lock. */
static struct stream_entry *find(cudaStream_t stream)
{
    const struct stream_entry key = {.stream = stream};
    void *node = tfind(&key, &tree, compare);
    return node != NULL ? *(struct stream_entry **)node : NULL;
}

/* What is known of it; a default stream, and one that the library made, is as by default. */
static bool look_up(cudaStream_t stream, struct stream_entry *ret_entry)
{
    const struct stream_entry *entry;
    memset(ret_entry, 0, sizeof(*ret_entry));
    (void)pthread_mutex_lock(&lock);
    entry = find(stream);
    if (entry != NULL) *ret_entry = *entry;
    (void)pthread_mutex_unlock(&lock);
    if (entry == NULL) ret_entry->device = ash_cudart_device();
    return entry != NULL || ash_stream_valid(stream);
}

unsigned ash_stream_flags(cudaStream_t stream)
{
    struct stream_entry entry;
    return look_up(stream, &entry) ? entry.flags : 0;
}

static cudaError_t create(cudaStream_t *ret_stream, unsigned flags, int priority)
{
    struct stream_entry *entry;
    int rc;
    if (ret_stream == NULL || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    entry = calloc(1, sizeof(*entry));
    if (entry == NULL) return cudaErrorMemoryAllocation;
    entry->flags = flags;
    entry->priority = priority > 0 ? 0 : priority < -5 ? -5 : priority;
    entry->device = ash_cudart_device();
    rc = ash_stream_create(flags == cudaStreamNonBlocking ? ASH_STREAM_NON_BLOCKING
                                                          : ASH_STREAM_BLOCKING,
                           &entry->stream);
    if (rc != 0) {
        free(entry);
        return ash_cudart_of(rc, cudaErrorInvalidValue);
    }
    *ret_stream = entry->stream;
    (void)pthread_mutex_lock(&lock);
    if (tsearch(entry, &tree, compare) == NULL) abort();
    (void)pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority)
{
    return ash_cudart_status(create(pStream, flags, priority));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags)
{
    return cudaStreamCreateWithPriority(pStream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *pStream)
{
    return cudaStreamCreateWithPriority(pStream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    struct stream_entry *entry;
    (void)pthread_mutex_lock(&lock);
    entry = find(stream);
    if (entry != NULL) (void)tdelete(entry, &tree, compare);
    (void)pthread_mutex_unlock(&lock);
    if (entry == NULL) return ash_cudart_status(cudaErrorInvalidResourceHandle);
    free(entry);
    return ash_cudart_status(
        ash_cudart_of(ash_stream_destroy(stream), cudaErrorInvalidResourceHandle));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return ash_cudart_status(ash_work_wait(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    cudaError_t error;
    if (!ash_stream_valid(stream)) return ash_cudart_status(cudaErrorInvalidResourceHandle);
    error = ash_capture_forbids(&stream);
    if (error == cudaSuccess)
        error = ash_cudart_of(ash_stream_query(stream), cudaErrorInvalidResourceHandle);
    return ash_cudart_status(error);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData)
{
    const struct ash_work work = {.type = cudaGraphNodeTypeHost, .host = {fn, userData}};
    return ash_cudart_status(fn == NULL ? cudaErrorInvalidValue : ash_work_submit(stream, &work));
}

struct callback {
    cudaStreamCallback_t function;
    cudaStream_t stream;
    void *argument;
};

static void run_callback(void *arg)
{
    struct callback *c = arg;
    c->function(c->stream, cudaSuccess, c->argument);
    free(c);
}

/* CUDA does not capture these, since each runs once. */
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void *userData, unsigned int flags)
{
    struct ash_work work = {.type = cudaGraphNodeTypeHost, .host = {run_callback, NULL}};
    struct callback *c;
    cudaError_t error;
    if (callback == NULL || flags != 0) return ash_cudart_status(cudaErrorInvalidValue);
    if (!ash_stream_valid(stream)) return ash_cudart_status(cudaErrorInvalidResourceHandle);
    error = ash_capture_forbids(&stream);
    if (error != cudaSuccess) return ash_cudart_status(error);
    c = malloc(sizeof(*c));
    if (c == NULL) return ash_cudart_status(cudaErrorMemoryAllocation);
    *c = (struct callback){callback, stream, userData};
    work.host.userData = c;
    error = ash_work_submit(stream, &work);
    if (error != cudaSuccess) free(c);
    return ash_cudart_status(error);
}

cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags)
{
    struct stream_entry entry;
    if (flags == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    if (!look_up(hStream, &entry)) return ash_cudart_status(cudaErrorInvalidResourceHandle);
    *flags = entry.flags;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int *priority)
{
    struct stream_entry entry;
    if (priority == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    if (!look_up(hStream, &entry)) return ash_cudart_status(cudaErrorInvalidResourceHandle);
    *priority = entry.priority;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long long *streamId)
{
    struct stream_entry entry;
    if (streamId == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    if (!look_up(hStream, &entry)) return ash_cudart_status(cudaErrorInvalidResourceHandle);
    *streamId = (unsigned long long)(uintptr_t)hStream;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int *device)
{
    struct stream_entry entry;
    if (device == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    if (!look_up(hStream, &entry)) return ash_cudart_status(cudaErrorInvalidResourceHandle);
    *device = entry.device;
    return ash_cudart_status(cudaSuccess);
}

/* The member of an entry that keeps an attribute; NULL for one that streams do not have. */
static void *attribute_of(struct stream_entry *entry, cudaLaunchAttributeID attr,
                          size_t *ret_nbytes)
{
    *ret_nbytes = sizeof(entry->window);
    switch (attr) {
    case cudaLaunchAttributeAccessPolicyWindow: return &entry->window;
    case cudaLaunchAttributeSynchronizationPolicy: return &entry->policy;
    case cudaLaunchAttributePriority:
        *ret_nbytes = sizeof(int);
        return &entry->priority;
    default: return NULL;
    }
}

static cudaError_t attribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                             cudaLaunchAttributeValue *value, bool set)
{
    cudaError_t error = cudaErrorInvalidResourceHandle;
    struct stream_entry *entry;
    void *member;
    size_t nbytes;
    if (value == NULL) return cudaErrorInvalidValue;
    (void)pthread_mutex_lock(&lock);
    entry = find(stream);
    if (entry != NULL) {
        member = attribute_of(entry, attr, &nbytes);
        error = member == NULL ? cudaErrorInvalidValue : cudaSuccess;
        if (member != NULL) memcpy(set ? member : value, set ? (void *)value : member, nbytes);
    }
    (void)pthread_mutex_unlock(&lock);
    return error;
}

cudaError_t cudaStreamGetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr,
                                   cudaLaunchAttributeValue *value_out)
{
    return ash_cudart_status(attribute(hStream, attr, value_out, false));
}

cudaError_t cudaStreamSetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr,
                                   const cudaLaunchAttributeValue *value)
{
    cudaLaunchAttributeValue copy;
    if (value == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    copy = *value;
    return ash_cudart_status(attribute(hStream, attr, &copy, true));
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src)
{
    cudaLaunchAttributeValue value;
    static const cudaLaunchAttributeID all[] = {cudaLaunchAttributeAccessPolicyWindow,
                                                cudaLaunchAttributeSynchronizationPolicy};
    cudaError_t error = cudaSuccess;
    size_t i;
    for (i = 0; i < 2 && error == cudaSuccess; i++) {
        error = attribute(src, all[i], &value, false);
        if (error == cudaSuccess) error = attribute(dst, all[i], &value, true);
    }
    return ash_cudart_status(error);
}
