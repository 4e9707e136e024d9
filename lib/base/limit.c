/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that waits with a time limit.  Not a timer: its signal belongs to the program until the
 * end of the job.
 */
#include "lib/base/limit.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

#include "device/hostdev/hostdev.h"
#include "lib/base/deadline.h"
#include "lib/base/end.h"

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    int64_t deadline;
    const char *text;
    /* Written and read by: both threads, under the lock. */
    bool over;
    /* The thread runs; the caller's. */
    bool began;
} limit = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void *wait_for_end(void *unused)
{
    int rc = 0;
    (void)pthread_mutex_lock(&limit.lock);
    while (!limit.over && rc != ETIMEDOUT)
        rc = ash_wait_changed(&limit.changed, &limit.lock, limit.deadline);
    if (!limit.over) ash_fatal("%s", limit.text);
    (void)pthread_mutex_unlock(&limit.lock);
    return unused;
}

void ash_limit_begin(int64_t ms, const char *text)
{
    if (ms == 0) return;
    limit.deadline = ash_now_ms() + ms;
    limit.text = text;
    limit.over = false;
    /* Without memory for a thread there is no limit; the start will fail of that by itself. */
    limit.began = ash_hostdev_thread(&limit.thread, wait_for_end, NULL, "anyshmem-limit") == 0;
}

void ash_limit_end(void)
{
    if (!limit.began) return;
    (void)pthread_mutex_lock(&limit.lock);
    limit.over = true;
    (void)pthread_cond_signal(&limit.changed);
    (void)pthread_mutex_unlock(&limit.lock);
    (void)pthread_join(limit.thread, NULL);
    limit.began = false;
}
