/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * anyshmem-info: what this installation is, what it reads, and whether a job
 * would start here.
 *
 * It asks the files of the library that the library itself asks (environment,
 * limits, memory, CUDA's driver, UCX's settings): they are compiled into this
 * program, and what they log comes to log.c.
 */
#ifndef ANYSHMEM_INFO_H
#define ANYSHMEM_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parts of what is shown: option, long option, function, help. */
#define INFO_PARTS(X) \
    X('n', "version", version, "anyshmem, and the libraries that it found at run time") \
    X('b', "build", build, "compiler, configure's arguments, CUDA, versions built against") \
    X('e', "environment", environment, "variables with their values, defaults and meanings") \
    X('l', "launcher", launcher, "launchers that are installed") \
    X('t', "transports", transports, "networks that UCX would use for a job") \
    X('m', "memory", memory, "what bounds the symmetric heap, and other limits") \
    X('g', "gpus", gpus, "GPUs")

#define X(LETTER, NAME, FUNCTION, HELP) void info_##FUNCTION(void);
INFO_PARTS(X)
#undef X
/* NVSHMEM's names that mean nothing here; -e as a table in reStructuredText. */
void info_ignored(void);
void info_rst(void);

/* What a check is made for. */
struct info_job {
    /* PEs of other nodes, so a network is needed. */
    bool several_nodes;
    uint32_t n_pes;
};

/* Where /proc and /sys are looked at: "", or another tree. */
extern const char *info_sysroot;

/* True: nothing would stop such a job. */
bool info_check(const struct info_job *job);

/* log.c: the library's messages belong to the topic at hand. */
void info_topic(const char *topic);
/* End of a topic: if nothing was said of it, that all is well, and why. */
void info_topic_end(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Things said that stop a job. */
unsigned info_stops(void);
/* The variable that the last of them is about: they begin with its name. */
const char *info_bad_variable(void);

/* environment.c: read all variables; those with bad values, each a message, as if unset. */
void info_load(void);

/* The path of a program, as the shell finds it; false: there is none. */
bool info_find_program(const char *name, char *path, size_t nbytes);
/* The launcher that anyshmem-run would take; false: there is none. */
bool info_find_launcher(char *path, size_t nbytes);
/* Is it one of those that are no PMIx launchers? */
bool info_is_foreign(const char *path);

/* The shared library that has this function; "?" if nobody knows. */
void info_library_of(const char *function, char *path, size_t nbytes);

/* Transports of UCX as "tcp/eth0" for a job of this library, separated by '\0', two at the
 * end; to be freed.  NULL: UCX does not start, and *ret_why says why. */
char *info_ucx_transports(const char **ret_why);

/* "1G", "1.5M": for people. */
const char *info_size(uint64_t nbytes, char text[32]);

#endif
