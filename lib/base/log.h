/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Log messages: one line each, written in one piece.
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

/* Write several lines unchanged to standard error; what its reader does not take is lost. */
void ash_log_text(const char *text, size_t nbytes);

/* Was an error logged since this process began? */
bool ash_log_had_error(void);

/* The error that ends the job was logged.  Later errors are its consequences and are not
 * written. */
void ash_log_last_error(void);

/* Set the PE and the number of PEs that messages show; -1 until they are known. */
void ash_log_identify(int pe, int n_pes);

/*
 * Open, and create, a file that a variable names for output, with these flags and O_WRONLY.
 * A FIFO that nobody reads is an error (ENXIO), not a reason to wait.
 */
int ash_output_open(const char *path, int flags);

/* Why that failed. */
const char *ash_output_error(int error);

/*
 * Write messages to this file; in the path %h is the host and %p the process id.
 * Errors go to standard error as well.
 */
void ash_log_to(const char *path);

#endif
