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

/* What may come on top, without any reason of its own. */
#define USAGE_GROWTH_KIB 1024

/* Checks (pe.h) what has grown since: so much memory is allowed, no descriptor, no thread. */
void usage_check(const struct usage *before, long growth_kib);

#endif
