/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/bootstrap/pmix_answer.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct ash_pmix_answer *ash_pmix_answer_new(const char *attribute, bool value)
{
    struct ash_pmix_answer *answer = calloc(1, sizeof(*answer));
    if (answer == NULL) return NULL;
    pthread_mutex_init(&answer->lock, NULL);
    pthread_cond_init(&answer->changed, NULL);
    PMIX_INFO_LOAD(&answer->info, attribute, &value, PMIX_BOOL);
    return answer;
}

static void free_answer(struct ash_pmix_answer *answer)
{
    pthread_cond_destroy(&answer->changed);
    pthread_mutex_destroy(&answer->lock);
    PMIX_INFO_DESTRUCT(&answer->info);
    free(answer->bytes);
    free(answer);
}

/* PMIx's value is gone when the callback returns. */
static void keep(struct ash_pmix_answer *answer, const pmix_value_t *value)
{
    answer->nbytes = value->data.bo.size;
    answer->bytes = malloc(answer->nbytes + 1);
    if (answer->bytes == NULL)
        answer->status = PMIX_ERR_NOMEM;
    else if (answer->nbytes > 0)
        memcpy(answer->bytes, value->data.bo.bytes, answer->nbytes);
}

void ash_pmix_answer_come(struct ash_pmix_answer *answer, pmix_status_t status,
                          const pmix_value_t *value)
{
    bool is_left;
    pthread_mutex_lock(&answer->lock);
    answer->status = status;
    if (status == PMIX_SUCCESS && value != NULL && value->type == PMIX_BYTE_OBJECT)
        keep(answer, value);
    answer->has_come = true;
    is_left = answer->is_left;
    pthread_cond_signal(&answer->changed);
    pthread_mutex_unlock(&answer->lock);
    if (is_left) free_answer(answer);
}

pmix_status_t ash_pmix_answer_wait(struct ash_pmix_answer *answer, int64_t deadline)
{
    struct timespec limit = {(time_t)(deadline / 1000), (long)(deadline % 1000) * 1000000};
    pmix_status_t status;
    int error = 0;
    pthread_mutex_lock(&answer->lock);
    while (!answer->has_come && error == 0)
        error = deadline == INT64_MAX
                    ? pthread_cond_wait(&answer->changed, &answer->lock)
                    : pthread_cond_clockwait(&answer->changed, &answer->lock, CLOCK_MONOTONIC,
                                             &limit);
    status = answer->has_come ? answer->status : PMIX_ERR_TIMEOUT;
    pthread_mutex_unlock(&answer->lock);
    return status;
}

void ash_pmix_answer_leave(struct ash_pmix_answer *answer)
{
    bool has_come;
    pthread_mutex_lock(&answer->lock);
    has_come = answer->has_come;
    answer->is_left = true;
    pthread_mutex_unlock(&answer->lock);
    if (has_come) free_answer(answer);
}
