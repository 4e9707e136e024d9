/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The resources that a PE uses: a program that runs for long must not use more and more.
 */
#ifndef TESTS_SUPPORT_USAGE_H
#define TESTS_SUPPORT_USAGE_H

#include <stdbool.h>

struct usage {
    /* Anonymous memory in KiB: neither files nor symmetric heaps. */
    long kib;
    int n_fds, n_threads;
};

/* The process as it is now. */
struct usage usage_now(void);

/*
 * Entries in /proc/self/task, or `expected` as soon as they are as many, within 2 s: pthread_join
 * returns shortly before the kernel removes the thread's entry.
 */
int usage_threads(int expected);

/* KiB of memory that this PE's heap has, in which the address is, whoever has made them real; and
 * whether that is all of the heap. */
long usage_heap_kib(const void *address, bool *ret_all);

/* Growth of memory that is allowed without any particular reason. */
#define USAGE_GROWTH_KIB 1024

/* Checks (pe.h) what has grown since: at most growth_kib of memory, no descriptor, no thread. */
void usage_check(const struct usage *before, long growth_kib);

#endif
