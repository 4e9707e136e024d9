/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs code that ends its process in a child, and returns the child's messages and status. */
#ifndef TESTS_UNIT_CHILD_H
#define TESTS_UNIT_CHILD_H

#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/others.h"
#include "tests/unit/unit.h"

/* The status of a child whose body returned. */
#define CHILD_RETURNED 99

/* A test for one row of a table. */
static inline struct CMUnitTest case_test(const char *name, CMUnitTestFunction run,
                                          const void *what)
{
    return (struct CMUnitTest){
        .name = name, .test_func = run, .initial_state = (void *)(uintptr_t)what};
}

/* Run body(what) in a child; returns its standard error, cut to nbytes, and waitpid's status. */
static inline void run_child(void (*body)(const void *what), const void *what, char *ret_text,
                             size_t nbytes, int *ret_status)
{
    size_t used = 0;
    ssize_t got;
    int fds[2];
    pid_t child;
    let_others_end();
    assert_int_equal(pipe(fds), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(fds[1], STDERR_FILENO);
        close(fds[0]);
        close(fds[1]);
        body(what);
        _exit(CHILD_RETURNED);
    }
    close(fds[1]);
    while (used < nbytes - 1 && (got = read(fds[0], ret_text + used, nbytes - 1 - used)) > 0)
        used += (size_t)got;
    ret_text[used] = '\0';
    close(fds[0]);
    assert_int_equal(waitpid(child, ret_status, 0), child);
}

#endif
