/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that waits with a time limit.  Not a timer: its signal belongs to the program until the
 * end of the job.
 */
#include "lib/base/limit.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>

#include "lib/base/end.h"

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    struct timespec latest;
    const char *text;
    /* Written and read by: both threads, under the lock. */
    bool over;
    /* The thread runs; the caller's. */
    bool began;
} limit = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *wait_for_end(void *unused)
{
    int rc = 0;
    (void)pthread_mutex_lock(&limit.lock);
    while (!limit.over && rc != ETIMEDOUT)
        rc = pthread_cond_timedwait(&limit.changed, &limit.lock, &limit.latest);
    if (!limit.over) ash_fatal("%s", limit.text);
    (void)pthread_mutex_unlock(&limit.lock);
    return unused;
}

/* The program's signals are for its own threads. */
static bool start_thread(void)
{
    sigset_t all, before;
    int rc;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    rc = pthread_create(&limit.thread, NULL, wait_for_end, NULL);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc == 0;
}

void ash_limit_begin(int64_t ms, const char *text)
{
    pthread_condattr_t monotonic;
    if (ms == 0) return;
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&limit.changed, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    (void)clock_gettime(CLOCK_MONOTONIC, &limit.latest);
    limit.latest.tv_sec += (time_t)(ms / 1000);
    limit.latest.tv_nsec += (long)(ms % 1000) * 1000000;
    if (limit.latest.tv_nsec >= 1000000000) {
        limit.latest.tv_sec++;
        limit.latest.tv_nsec -= 1000000000;
    }
    limit.text = text;
    limit.over = false;
    /* Without memory for a thread there is no limit; the start will fail of that by itself. */
    limit.began = start_thread();
}

void ash_limit_end(void)
{
    if (!limit.began) return;
    (void)pthread_mutex_lock(&limit.lock);
    limit.over = true;
    (void)pthread_cond_signal(&limit.changed);
    (void)pthread_mutex_unlock(&limit.lock);
    (void)pthread_join(limit.thread, NULL);
    (void)pthread_cond_destroy(&limit.changed);
    limit.began = false;
}
