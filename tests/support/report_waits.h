/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What PE 0 waits for in tests/api/report.c, and what PE 1 does for it.
 */
#ifndef TESTS_SUPPORT_REPORT_WAITS_H
#define TESTS_SUPPORT_REPORT_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REPORT_IVARS 12
#define REPORT_BLOCK 4096
/* What a report says of a thread that waits for room. */
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

/* What PE 0 has done on its way to where it waits. */
extern uint64_t report_steps;
/* A report has shown it there. */
extern bool report_seen;

struct report_wait {
    const char *name;
    void (*wait)(void);
    /* NULL: PE 1 is stopped meanwhile. */
    void (*release)(void);
    /* So many lines of a report have this in them when PE 0 is there. */
    const char *sign;
    unsigned n_signs;
};
extern const struct report_wait report_waits[];
extern const size_t report_n_waits;

#endif
