/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queries with a time limit: facts of the job by PMIx's own, a record by PMIx_Get_nb, first for
 * what this node's server has already, then for what it must fetch from another node, and fences
 * by PMIx_Fence_nb.
 */
#include "lib/bootstrap/pmix_ask.h"

#include <stdio.h>
#include <stdlib.h>

#include "lib/base/deadline.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/family.h"
#include "lib/base/log.h"
#include "lib/base/text.h"
#include "lib/base/times.h"
#include "lib/bootstrap/pmix_reply.h"

/* The most missing PEs that are named. */
#define MISSING_MAX 8
/* How long this node's server may take to say whether it has a record. */
#define SOON_MS 10000

/* PMIx's name of a PE. */
static pmix_proc_t process_of(const char *job, uint32_t rank)
{
    pmix_proc_t proc;
    PMIX_PROC_CONSTRUCT(&proc);
    PMIX_LOAD_NSPACE(proc.nspace, job);
    proc.rank = rank;
    return proc;
}

pmix_status_t ash_pmix_try(const char *job, uint32_t rank, const char *key,
                           pmix_value_t **ret_value)
{
    pmix_proc_t proc = process_of(job, rank);
    pmix_info_t info[1];
    pmix_status_t status;
    int seconds = ash_env.init_timeout;
    PMIX_INFO_LOAD(&info[0], PMIX_TIMEOUT, &seconds, PMIX_INT);
    status = PMIx_Get(&proc, key, info, seconds > 0 ? 1 : 0, ret_value);
    PMIX_INFO_DESTRUCT(&info[0]);
    return status;
}

int ash_pmix_get(const char *job, uint32_t rank, const char *key, const char *missing,
                 pmix_value_t **ret_value)
{
    pmix_status_t status = ash_pmix_try(job, rank, key, ret_value);
    if (status == PMIX_SUCCESS) return 0;
    ash_log(ASH_LOG_ERROR, "PMIx: %s of PE %d: %s; %s", key, (int)rank, PMIx_Error_string(status),
            missing);
    return ASH_ERROR_BOOTSTRAP;
}

struct bytes {
    void *bytes;
    size_t nbytes;
};

static void on_record(pmix_status_t status, pmix_value_t *value, void *reply)
{
    ash_pmix_reply_come(reply, status, value);
}

/* Request a record, and wait for the reply until the deadline; returns its status. */
static pmix_status_t request(const char *job, uint32_t pe, const char *key, bool immediate,
                         int64_t deadline, struct bytes *ret_record)
{
    struct ash_pmix_reply *reply = ash_pmix_reply_new(PMIX_IMMEDIATE, immediate);
    pmix_proc_t proc = process_of(job, pe);
    pmix_status_t status;
    if (reply == NULL) return PMIX_ERR_NOMEM;
    snprintf(reply->key, sizeof(reply->key), "%s", key);
    status = PMIx_Get_nb(&proc, reply->key, &reply->info, 1, on_record, reply);
    /* In this case PMIx does not call on_record. */
    if (status != PMIX_SUCCESS) on_record(status, NULL, reply);
    status = ash_pmix_reply_wait(reply, deadline);
    if (status == PMIX_SUCCESS) {
        *ret_record = (struct bytes){reply->bytes, reply->nbytes};
        reply->bytes = NULL;
    }
    ash_pmix_reply_leave(reply);
    return status;
}

static pmix_status_t look(const char *job, uint32_t pe, const char *key)
{
    struct bytes record = {NULL, 0};
    pmix_status_t status = request(job, pe, key, true, ash_now_ms() + ASH_KNOWS_MS, &record);
    free(record.bytes);
    return status;
}

bool ash_pmix_knows(const char *job, uint32_t pe, const char *key)
{
    return look(job, pe, key) == PMIX_SUCCESS;
}

/* Does this node's server say that it lacks the PE's record? */
static bool lacks(const char *job, uint32_t pe, const char *key)
{
    switch (look(job, pe, key)) {
    case PMIX_SUCCESS:
    case PMIX_ERR_TIMEOUT:
    case PMIX_ERR_NOMEM:
    /* The server is gone, as when the launcher ends the job: it has said nothing of the PE. */
    case PMIX_ERR_UNREACH:
    case PMIX_ERR_LOST_CONNECTION:
    case PMIX_ERR_COMM_FAILURE: return false;
    default: return true;
    }
}

/* The deadline, or `ms` milliseconds from now if that is sooner; ms = 0 is no limit. */
static int64_t sooner(int64_t deadline, int64_t ms)
{
    int64_t limit = ash_now_ms() + ms;
    return ms > 0 && limit < deadline ? limit : deadline;
}

int ash_pmix_record(const char *job, const struct ash_bootstrap *bootstrap, uint32_t pe,
                    const char *key, void **ret_record, size_t *ret_nbytes)
{
    int64_t deadline = ash_deadline_ms(ash_env.init_timeout);
    struct bytes record = {NULL, 0};
    pmix_status_t status = request(job, pe, key, true, sooner(deadline, SOON_MS), &record);
    /* A record that another node's server has may still be fetched.  The caller may be the proxy
     * thread, which is given up after ANYSHMEM_PEER_TIMEOUT. */
    if (status != PMIX_SUCCESS && !ash_bootstrap_is_local(bootstrap, pe))
        status = request(job, pe, key, false, sooner(deadline, ash_env.peer_timeout * 1000 / 2),
                     &record);
    if (status == PMIX_ERR_NOMEM) return ash_no_memory_for("the record of a PE");
    *ret_record = record.bytes;
    *ret_nbytes = record.nbytes;
    if (status == PMIX_SUCCESS) return 0;
    ash_log(ASH_LOG_ERROR, "PE %u published nothing (PMIx: %s): it ended in %s, or does "
            "not run anyshmem", pe, PMIx_Error_string(status), ash_family_name("nvshmem_init"));
    return ASH_ERROR_BOOTSTRAP;
}

/* A fence's reply is pending, perhaps after its waiter has given up.
 * Set by: the waiter.  Reset by: PMIx's thread.  Read by: the next waiter. */
static bool open;

static void on_fenced(pmix_status_t status, void *reply)
{
    /* Pairs with the acquire in ash_pmix_fence. */
    __atomic_store_n(&open, false, __ATOMIC_RELEASE);
    ash_pmix_reply_come(reply, status, NULL);
}

pmix_status_t ash_pmix_fence(int seconds)
{
    struct ash_pmix_reply *reply;
    pmix_status_t status;
    /* Pairs with the release in on_fenced: the callback of an earlier fence has come. */
    if (__atomic_load_n(&open, __ATOMIC_ACQUIRE)) return PMIX_ERR_TIMEOUT;
    reply = ash_pmix_reply_new(PMIX_COLLECT_DATA, true);
    if (reply == NULL) return PMIX_ERR_NOMEM;
    __atomic_store_n(&open, true, __ATOMIC_RELAXED);
    status = PMIx_Fence_nb(NULL, 0, &reply->info, 1, on_fenced, reply);
    /* In these cases PMIx does not call on_fenced. */
    if (status != PMIX_SUCCESS)
        on_fenced(status == PMIX_OPERATION_SUCCEEDED ? PMIX_SUCCESS : status, reply);
    status = ash_pmix_reply_wait(reply, ash_deadline_ms(seconds));
    ash_pmix_reply_leave(reply);
    return status;
}

/* List, as "0, 2", the PEs of this node that have not published according to its server; returns
 * how many. */
static unsigned list_missing(const char *job, const struct ash_bootstrap *b, const char *key,
                             struct ash_text list)
{
    int64_t deadline = ash_now_ms() + ASH_MISSING_MS;
    unsigned n = 0;
    for (uint32_t i = 0; i < b->n_local && n < MISSING_MAX && ash_now_ms() < deadline; i++) {
        uint32_t pe = b->local_pes[i];
        if (pe == b->pe || !lacks(job, pe, key)) continue;
        ash_print(&list, "%s%u", n++ > 0 ? ", " : "", pe);
    }
    return n;
}

bool ash_pmix_report_missing(const char *job, const struct ash_bootstrap *b, const char *key,
                           bool late)
{
    char list[160];
    unsigned n;
    if (ash_library_state == ASH_LIBRARY_STARTED) {
        if (late)
            ash_log(ASH_LOG_ERROR, "%s: not all PEs came to it within %d s "
                    "(ANYSHMEM_INIT_TIMEOUT)", ash_family_name("nvshmem_finalize"),
                    (int)ash_env.init_timeout);
        return late;
    }
    n = list_missing(job, b, key, ash_text_in(list, sizeof(list)));
    if (n > 0 && late)
        ash_log(ASH_LOG_ERROR, "PE %s did not start the library within %d s "
                "(ANYSHMEM_INIT_TIMEOUT): each PE must call %s", list,
                (int)ash_env.init_timeout, ash_family_name("nvshmem_init"));
    else if (n > 0)
        ash_log(ASH_LOG_ERROR, "PE %s did not start the library, and the launcher waits no longer",
                list);
    else if (late && b->n_local < b->n_pes)
        ash_log(ASH_LOG_ERROR, "PEs of other nodes did not start the library within %d s "
                "(ANYSHMEM_INIT_TIMEOUT): each PE must call %s",
                (int)ash_env.init_timeout, ash_family_name("nvshmem_init"));
    else
        return false;
    return true;
}
