/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls PMIx_Fence_nb and waits for its reply with a time limit of this process's own.
 */
#include "lib/bootstrap/pmix_fence.h"

#include "lib/base/deadline.h"
#include "lib/bootstrap/pmix_reply.h"

/* A fence's reply is pending, perhaps after its waiter has given up.
 * Set by: the waiter.  Reset by: PMIx's thread.  Read by: the next waiter. */
static bool open;

static void on_reply(pmix_status_t status, void *reply)
{
    /* Pairs with the acquire in ash_pmix_fence. */
    __atomic_store_n(&open, false, __ATOMIC_RELEASE);
    ash_pmix_reply_come(reply, status, NULL);
}

int ash_pmix_fence(int seconds)
{
    struct ash_pmix_reply *reply;
    pmix_status_t status;
    /* Pairs with the release in on_reply: the callback of an earlier fence has come. */
    if (__atomic_load_n(&open, __ATOMIC_ACQUIRE)) return PMIX_ERR_TIMEOUT;
    reply = ash_pmix_reply_new(PMIX_COLLECT_DATA, true);
    if (reply == NULL) return PMIX_ERR_NOMEM;
    __atomic_store_n(&open, true, __ATOMIC_RELAXED);
    status = PMIx_Fence_nb(NULL, 0, &reply->info, 1, on_reply, reply);
    /* In these cases PMIx does not call on_reply. */
    if (status != PMIX_SUCCESS)
        on_reply(status == PMIX_OPERATION_SUCCEEDED ? PMIX_SUCCESS : status, reply);
    status = ash_pmix_reply_wait(reply, ash_deadline_ms(seconds));
    ash_pmix_reply_leave(reply);
    return status;
}
