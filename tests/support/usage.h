/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a PE uses: a program that goes on for long must not use more and more.
 */
#ifndef TESTS_SUPPORT_USAGE_H
#define TESTS_SUPPORT_USAGE_H

struct usage {
    /* Memory of its own, in KiB: neither files nor symmetric heaps. */
    long kib;
    int n_fds, n_threads;
};

/* The process as it is now. */
struct usage usage_now(void);

/* Checks (pe.h) that nothing has grown since: 1 MiB is allowed, no descriptor, no thread. */
void usage_check(const struct usage *before);

#endif
