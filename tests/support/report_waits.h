/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The waits of PE 0 in tests/api/report.c, and the calls of PE 1 that end them.
 */
#ifndef TESTS_SUPPORT_REPORT_WAITS_H
#define TESTS_SUPPORT_REPORT_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REPORT_IVARS 12
#define REPORT_BLOCK 8192
/* Part of a report's line for a thread that waits for room in the channel. */
#define REPORT_FULL "which is full"

/* Symmetric. */
extern struct shared {
    int ivar;
    int ivars[REPORT_IVARS];
    uint64_t signal;
    uint64_t counter;
    char block[REPORT_BLOCK];
    /* On PE 1: the number of the case that may go on.  On PE 0: PE 1's process. */
    int go;
    int pid;
} *report_all;

/* Requests that PE 0 has made before it waits.  Written by: its threads, atomically. */
extern uint64_t report_steps;
/* A report has shown PE 0 in the wait. */
extern bool report_seen;

struct report_wait {
    const char *name;
    void (*wait)(void);
    /* NULL: PE 1 is stopped meanwhile. */
    void (*release)(void);
    /* While PE 0 waits, n_signs lines of a report contain `sign`. */
    const char *sign;
    unsigned n_signs;
};
extern const struct report_wait report_waits[];
extern const size_t report_n_waits;

#endif
