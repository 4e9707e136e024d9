/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A reply of PMIx's, waited for with a time limit that holds.
 *
 * A server that is asked for what a PE was to publish, which died before, does not reply,
 * whatever time limit it is given.  A fence it passes on as soon as all PEs of its node have
 * come, and then forgets the limit that they gave; where it keeps it, it tells some PEs that
 * all is well, and some servers hang later.  So the limit is kept here, and not told.
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

/* One that is to come, to a request with this attribute; NULL: no memory. */
struct ash_pmix_reply *ash_pmix_reply_new(const char *attribute, bool value);

/* It has come: for PMIx's callbacks, and for a request that could not be sent. */
void ash_pmix_reply_come(struct ash_pmix_reply *reply, pmix_status_t status,
                          const pmix_value_t *value);

/* Its status, or PMIX_ERR_TIMEOUT if it does not come until then. */
pmix_status_t ash_pmix_reply_wait(struct ash_pmix_reply *reply, int64_t deadline);

/* The caller needs it no more; who comes last frees it. */
void ash_pmix_reply_leave(struct ash_pmix_reply *reply);

#endif
