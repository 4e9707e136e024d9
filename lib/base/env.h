/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The environment variables, which are declared, parsed and printed from one list, env.def.
 */
#ifndef ASH_LIB_BASE_ENV_H
#define ASH_LIB_BASE_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "device/hostdev/hostdev.h"

/* Values of ANYSHMEM_DISABLE_DIRECT, _REMOTE and _DEVICE, in env.def's order. */
enum { ASH_DIRECT_ON, ASH_DIRECT_SELF, ASH_DIRECT_OFF };
enum { ASH_STATIC_OFF, ASH_STATIC_ON, ASH_STATIC_AUTO };
enum { ASH_BARRIER_AUTO, ASH_BARRIER_IN_ROUNDS, ASH_BARRIER_GATHERED };
enum { ASH_REMOTE_RMA, ASH_REMOTE_AM };
enum { ASH_DEVICE_CPU, ASH_DEVICE_CUDA, ASH_DEVICE_AUTO };
enum { ASH_DEBUG_VERSION, ASH_DEBUG_WARN, ASH_DEBUG_INFO, ASH_DEBUG_ABORT, ASH_DEBUG_TRACE };

#define ASH_ENV_TYPE_BOOL int64_t
#define ASH_ENV_TYPE_INT int64_t
#define ASH_ENV_TYPE_SIZE uint64_t
#define ASH_ENV_TYPE_STRING const char *
#define ASH_ENV_TYPE_CHOICE int64_t

struct ash_env {
#define ENV(field, kind, name, otherwise, accepted, help) ASH_ENV_TYPE_##kind field;
#define TEST_SETTING(field, kind, name, otherwise, accepted) ASH_ENV_TYPE_##kind field;
#include "lib/base/env.def"
#undef TEST_SETTING
#undef ENV
};
extern struct ash_env ash_env;

/* The program is one of OpenSHMEM's, whose names for variables count as well.  Written before
 * ash_env_load. */
extern bool ash_env_openshmem;

/* The value of a variable; NULL if it is not set, or empty, which is the same. */
const char *ash_env_get(const char *name);

/*
 * Read all variables.  0, or an error for an invalid value; the logged line names the
 * variable, the value and what is accepted.  An error as well in a program with other
 * rights than its user's, which reads none.  The first PE of a job warns about each
 * unknown name, with the nearest known one.
 */
int ash_env_load(void);

/* Read those of the host device alone, for kernels before nvshmem_init. */
int ash_env_load_hostdev(void);

/* The settings of a CUDA program on CPUs, before nvshmem_init as well.  An invalid one ends the
 * program. */
struct ash_env_cuda {
    int devices;
    bool check;
};
ASH_PRIVATE struct ash_env_cuda ash_env_cuda(void);

/* One line for each variable: NAME=value  # default, help. */
void ash_env_print(FILE *to);

/* The value alone of variable i, in env.def's order. */
void ash_env_print_value(size_t i, FILE *to);

/* "NAME=value" for the variable that is stored at this address in ash_env, and any value. */
void ash_env_text(const void *variable, uint64_t value, char *text, size_t nbytes);

/* Is the text this word of `length` ASCII letters?  Ignores case, in any locale. */
bool ash_word_is(const char *text, const char *word, size_t length);

/* Parse "512", "1.5G" or "64k" as bytes.  False if it is no size, or too large. */
bool ash_size_parse(const char *text, uint64_t *ret_size);

#endif
