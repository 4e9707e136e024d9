/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's driver without a GPU, for tests: what ANYSHMEM_CUDA_DRIVER names.
 *
 * Memory of the host is the host's; memory of a device cannot be touched but by
 * copies, so that who follows its addresses on the CPU crashes.  Streams do what
 * they are told at once.  Calls are refused as the driver refuses them: without
 * a context, for memory that is not registered, for what was given back.
 *
 * FAKE_CUDA_DEVICES  number of devices [1]
 * FAKE_CUDA_VERSION  the driver's [12040]
 * FAKE_CUDA_FAIL     NAME:ERROR[:N]: function NAME (of lib/cuda_driver.def) fails
 *                    from its N-th call on [1]
 * FAKE_CUDA_SHIFT    1: the device sees memory of the host elsewhere
 * FAKE_CUDA_REPORT   1: say at the end what was not given back, or that nothing is
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "tests/preload/fake_cuda.h"

#define CUDA(name, symbol, parameters) int fake_##name parameters __asm__(symbol);
#include "lib/cuda_driver.def"
#undef CUDA

enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100,
       INVALID_DEVICE = 101, INVALID_CONTEXT = 201, INVALID_HANDLE = 400, NOT_FOUND = 500,
       ILLEGAL_ADDRESS = 700, NOT_REGISTERED = 713, ALREADY_REGISTERED = 712, TIMEOUT = 909 };

enum kind { REGISTERED, OWN, STREAM, N_KINDS };
static const char *const kind_names[N_KINDS] = {"registered", "device", "stream"};

/* Something that was made and must be given back. */
struct thing {
    enum kind kind;
    unsigned char *base;
    size_t nbytes;
    /* Of device memory: where the fake reaches it. */
    unsigned char *alias;
    const void *context;
};

#define THINGS 256
#define DEVICES 8

static struct {
    pthread_mutex_t mutex;
    bool started;
    int capturing;
    /* As by cudaDeviceReset: whatever is left in the context is gone. */
    bool was_reset;
    struct thing things[THINGS];
    /* Primary contexts: an address for each, and how often it is kept. */
    char contexts[DEVICES];
    int kept[DEVICES];
} fake = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Contexts of this thread, the last one is current. */
static __thread void *stack[16];
static __thread int depth;
static __thread int mode;

static int number(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? atoi(text) : otherwise;
}

/* The error that this call is to return, or 0. */
static int told_to_fail(const char *function)
{
    static int calls;
    const char *text = getenv("FAKE_CUDA_FAIL");
    char name[64];
    int error, first = 1;
    if (text == NULL || sscanf(text, "%63[^:]:%d:%d", name, &error, &first) < 2) return 0;
    if (strcmp(function + strlen("fake_"), name) != 0) return 0;
    return __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) >= first ? error : 0;
}

static void *current(void)
{
    return depth > 0 ? stack[depth - 1] : NULL;
}

#define BEGIN() \
    do { \
        int error_ = told_to_fail(__func__); \
        if (error_ != 0) return error_; \
        if (!fake.started) return NOT_INITIALIZED; \
    } while (0)
#define BEGIN_IN_CONTEXT() \
    do { \
        BEGIN(); \
        if (current() == NULL) return INVALID_CONTEXT; \
    } while (0)

static int add(enum kind kind, void *base, size_t nbytes, void *alias)
{
    int rc = OUT_OF_MEMORY;
    pthread_mutex_lock(&fake.mutex);
    for (int i = 0; i < THINGS && rc != 0; i++) {
        if (fake.things[i].base != NULL) continue;
        fake.things[i] = (struct thing){kind, base, nbytes, alias, current()};
        rc = 0;
    }
    pthread_mutex_unlock(&fake.mutex);
    return rc;
}

/* The thing that has this byte, copied; false: there is none. */
static bool find(enum kind kind, const void *address, struct thing *ret_thing)
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

static bool take_out(enum kind kind, const void *base, struct thing *ret_thing)
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
    int error = told_to_fail(__func__);
    (void)flags;
    if (error != 0) return error;
    if (number("FAKE_CUDA_DEVICES", 1) == 0) return NO_DEVICE;
    fake.started = true;
    return 0;
}

int fake_driver_version(int *ret_version)
{
    *ret_version = number("FAKE_CUDA_VERSION", 12040);
    return told_to_fail(__func__);
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
    *ret_count = number("FAKE_CUDA_DEVICES", 1);
    return 0;
}

int fake_device_get(int *ret_device, int device)
{
    BEGIN();
    if (device < 0 || device >= number("FAKE_CUDA_DEVICES", 1)) return INVALID_DEVICE;
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
    *ret_active = fake.kept[device] > 0 && !fake.was_reset;
    return 0;
}

int fake_context_current(void **ret_context)
{
    BEGIN();
    *ret_context = current();
    return 0;
}

int fake_context_set(void *context)
{
    BEGIN();
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
    *ret_device = (int)((char *)current() - fake.contexts);
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

/* Memory. */

int fake_host_register(void *memory, size_t nbytes, unsigned flags)
{
    struct thing t;
    BEGIN_IN_CONTEXT();
    if (flags != 3 || (uintptr_t)memory % (uintptr_t)sysconf(_SC_PAGESIZE) != 0)
        return INVALID_VALUE;
    if (find(REGISTERED, memory, &t)) return ALREADY_REGISTERED;
    return add(REGISTERED, memory, nbytes, NULL);
}

int fake_host_unregister(void *memory)
{
    struct thing t;
    BEGIN_IN_CONTEXT();
    return take_out(REGISTERED, memory, &t) ? 0 : NOT_REGISTERED;
}

int fake_host_address(uint64_t *ret_address, void *memory, unsigned flags)
{
    struct thing t;
    BEGIN_IN_CONTEXT();
    if (flags != 0 || !find(REGISTERED, memory, &t))
        return INVALID_VALUE;
    *ret_address = (uintptr_t)memory + (number("FAKE_CUDA_SHIFT", 0) ? 0x10000 : 0);
    return 0;
}

/* The same pages twice: where the device's address is, nobody may look. */
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
    return add(OWN, address, nbytes, alias);
}

int fake_free(uint64_t address)
{
    struct thing t;
    BEGIN_IN_CONTEXT();
    if (!take_out(OWN, (void *)(uintptr_t)address, &t)) return INVALID_VALUE;
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
    return add(STREAM, stream, 1, NULL);
}

/* Streams 0, 1 and 2 are there in each context; others belong to one. */
static bool is_stream(const void *stream)
{
    struct thing t;
    return (uintptr_t)stream <= 2 || (find(STREAM, stream, &t) && t.context == current());
}

int fake_stream_destroy(void *stream)
{
    struct thing t;
    BEGIN_IN_CONTEXT();
    if (!take_out(STREAM, stream, &t)) return INVALID_HANDLE;
    free(stream);
    return 0;
}

int fake_stream_query(void *stream)
{
    BEGIN_IN_CONTEXT();
    return is_stream(stream) ? 0 : INVALID_HANDLE;
}

int fake_stream_wait(void *stream)
{
    BEGIN_IN_CONTEXT();
    return is_stream(stream) ? 0 : INVALID_HANDLE;
}

int fake_stream_capturing(void *stream, int *ret_status)
{
    BEGIN_IN_CONTEXT();
    *ret_status = fake.capturing;
    return is_stream(stream) ? 0 : INVALID_HANDLE;
}

/* Where the bytes of an address are for the CPU. */
static void *reach(uint64_t address, size_t nbytes)
{
    void *p = (void *)(uintptr_t)address;
    struct thing t;
    if (!find(OWN, p, &t)) return p;
    if (address - (uintptr_t)t.base + nbytes > t.nbytes) return NULL;
    return t.alias + (address - (uintptr_t)t.base);
}

int fake_copy(uint64_t to, uint64_t from, size_t nbytes, void *stream)
{
    void *target = reach(to, nbytes), *source = reach(from, nbytes);
    BEGIN_IN_CONTEXT();
    if (!is_stream(stream)) return INVALID_HANDLE;
    if (target == NULL || source == NULL) return INVALID_VALUE;
    memcpy(target, source, nbytes);
    return 0;
}

int fake_host_function(void *stream, void (*run)(void *arg), void *arg)
{
    BEGIN_IN_CONTEXT();
    if (!is_stream(stream)) return INVALID_HANDLE;
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
    if (!is_stream(stream)) return INVALID_HANDLE;
    if (flags != 1 || address % width != 0) return INVALID_VALUE;
    if (!find(REGISTERED, (void *)(uintptr_t)address, &t)) return INVALID_VALUE;
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

void fake_cuda_reset(void)
{
    pthread_mutex_lock(&fake.mutex);
    memset(fake.things, 0, sizeof(fake.things));
    fake.was_reset = true;
    pthread_mutex_unlock(&fake.mutex);
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
    for (int i = 0; i < DEVICES; i++) left += fake.kept[i];
    return left + (mode != 0);
}

__attribute__((destructor)) static void report(void)
{
    int left;
    if (!number("FAKE_CUDA_REPORT", 0) || !fake.started) return;
    left = fake_cuda_left();
    if (left == 0)
        fprintf(stderr, "fake_cuda: nothing is left\n");
    else
        fprintf(stderr, "fake_cuda: %d are left\n", left);
}
