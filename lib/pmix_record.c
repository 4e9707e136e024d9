/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A server that is asked for what a PE was to publish, which died before, does not answer,
 * whatever time limit it is given.  So the limit is kept here, and not told, as that of a
 * fence is (pmix_fence.c).
 */
#include "lib/pmix_record.h"

#include <pmix.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/deadline.h"
#include "lib/env.h"
#include "lib/error.h"
#include "lib/log.h"
#include "lib/pmix_ask.h"

/* How long the node's own server may take to look for what it has, or has not. */
#define SOON_SECONDS 10
/* The same where nothing depends on it but who is named. */
#define KNOWS_MS 1000

struct bytes {
    void *bytes;
    size_t nbytes;
};

/* A question.  Who gave up leaves it to its answer. */
struct question {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_answered, is_left;
    pmix_status_t status;
    struct bytes record;
    /* PMIx may read it until it answers. */
    pmix_info_t info;
    bool is_immediate;
};

static struct question *new_question(void)
{
    struct question *q = calloc(1, sizeof(*q));
    if (q == NULL) return NULL;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, NULL);
    return q;
}

static void free_question(struct question *q)
{
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
    PMIX_INFO_DESTRUCT(&q->info);
    free(q->record.bytes);
    free(q);
}

/* PMIx's value is gone when this returns. */
static void keep(struct question *q, pmix_status_t status, const pmix_value_t *value)
{
    bool is_bytes = status == PMIX_SUCCESS && value != NULL && value->type == PMIX_BYTE_OBJECT;
    q->status = status;
    q->record.nbytes = is_bytes ? value->data.bo.size : 0;
    if (status == PMIX_SUCCESS) q->record.bytes = malloc(q->record.nbytes + 1);
    if (q->record.bytes != NULL && is_bytes)
        memcpy(q->record.bytes, value->data.bo.bytes, q->record.nbytes);
}

static void answer(pmix_status_t status, pmix_value_t *value, void *question)
{
    struct question *q = question;
    bool is_left;
    pthread_mutex_lock(&q->lock);
    keep(q, status, value);
    q->is_answered = true;
    is_left = q->is_left;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
    if (is_left) free_question(q);
}

/* True if there is an answer until then. */
static bool wait_answer(struct question *q, int64_t deadline)
{
    struct timespec limit = {(time_t)(deadline / 1000), (long)(deadline % 1000) * 1000000};
    bool is_answered;
    int error = 0;
    pthread_mutex_lock(&q->lock);
    while (!q->is_answered && error == 0)
        error = deadline == INT64_MAX
                    ? pthread_cond_wait(&q->changed, &q->lock)
                    : pthread_cond_clockwait(&q->changed, &q->lock, CLOCK_MONOTONIC, &limit);
    is_answered = q->is_answered;
    pthread_mutex_unlock(&q->lock);
    return is_answered;
}

static void leave(struct question *q)
{
    bool is_answered;
    pthread_mutex_lock(&q->lock);
    is_answered = q->is_answered;
    q->is_left = true;
    pthread_mutex_unlock(&q->lock);
    if (is_answered) free_question(q);
}

/* The status of the answer that comes until then; a question of its own. */
static pmix_status_t ask(const char *job, uint32_t pe, const char *key, bool immediate,
                         int64_t deadline, struct bytes *ret_record)
{
    struct question *q = new_question();
    pmix_proc_t proc = ash_pmix_process(job, pe);
    pmix_status_t status;
    if (q == NULL) return PMIX_ERR_NOMEM;
    q->is_immediate = immediate;
    PMIX_INFO_LOAD(&q->info, PMIX_IMMEDIATE, &q->is_immediate, PMIX_BOOL);
    status = PMIx_Get_nb(&proc, key, &q->info, 1, answer, q);
    /* Then there is no other answer. */
    if (status != PMIX_SUCCESS) answer(status, NULL, q);
    status = PMIX_ERR_TIMEOUT;
    if (wait_answer(q, deadline)) {
        status = q->status;
        *ret_record = q->record;
        q->record.bytes = NULL;
    }
    leave(q);
    return status;
}

bool ash_pmix_knows(const char *job, uint32_t pe, const char *key)
{
    struct bytes record = {NULL, 0};
    pmix_status_t status = ask(job, pe, key, true, ash_now_ms() + KNOWS_MS, &record);
    free(record.bytes);
    return status == PMIX_SUCCESS;
}

int ash_pmix_record(const char *job, const struct ash_bootstrap *bootstrap, uint32_t pe,
                    const char *key, void **ret_record, size_t *ret_nbytes)
{
    int64_t deadline = ash_deadline_ms(ash_env.init_timeout), soon = ash_deadline_ms(SOON_SECONDS);
    struct bytes record = {NULL, 0};
    pmix_status_t status = ask(job, pe, key, true, soon < deadline ? soon : deadline, &record);
    /* What the server of another node has may still come. */
    if (status != PMIX_SUCCESS && !ash_bootstrap_is_local(bootstrap, pe))
        status = ask(job, pe, key, false, deadline, &record);
    if (status == PMIX_ERR_NOMEM || (status == PMIX_SUCCESS && record.bytes == NULL))
        return ash_no_memory_for("the record of a PE");
    *ret_record = record.bytes;
    *ret_nbytes = record.nbytes;
    if (status == PMIX_SUCCESS) return 0;
    ash_log(ASH_LOG_ERROR, "PE %u published nothing (PMIx: %s): it ended in nvshmem_init, or is no "
            "program of anyshmem", pe, PMIx_Error_string(status));
    return ASH_ERROR_BOOTSTRAP;
}
