/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * anyshmem-info: what this installation is, what it reads, and whether a job
 * would start here.
 *
 * It runs the library's own code for environment, limits, memory, CUDA's driver
 * and UCX's settings: those files are compiled into this program, and log.c
 * receives their messages.
 */
#ifndef ANYSHMEM_INFO_H
#define ANYSHMEM_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The parts of the output: option, long option, function, whether it is a list, help. */
#define INFO_PARTS(X) \
    X('n', "version", version, false, "anyshmem, and the libraries that it found at run time") \
    X('b', "build", build, false, "compiler, configure's arguments, CUDA, versions built against") \
    X('e', "environment", environment, true, "variables with their values, defaults and meanings") \
    X('l', "launcher", launcher, false, "launchers that are installed") \
    X('t', "transports", transports, true, "networks that UCX would use for a job") \
    X('m', "memory", memory, false, "what bounds the symmetric heap, and other limits") \
    X('g', "gpus", gpus, true, "GPUs")

#define X(LETTER, NAME, FUNCTION, IS_LIST, HELP) void info_##FUNCTION(void);
INFO_PARTS(X)
#undef X
/* output.c: rows of a part.  With --json each part is a member of one object: an object of rows, or
 * a list.  False: it could not be begun, or written. */
bool info_json_begin(void);
bool info_json_end(void);
bool info_is_json(void);
void info_part_begin(const char *name, bool is_list);
void info_part_end(bool is_list);
/* A row: its key and its text. */
void info_row(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* One with a number, which people read as `text` with `help` beside it. */
#define INFO_UNLIMITED UINT64_MAX
void info_number(const char *key, uint64_t value, const char *text, const char *help);
/* One whose value is absent, of which people read `text`. */
void info_absent(const char *key, const char *text);
/* A line of a check. */
void info_finding(const char *level, const char *topic, const char *text);
/* An element of a list, which people read as a row, or as a line of its own where key is NULL. */
void info_item(const char *key, const char *text);
/* Only with --json: an element that is an object. */
struct info_member {
    const char *key, *text;
};
void info_object(const struct info_member *members, size_t n);

/* Prints NVSHMEM's variables that have no effect here; the variables as reStructuredText. */
void info_ignored(void);
void info_rst(void);

/* The job that is checked. */
struct info_job {
    /* The job has PEs on other nodes, so it needs a network. */
    bool several_nodes;
    uint32_t n_pes;
};

/* Prefix of /proc and /sys: "", or the root of another tree. */
extern const char *info_sysroot;

/* True: nothing would stop such a job. */
bool info_check(const struct info_job *job);

/* log.c: begins a topic; the library's messages are printed as lines of it. */
void info_topic(const char *topic);
/* Ends a topic; if it has no line yet, prints "ok" and the reason. */
void info_topic_end(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Number of messages that would stop a job. */
unsigned info_stops(void);
/* The variable of the last of these messages: its name comes first, or after "invalid value". */
const char *info_bad_variable(void);

/* environment.c: reads all variables; reports each bad value, and treats it as unset. */
void info_load(void);

/* The path of a program, as the shell finds it; false if there is none. */
bool info_find_program(const char *name, char *path, size_t nbytes);
/* The launcher that anyshmem-run would choose; false if there is none. */
bool info_find_launcher(char *path, size_t nbytes);
/* Is it MPICH's launcher, which has no PMIx? */
bool info_is_foreign(const char *path);

/* The path of the shared library that defines this function; "?" if unknown. */
void info_library_of(const char *function, char *path, size_t nbytes);

/* Transports of UCX for a job of this library, as "tcp/eth0": strings that end with '\0', and
 * an empty one at the end; the caller frees them.  NULL if UCX does not start, with the reason
 * in *ret_why. */
char *info_ucx_transports(const char **ret_why);

/* Formats a size for people, as "1G" or "1.5M"; returns text. */
const char *info_size(uint64_t nbytes, char text[32]);

#endif
