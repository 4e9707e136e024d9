/* SPDX-License-Identifier: BSD-3-Clause */
/* What anyshmem-perf, contrib/compare-peers and tests/perf measure with; needs POSIX alone. */
#ifndef PERF_CORE_H
#define PERF_CORE_H

#include <sched.h>
#include <stdlib.h>
#include <time.h>

static inline double now_ns(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static inline int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void sort_by_value(double *values, size_t n)
{
    qsort(values, n, sizeof(*values), by_value);
}

/* Pauses between two polls of a word; yields the CPU now and then, as the library does. */
static inline void relax(unsigned *turns)
{
    if (++*turns % 200 == 0) sched_yield();
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

#endif
