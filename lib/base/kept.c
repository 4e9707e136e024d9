/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cause for which the job will end, in its grace period: one, which a better one may replace.
 * Several threads and the handler of UCX's aborts meet here, each for a moment.
 */
#include "lib/base/kept.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/deadline.h"
#include "lib/base/end.h"

void (*ash_kept_hook)(void);

static struct {
    pthread_mutex_t lock;
    struct ash_cause cause;
    bool is_suspected;
    /* When the job ends for it (ash_now_ms). */
    int64_t due;
    /* There is one.  Written by: holders of the lock.  Read by: any thread, without it. */
    bool exists;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

void ash_end_after(const struct ash_cause *cause, bool is_suspected, int ms)
{
    void (*wake)(void) = ash_kept_hook;
    if (wake == NULL) {
        char text[256];
        ash_cause_describe(cause, text, sizeof(text));
        ash_fatal("%s", text);
    }
    (void)pthread_mutex_lock(&kept.lock);
    if (!kept.exists || (kept.is_suspected && !is_suspected)) {
        kept.cause = *cause;
        kept.is_suspected = is_suspected;
        kept.due = ash_now_ms() + ms;
        __atomic_store_n(&kept.exists, true, __ATOMIC_RELAXED);
    }
    (void)pthread_mutex_unlock(&kept.lock);
    wake();
}

int ash_kept_cause(struct ash_cause *ret_cause, bool *ret_is_suspected)
{
    int64_t ms;
    /* The lock orders what follows; the flag only saves taking it each time. */
    if (!__atomic_load_n(&kept.exists, __ATOMIC_RELAXED)) return -1;
    (void)pthread_mutex_lock(&kept.lock);
    *ret_cause = kept.cause;
    *ret_is_suspected = kept.is_suspected;
    ms = kept.due - ash_now_ms();
    (void)pthread_mutex_unlock(&kept.lock);
    return ms > 0 ? (int)ms : 0;
}

void ash_kept_forget(void)
{
    kept.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    __atomic_store_n(&kept.exists, false, __ATOMIC_RELAXED);
}
