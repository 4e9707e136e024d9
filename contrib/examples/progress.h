/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A line on stderr that says how far a long run is.
 *
 * On a terminal it is one line that changes; elsewhere a line now and then.
 * Runs of less than two seconds show nothing.
 */
#ifndef EXAMPLES_PROGRESS_H
#define EXAMPLES_PROGRESS_H

#include <stdio.h>
#include <time.h>
#include <unistd.h>

struct progress {
    const char *name; /* the program */
    double started;   /* seconds */
    double shown;     /* seconds; 0: nothing shown yet */
    int terminal;
};

static inline double progress_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static inline void progress_init(struct progress *progress, const char *name)
{
    progress->name = name;
    progress->started = progress_seconds();
    progress->shown = 0;
    progress->terminal = isatty(STDERR_FILENO);
}

/* Cheap enough for every few thousand steps.  fraction: 0 to 1 of what. */
static inline void progress_show(struct progress *progress, double fraction, const char *what)
{
    double now = progress_seconds();
    double pause = progress->terminal ? 0.2 : 5;

    if (now - progress->started < 2 || now - progress->shown < pause)
        return;
    progress->shown = now;
    fprintf(stderr, "%s%s: %3.0f %% of %s, %.0f s%s", progress->terminal ? "\r" : "",
            progress->name, 100 * fraction, what, now - progress->started,
            progress->terminal ? " " : "\n");
    fflush(stderr);
}

/* Clears the line, so that what follows starts on a clean one. */
static inline void progress_finish(struct progress *progress)
{
    if (progress->terminal && progress->shown > 0)
        fprintf(stderr, "\r%60s\r", "");
}

#endif
