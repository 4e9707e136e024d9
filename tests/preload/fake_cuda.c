/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A CUDA driver without a GPU, for tests that set ANYSHMEM_TEST_CUDA_DRIVER to this library.
 *
 * Host memory is ordinary memory; device memory is accessible only by copies, so that a
 * program that follows a device address on the CPU crashes.  Streams execute their work
 * at once.  Calls fail as with the real driver: without a context, for memory that is not
 * registered, for resources that were released.
 *
 * FAKE_CUDA_DEVICES  number of devices [1]
 * FAKE_CUDA_VERSION  the driver's version [12040]
 * FAKE_CUDA_FAIL     NAME:ERROR[:N]: function NAME (of lib/cuda/driver.def) fails
 *                    from its N-th call on [1]
 * FAKE_CUDA_SHIFT    1: the device sees host memory at another address
 * FAKE_CUDA_REPORT   1: print at the end what was not released, or that nothing is left
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/preload/fake_cuda_internal.h"

struct fake fake = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static const char *const kind_names[N_KINDS] = {"registered", "device", "stream"};

/* This thread's stack of contexts; the last one is current. */
static __thread void *stack[16];
static __thread int depth;
static __thread int mode;

int fake_number(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? atoi(text) : otherwise;
}

/* The function that fails, its error, and from which call on.  Read once, because the
 * program changes the environment while other threads call the fake.  Read and written
 * under the mutex. */
static struct failure {
    char name[64];
    int error, first, calls;
} failure;

void fake_cuda_fail(const char *text)
{
    struct failure read = {.first = 1};
    if (text == NULL || sscanf(text, "%63[^:]:%d:%d", read.name, &read.error, &read.first) < 2)
        read.error = 0;
    pthread_mutex_lock(&fake.mutex);
    failure = read;
    pthread_mutex_unlock(&fake.mutex);
}

__attribute__((constructor)) static void read_failure(void)
{
    fake_cuda_fail(getenv("FAKE_CUDA_FAIL"));
}

int fake_fails(const char *function)
{
    int error = 0;
    pthread_mutex_lock(&fake.mutex);
    if (strcmp(function + strlen("fake_"), failure.name) == 0 && ++failure.calls >= failure.first)
        error = failure.error;
    pthread_mutex_unlock(&fake.mutex);
    return error;
}

void *fake_current(void)
{
    return depth > 0 ? stack[depth - 1] : NULL;
}

bool fake_is_destroyed(const void *context)
{
    for (int i = 0; i < DEVICES; i++)
        if (context == &fake.contexts[i]) return fake.kept[i] == 0;
    return false;
}

int fake_add(enum kind kind, void *base, size_t nbytes, void *alias)
{
    int rc = OUT_OF_MEMORY;
    pthread_mutex_lock(&fake.mutex);
    for (int i = 0; i < THINGS && rc != 0; i++) {
        if (fake.things[i].base != NULL) continue;
        fake.things[i] = (struct thing){kind, base, nbytes, alias, fake_current()};
        rc = 0;
    }
    pthread_mutex_unlock(&fake.mutex);
    return rc;
}

bool fake_find(enum kind kind, const void *address, struct thing *ret_thing)
{
    bool found = false;
    pthread_mutex_lock(&fake.mutex);
    for (int i = 0; i < THINGS && !found; i++) {
        const struct thing *t = &fake.things[i];
        if (t->base == NULL || t->kind != kind) continue;
        found = (uintptr_t)address - (uintptr_t)t->base < t->nbytes;
        if (found) *ret_thing = *t;
    }
    pthread_mutex_unlock(&fake.mutex);
    return found;
}

bool fake_take(enum kind kind, const void *base, struct thing *ret_thing)
{
    bool found = false;
    pthread_mutex_lock(&fake.mutex);
    for (int i = 0; i < THINGS && !found; i++) {
        found = fake.things[i].base == base && base != NULL && fake.things[i].kind == kind;
        if (!found) continue;
        *ret_thing = fake.things[i];
        fake.things[i].base = NULL;
    }
    pthread_mutex_unlock(&fake.mutex);
    return found;
}

/* Start, devices, contexts. */

int fake_init(unsigned flags)
{
    int error = fake_fails(__func__);
    (void)flags;
    if (error != 0) return error;
    if (fake_number("FAKE_CUDA_DEVICES", 1) == 0) return NO_DEVICE;
    fake.started = true;
    return 0;
}

int fake_driver_version(int *ret_version)
{
    *ret_version = fake_number("FAKE_CUDA_VERSION", 12040);
    return fake_fails(__func__);
}

int fake_error_name(int error, const char **ret_name)
{
    *ret_name = error == OUT_OF_MEMORY     ? "CUDA_ERROR_OUT_OF_MEMORY"
                : error == ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                           : "CUDA_ERROR_FAKE";
    return 0;
}

int fake_error_string(int error, const char **ret_text)
{
    (void)error;
    *ret_text = "the fake was told to";
    return 0;
}

int fake_device_count(int *ret_count)
{
    BEGIN();
    *ret_count = fake_number("FAKE_CUDA_DEVICES", 1);
    return 0;
}

int fake_device_get(int *ret_device, int device)
{
    BEGIN();
    if (device < 0 || device >= fake_number("FAKE_CUDA_DEVICES", 1)) return INVALID_DEVICE;
    *ret_device = device;
    return 0;
}

int fake_device_name(char *ret_name, int nbytes, int device)
{
    BEGIN();
    snprintf(ret_name, (size_t)nbytes, "fake %d", device);
    return 0;
}

int fake_device_attribute(int *ret_value, int attribute, int device)
{
    BEGIN();
    (void)device;
    *ret_value = attribute == 122;
    return 0;
}

int fake_primary_retain(void **ret_context, int device)
{
    BEGIN();
    if (device < 0 || device >= DEVICES) return INVALID_DEVICE;
    __atomic_add_fetch(&fake.kept[device], 1, __ATOMIC_RELAXED);
    *ret_context = &fake.contexts[device];
    return 0;
}

int fake_primary_release(int device)
{
    BEGIN();
    return __atomic_sub_fetch(&fake.kept[device], 1, __ATOMIC_RELAXED) < 0 ? INVALID_CONTEXT : 0;
}

int fake_primary_state(int device, unsigned *ret_flags, int *ret_active)
{
    BEGIN();
    *ret_flags = 0;
    *ret_active = fake.kept[device] > 0 && !__atomic_load_n(&fake.was_reset, __ATOMIC_RELAXED);
    return 0;
}

int fake_context_current(void **ret_context)
{
    BEGIN();
    *ret_context = fake_current();
    return 0;
}

int fake_context_set(void *context)
{
    BEGIN();
    for (int i = 0; i < DEVICES; i++)
        if (depth == 0 && context == &fake.contexts[i]) fake.given[i] = true;
    if (depth == 0) depth = 1;
    stack[depth - 1] = context;
    return 0;
}

int fake_context_push(void *context)
{
    BEGIN();
    if (context == NULL || depth == 16) return INVALID_CONTEXT;
    stack[depth++] = context;
    return 0;
}

int fake_context_pop(void **ret_context)
{
    BEGIN_IN_CONTEXT();
    *ret_context = stack[--depth];
    return 0;
}

int fake_context_device(int *ret_device)
{
    BEGIN_IN_CONTEXT();
    *ret_device = (int)((char *)fake_current() - fake.contexts);
    return 0;
}

int fake_context_wait(void)
{
    BEGIN_IN_CONTEXT();
    return 0;
}

int fake_capture_mode(int *io_mode)
{
    int old = mode;
    BEGIN();
    mode = *io_mode;
    *io_mode = old;
    return 0;
}

/* Modules. */

static int global(uint64_t *ret_address, size_t *ret_nbytes, const void *handle, const char *name)
{
    const struct fake_cuda_module *m = handle;
    if (m->address == 0 || strcmp(name, "ash_device_state") != 0) return NOT_FOUND;
    *ret_address = m->address;
    *ret_nbytes = m->nbytes;
    return 0;
}

int fake_module_global(uint64_t *ret_address, size_t *ret_nbytes, void *module, const char *name)
{
    BEGIN_IN_CONTEXT();
    return global(ret_address, ret_nbytes, module, name);
}

int fake_library_global(uint64_t *ret_address, size_t *ret_nbytes, void *library, const char *name)
{
    BEGIN_IN_CONTEXT();
    return global(ret_address, ret_nbytes, library, name);
}

/* For tests. */

void fake_cuda_capture(int capturing)
{
    fake.capturing = capturing;
}

void fake_reset(void)
{
    pthread_mutex_lock(&fake.mutex);
    memset(fake.things, 0, sizeof(fake.things));
    __atomic_store_n(&fake.was_reset, true, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&fake.mutex);
}

void fake_cuda_reset(int at_next_query)
{
    if (at_next_query)
        __atomic_store_n(&fake.reset_at_query, true, __ATOMIC_RELEASE);
    else
        fake_reset();
}

int fake_cuda_left(void)
{
    int left = depth > 1 ? depth - 1 : 0;
    for (int i = 0; i < THINGS; i++) {
        if (fake.things[i].base == NULL) continue;
        fprintf(stderr, "fake_cuda: left: %s, %zu bytes\n", kind_names[fake.things[i].kind],
                fake.things[i].nbytes);
        left++;
    }
    for (int i = 0; i < DEVICES; i++) left += abs(fake.kept[i] - fake.given[i]);
    return left + (mode != 0);
}

__attribute__((destructor)) static void report(void)
{
    int left;
    if (!fake_number("FAKE_CUDA_REPORT", 0) || !fake.started) return;
    left = fake_cuda_left();
    if (left == 0)
        fprintf(stderr, "fake_cuda: nothing is left\n");
    else
        fprintf(stderr, "fake_cuda: %d are left\n", left);
}
