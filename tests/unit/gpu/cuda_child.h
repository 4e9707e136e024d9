/* SPDX-License-Identifier: BSD-3-Clause */
/* A job that ends is a process of its own: what it says, and its status. */
#ifndef TESTS_UNIT_GPU_CUDA_CHILD_H
#define TESTS_UNIT_GPU_CUDA_CHILD_H

#include "tests/unit/child.h"
#include "tests/unit/gpu/cuda.h"

/* Long enough on a slow machine. */
#define SECONDS 30u

struct ending {
    void (*body)(void);
};

static inline void run_ending(const void *ending)
{
    alarm(SECONDS);
    ((const struct ending *)ending)->body();
}

/* These jobs have no launcher, and are told so: a line to cut out. */
static inline void cut_no_launcher(char *text)
{
    char *said = strstr(text, "started without a launcher"), *end;
    if (said == NULL) return;
    end = strchr(said, '\n');
    while (said > text && said[-1] != '\n') said--;
    if (end != NULL) memmove(said, end + 1, strlen(end + 1) + 1);
}

/* Run `body` in a child; what it wrote to stderr, and its exit status. */
static inline const char *end_of(void (*body)(void), int *ret_status)
{
    static char text[8192];
    const struct ending ending = {body};
    int status = 0;
    run_child(run_ending, &ending, text, sizeof(text), &status);
    cut_no_launcher(text);
    *ret_status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return text;
}

#endif
