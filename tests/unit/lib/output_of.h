/* SPDX-License-Identifier: BSD-3-Clause */
/* What a child writes to standard error, which must end in time and with a given status. */
#ifndef TESTS_UNIT_LIB_OUTPUT_OF_H
#define TESTS_UNIT_LIB_OUTPUT_OF_H

#include "tests/unit/child.h"

struct output_body {
    void (*run)(const void *argument);
    const void *argument;
};

static inline void output_run(const void *what)
{
    const struct output_body *body = what;
    alarm(20);
    body->run(body->argument);
}

/* What a child that runs `body` writes to stderr; it must end with `status`. */
static inline const char *output_of(void (*body)(const void *), const void *argument, int status)
{
    const struct output_body what = {body, argument};
    static char text[4096];
    int ended;
    run_child(output_run, &what, text, sizeof(text), &ended);
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != status)
        fail_msg("ended with 0x%x instead of status %d: %s", ended, status, text);
    return text;
}

#endif
