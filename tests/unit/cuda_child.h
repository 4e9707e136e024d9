/* SPDX-License-Identifier: BSD-3-Clause */
/* A job that ends is a process of its own: what it says, and its status. */
#ifndef ASH_TESTS_UNIT_CUDA_CHILD_H
#define ASH_TESTS_UNIT_CUDA_CHILD_H

#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/cuda.h"

/* Long enough on a slow machine. */
#define SECONDS 30u

/* Run `body` in a child; what it wrote to stderr, and its exit status. */
static inline const char *end_of(void (*body)(void), int *ret_status)
{
    static char text[8192];
    size_t n = 0;
    ssize_t got;
    int fds[2], status = 0;
    pid_t child;
    assert_int_equal(pipe(fds), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(SECONDS);
        dup2(fds[1], STDERR_FILENO);
        close(fds[0]);
        close(fds[1]);
        body();
        _exit(99);
    }
    close(fds[1]);
    while ((got = read(fds[0], text + n, sizeof(text) - 1 - n)) > 0) n += (size_t)got;
    text[n] = '\0';
    close(fds[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    *ret_status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return text;
}

#endif
