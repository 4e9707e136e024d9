/* SPDX-License-Identifier: BSD-3-Clause */
/* The state and functions that the files of the fake share. */
#ifndef TESTS_PRELOAD_FAKE_CUDA_INTERNAL_H
#define TESTS_PRELOAD_FAKE_CUDA_INTERNAL_H

#include <pthread.h>
#include <stdbool.h>

#include "tests/preload/fake_cuda.h"

/* Not exported: these are not functions of the driver. */
#define FAKE_OWN __attribute__((visibility("hidden")))

/* The driver's functions, under this project's names for them. */
#define CUDA(name, symbol, parameters) int fake_##name parameters __asm__(symbol);
#include "lib/cuda/driver.def"
#undef CUDA

enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100,
       INVALID_DEVICE = 101, INVALID_CONTEXT = 201, CONTEXT_IS_DESTROYED = 709,
       INVALID_HANDLE = 400, NOT_FOUND = 500, ILLEGAL_ADDRESS = 700, NOT_REGISTERED = 713,
       ALREADY_REGISTERED = 712, TIMEOUT = 909 };

enum kind { REGISTERED, OWN, STREAM, N_KINDS };

/* A resource that must be released. */
struct thing {
    enum kind kind;
    unsigned char *base;
    size_t nbytes;
    /* For device memory: a second mapping, by which the fake accesses it. */
    unsigned char *alias;
    const void *context;
};

#define THINGS 256
#define DEVICES 8

struct fake {
    pthread_mutex_t mutex;
    bool started;
    int capturing;
    /* As by cudaDeviceReset: all resources of the context are gone. */
    bool was_reset, reset_at_query;
    struct thing things[THINGS];
    /* Primary contexts: an address for each, and how often it is retained. */
    char contexts[DEVICES];
    int kept[DEVICES];
    /* The context was the first of a thread, which may keep it without a release. */
    bool given[DEVICES];
};
extern FAKE_OWN struct fake fake;

/* A number from the environment. */
FAKE_OWN int fake_number(const char *name, int otherwise);
/* The error that this call must return, or 0. */
FAKE_OWN int fake_fails(const char *function);
FAKE_OWN void *fake_current(void);
FAKE_OWN void fake_reset(void);
/* True for a primary context that is not retained. */
FAKE_OWN bool fake_is_destroyed(const void *context);

FAKE_OWN int fake_add(enum kind kind, void *base, size_t nbytes, void *alias);
/* Copy the resource that has this byte; false: there is none. */
FAKE_OWN bool fake_find(enum kind kind, const void *address, struct thing *ret_thing);
FAKE_OWN bool fake_take(enum kind kind, const void *base, struct thing *ret_thing);

/* Each function of the driver begins with one of these. */
#define BEGIN() \
    do { \
        int error_ = fake_fails(__func__); \
        if (error_ != 0) return error_; \
        if (!fake.started) return NOT_INITIALIZED; \
    } while (0)
#define BEGIN_IN_CONTEXT() \
    do { \
        BEGIN(); \
        if (fake_current() == NULL) return INVALID_CONTEXT; \
        if (fake_is_destroyed(fake_current())) return CONTEXT_IS_DESTROYED; \
    } while (0)

#endif
