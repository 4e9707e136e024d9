/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A reply of PMIx, with a time limit that is kept in any case.
 *
 * PMIx's own limits fail.  If a PE died before it published, a server that is asked for its
 * record never replies, whatever limit was given.  A server forwards a fence as soon as all
 * PEs of its node have come, and then ignores their limit; servers that observe it report
 * success to some PEs, and some hang later.  So the limit is kept here and not given to PMIx.
 */
#ifndef ASH_LIB_BOOTSTRAP_PMIX_REPLY_H
#define ASH_LIB_BOOTSTRAP_PMIX_REPLY_H

#include <pmix.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ash_pmix_reply {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool has_come, is_left;
    pmix_status_t status;
    /* A copy of the bytes that came with it, or NULL. */
    void *bytes;
    size_t nbytes;
    /* The request's only attribute, and its key, if it has one: PMIx may read them until it
     * replies. */
    pmix_info_t info;
    char key[PMIX_MAX_KEYLEN + 1];
};

/* Make a pending reply, for a request with this attribute; NULL: no memory. */
struct ash_pmix_reply *ash_pmix_reply_new(const char *attribute, bool value);

/* The reply has come: called by PMIx's callbacks, and if a request could not be sent. */
void ash_pmix_reply_come(struct ash_pmix_reply *reply, pmix_status_t status,
                          const pmix_value_t *value);

/* Wait for the reply; returns its status, or PMIX_ERR_TIMEOUT at the deadline. */
pmix_status_t ash_pmix_reply_wait(struct ash_pmix_reply *reply, int64_t deadline);

/* The waiter does not need the reply any more.  It is freed when it has come and was left. */
void ash_pmix_reply_leave(struct ash_pmix_reply *reply);

#endif
