/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages: one line each, written in one piece.
 *
 *   anyshmem: PE 3/8 on node7: warn: text
 */
#ifndef ASH_LIB_BASE_LOG_H
#define ASH_LIB_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

enum ash_level { ASH_LOG_ERROR, ASH_LOG_WARN, ASH_LOG_INFO, ASH_LOG_DEBUG, ASH_LOG_TRACE };

/* Messages above this level are not written. */
extern enum ash_level ash_log_level;

#define ash_log(level, ...) \
    do { \
        if ((level) <= ash_log_level) ash_log_write((level), __VA_ARGS__); \
    } while (0)

void ash_log_write(enum ash_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Several lines as they are, on standard error; what its reader does not take is lost. */
void ash_log_text(const char *text, size_t nbytes);

/* Whether an error was logged, in the lifetime of this process. */
bool ash_log_had_error(void);

/* Why the job ends was said.  From here on errors are what comes of that: none is written. */
void ash_log_last_error(void);

/* Who writes, once that is known; -1 where it is not. */
void ash_log_identify(int pe, int n_pes);

/*
 * Where messages go: a path, with %h for the host and %p for the process.
 * Errors go to standard error as well.
 */
void ash_log_to(const char *path);

#endif
