/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A reply is shared by its waiter and PMIx's callback under a mutex; the one that finishes last
 * frees it.
 */
#include "lib/bootstrap/pmix_reply.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/deadline.h"

struct ash_pmix_reply *ash_pmix_reply_new(const char *attribute, bool value)
{
    struct ash_pmix_reply *reply = calloc(1, sizeof(*reply));
    if (reply == NULL) return NULL;
    pthread_mutex_init(&reply->lock, NULL);
    pthread_cond_init(&reply->changed, NULL);
    PMIX_INFO_LOAD(&reply->info, attribute, &value, PMIX_BOOL);
    return reply;
}

static void free_reply(struct ash_pmix_reply *reply)
{
    pthread_cond_destroy(&reply->changed);
    pthread_mutex_destroy(&reply->lock);
    PMIX_INFO_DESTRUCT(&reply->info);
    free(reply->bytes);
    free(reply);
}

/* Copy the value, because PMIx frees it when the callback returns. */
static void keep(struct ash_pmix_reply *reply, const pmix_value_t *value)
{
    reply->nbytes = value->data.bo.size;
    reply->bytes = malloc(reply->nbytes + 1);
    if (reply->bytes == NULL)
        reply->status = PMIX_ERR_NOMEM;
    else if (reply->nbytes > 0)
        memcpy(reply->bytes, value->data.bo.bytes, reply->nbytes);
}

void ash_pmix_reply_come(struct ash_pmix_reply *reply, pmix_status_t status,
                          const pmix_value_t *value)
{
    bool is_left;
    pthread_mutex_lock(&reply->lock);
    reply->status = status;
    if (status == PMIX_SUCCESS && value != NULL && value->type == PMIX_BYTE_OBJECT)
        keep(reply, value);
    reply->has_come = true;
    is_left = reply->is_left;
    pthread_cond_signal(&reply->changed);
    pthread_mutex_unlock(&reply->lock);
    if (is_left) free_reply(reply);
}

pmix_status_t ash_pmix_reply_wait(struct ash_pmix_reply *reply, int64_t deadline)
{
    pmix_status_t status;
    int error = 0;
    pthread_mutex_lock(&reply->lock);
    while (!reply->has_come && error == 0)
        error = ash_wait_changed(&reply->changed, &reply->lock, deadline);
    status = reply->has_come ? reply->status : PMIX_ERR_TIMEOUT;
    pthread_mutex_unlock(&reply->lock);
    return status;
}

void ash_pmix_reply_leave(struct ash_pmix_reply *reply)
{
    bool has_come;
    pthread_mutex_lock(&reply->lock);
    has_come = reply->has_come;
    reply->is_left = true;
    pthread_mutex_unlock(&reply->lock);
    if (has_come) free_reply(reply);
}
