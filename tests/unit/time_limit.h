/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A time limit: a test that hangs ends the program with a line of TAP; alarm(0) ends the limit.
 */
#ifndef TESTS_UNIT_TIME_LIMIT_H
#define TESTS_UNIT_TIME_LIMIT_H

#include <signal.h>
#include <unistd.h>

#define TIME_LIMIT_S 120u

static inline void on_time_limit(int number)
{
    static const char text[] = "Bail out! a test exceeded its time limit\n";
    ssize_t n = write(STDOUT_FILENO, text, sizeof(text) - 1);
    (void)n;
    (void)number;
    _exit(1);
}

static inline void time_limit_start(void)
{
    (void)signal(SIGALRM, on_time_limit);
    (void)alarm(TIME_LIMIT_S);
}

#endif
