/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A server passes a fence on as soon as all PEs of its node have come, and then
 * forgets the time limit that they gave: for a PE of another node that never comes
 * they would wait for ever.  Where it keeps the limit it tells some PEs that all is
 * well, and some servers hang later.  So the limit is kept here, and not told.
 */
#include "lib/pmix_fence.h"

#include <pmix.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* An answer is to come: who gave up has left it behind. */
    bool open;
    pmix_status_t status;
    /* PMIx may read them until it answers. */
    pmix_info_t info;
    bool collect;
} fence = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void answer(pmix_status_t status, void *unused)
{
    (void)unused;
    pthread_mutex_lock(&fence.lock);
    fence.status = status;
    fence.open = false;
    pthread_cond_signal(&fence.changed);
    pthread_mutex_unlock(&fence.lock);
}

static int wait_answer(int seconds)
{
    struct timespec limit;
    pmix_status_t status;
    int error = 0;
    (void)clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_sec += seconds;
    pthread_mutex_lock(&fence.lock);
    while (fence.open && error == 0)
        error = seconds > 0 ? pthread_cond_clockwait(&fence.changed, &fence.lock,
                                                     CLOCK_MONOTONIC, &limit)
                            : pthread_cond_wait(&fence.changed, &fence.lock);
    status = fence.open ? PMIX_ERR_TIMEOUT : fence.status;
    pthread_mutex_unlock(&fence.lock);
    return status;
}

int ash_pmix_fence(int seconds)
{
    pmix_status_t status;
    if (fence.open) return PMIX_ERR_TIMEOUT;
    fence.open = true;
    fence.collect = true;
    PMIX_INFO_LOAD(&fence.info, PMIX_COLLECT_DATA, &fence.collect, PMIX_BOOL);
    status = PMIx_Fence_nb(NULL, 0, &fence.info, 1, answer, NULL);
    /* Then there is no other answer. */
    if (status != PMIX_SUCCESS)
        answer(status == PMIX_OPERATION_SUCCEEDED ? PMIX_SUCCESS : status, NULL);
    return wait_answer(seconds);
}
