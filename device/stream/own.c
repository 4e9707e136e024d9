/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stream that belongs to the calling thread, which its end destroys.
 */
#include <pthread.h>

#include "device/stream/stream.h"

static __thread uintptr_t own_handle __attribute__((tls_model("initial-exec")));
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int key_error;

static void own_end(void *handle)
{
    own_handle = 0;
    (void)ash_stream_destroy((cudaStream_t)handle);
}

static void key_make(void) { key_error = pthread_key_create(&key, own_end); }

uintptr_t ash_stream_own(void)
{
    cudaStream_t own;
    if (own_handle != 0) return own_handle;
    (void)pthread_once(&key_once, key_make);
    if (key_error != 0 || ash_stream_create(ASH_STREAM_BLOCKING, &own) != 0) return 0;
    (void)pthread_setspecific(key, own);
    return own_handle = (uintptr_t)own;
}
