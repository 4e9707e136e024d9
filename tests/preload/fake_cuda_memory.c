/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fake's memory and streams: device memory is a memfd that is mapped twice, inaccessible at
 * the device's address; the work of a stream runs in the call that enqueues it.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "tests/preload/fake_cuda_internal.h"

int fake_host_register(void *memory, size_t nbytes, unsigned flags)
{
    struct thing t;
    BEGIN_IN_CONTEXT();
    if (flags != 3 || (uintptr_t)memory % (uintptr_t)sysconf(_SC_PAGESIZE) != 0)
        return INVALID_VALUE;
    if (fake_find(REGISTERED, memory, &t)) return ALREADY_REGISTERED;
    return fake_add(REGISTERED, memory, nbytes, NULL);
}

int fake_host_unregister(void *memory)
{
    struct thing t;
    BEGIN_IN_CONTEXT();
    return fake_take(REGISTERED, memory, &t) ? 0 : NOT_REGISTERED;
}

int fake_host_address(uint64_t *ret_address, void *memory, unsigned flags)
{
    struct thing t;
    BEGIN_IN_CONTEXT();
    if (flags != 0 || !fake_find(REGISTERED, memory, &t))
        return INVALID_VALUE;
    *ret_address = (uintptr_t)memory + (fake_number("FAKE_CUDA_SHIFT", 0) ? 0x10000 : 0);
    return 0;
}

int fake_pointer_attribute(void *ret_value, int attribute, uint64_t address)
{
    struct thing t;
    BEGIN_IN_CONTEXT();
    if (attribute != 2) return INVALID_VALUE;
    if (fake_find(REGISTERED, (void *)(uintptr_t)address, &t))
        *(unsigned *)ret_value = 1;
    else if (fake_find(OWN, (void *)(uintptr_t)address, &t))
        *(unsigned *)ret_value = 2;
    else
        return INVALID_VALUE;
    return 0;
}

/* Map the same pages twice: an access at the device's address must crash. */
int fake_alloc(uint64_t *ret_address, size_t nbytes)
{
    int fd;
    void *address, *alias;
    BEGIN_IN_CONTEXT();
    fd = memfd_create("fake-device", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)nbytes) != 0) return OUT_OF_MEMORY;
    address = mmap(NULL, nbytes, PROT_NONE, MAP_SHARED, fd, 0);
    alias = mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (address == MAP_FAILED || alias == MAP_FAILED) return OUT_OF_MEMORY;
    memset(alias, 0xa5, nbytes);
    *ret_address = (uintptr_t)address;
    return fake_add(OWN, address, nbytes, alias);
}

int fake_free(uint64_t address)
{
    struct thing t;
    BEGIN_IN_CONTEXT();
    if (!fake_take(OWN, (void *)(uintptr_t)address, &t)) return INVALID_VALUE;
    munmap(t.alias, t.nbytes);
    return munmap(t.base, t.nbytes);
}

/* Streams. */

int fake_stream_create(void **ret_stream, unsigned flags)
{
    void *stream = malloc(1);
    BEGIN_IN_CONTEXT();
    if (flags != 1 || stream == NULL) return INVALID_VALUE;
    *ret_stream = stream;
    return fake_add(STREAM, stream, 1, NULL);
}

/* Streams 0, 1 and 2 exist in each context; any other stream belongs to one context. */
static bool fake_is_stream(const void *stream)
{
    struct thing t;
    return (uintptr_t)stream <= 2 || (fake_find(STREAM, stream, &t) && t.context == fake_current());
}

int fake_stream_destroy(void *stream)
{
    struct thing t;
    BEGIN_IN_CONTEXT();
    if (!fake_take(STREAM, stream, &t)) return INVALID_HANDLE;
    free(stream);
    return 0;
}

int fake_stream_query(void *stream)
{
    BEGIN_IN_CONTEXT();
    if (__atomic_load_n(&fake.reset_at_query, __ATOMIC_ACQUIRE)) fake_reset();
    return fake_is_stream(stream) ? 0 : INVALID_HANDLE;
}

int fake_stream_wait(void *stream)
{
    BEGIN_IN_CONTEXT();
    return fake_is_stream(stream) ? 0 : INVALID_HANDLE;
}

int fake_stream_capturing(void *stream, int *ret_status)
{
    BEGIN_IN_CONTEXT();
    *ret_status = fake.capturing;
    return fake_is_stream(stream) ? 0 : INVALID_HANDLE;
}

/* Where the CPU can access the bytes at an address; NULL: they leave the allocation. */
static void *reach(uint64_t address, size_t nbytes)
{
    void *p = (void *)(uintptr_t)address;
    struct thing t;
    if (!fake_find(OWN, p, &t)) return p;
    if (address - (uintptr_t)t.base + nbytes > t.nbytes) return NULL;
    return t.alias + (address - (uintptr_t)t.base);
}

int fake_copy(uint64_t to, uint64_t from, size_t nbytes, void *stream)
{
    void *target = reach(to, nbytes), *source = reach(from, nbytes);
    struct thing t;
    BEGIN_IN_CONTEXT();
    if (!fake_is_stream(stream)) return INVALID_HANDLE;
    if (target == NULL || source == NULL) return INVALID_VALUE;
    /* The real driver waits for the stream in such a call, so the library must not make it. */
    if (fake_find(REGISTERED, target, &t) && fake_find(REGISTERED, source, &t)) return TIMEOUT;
    memcpy(target, source, nbytes);
    return 0;
}

int fake_host_function(void *stream, void (*run)(void *arg), void *arg)
{
    BEGIN_IN_CONTEXT();
    if (!fake_is_stream(stream)) return INVALID_HANDLE;
    run(arg);
    return 0;
}

int fake_copy_to(uint64_t to, const void *from, size_t nbytes, void *stream)
{
    BEGIN();
    return fake_copy(to, (uintptr_t)from, nbytes, stream);
}

int fake_copy_from(void *to, uint64_t from, size_t nbytes, void *stream)
{
    BEGIN();
    return fake_copy((uintptr_t)to, from, nbytes, stream);
}

static int wait_value(void *stream, uint64_t address, uint64_t value, unsigned width,
                      unsigned flags)
{
    const struct timespec moment = {0, 100000};
    struct thing t;
    if (!fake_is_stream(stream)) return INVALID_HANDLE;
    if (flags != 1 || address % width != 0) return INVALID_VALUE;
    if (!fake_find(REGISTERED, (void *)(uintptr_t)address, &t)) return INVALID_VALUE;
    for (int i = 0; i < 100000; i++) {
        uint64_t now = width == 4
                           ? __atomic_load_n((uint32_t *)(uintptr_t)address, __ATOMIC_ACQUIRE)
                           : __atomic_load_n((uint64_t *)(uintptr_t)address, __ATOMIC_ACQUIRE);
        if (now == value) return 0;
        nanosleep(&moment, NULL);
    }
    return TIMEOUT;
}

int fake_wait_value32(void *stream, uint64_t address, uint32_t value, unsigned flags)
{
    BEGIN_IN_CONTEXT();
    return wait_value(stream, address, value, 4, flags);
}

int fake_wait_value64(void *stream, uint64_t address, uint64_t value, unsigned flags)
{
    BEGIN_IN_CONTEXT();
    return wait_value(stream, address, value, 8, flags);
}
