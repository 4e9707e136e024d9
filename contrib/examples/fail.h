/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the examples end a job that cannot go on.
 */
#ifndef EXAMPLES_FAIL_H
#define EXAMPLES_FAIL_H

#include <nvshmem.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the whole job with one line, from any PE, after nvshmem_init. */
static inline void __attribute__((noreturn, format(printf, 2, 3)))
fail(const char *program, const char *format, ...)
{
    va_list arguments;
    char line[512];

    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: PE %d: %s\n", program, nvshmem_my_pe(), line);
    nvshmem_global_exit(EXIT_FAILURE);
    exit(EXIT_FAILURE);
}

#endif
