/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls PMIx_Get_nb first for what this node's server has already, then for what it must fetch
 * from another node, each with a time limit of this process's own.
 */
#include "lib/bootstrap/pmix_record.h"

#include <stdio.h>
#include <stdlib.h>

#include "lib/base/deadline.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/family.h"
#include "lib/base/log.h"
#include "lib/base/times.h"
#include "lib/bootstrap/pmix_ask.h"
#include "lib/bootstrap/pmix_reply.h"

/* How long this node's server may take to say whether it has a record. */
#define SOON_MS 10000

struct bytes {
    void *bytes;
    size_t nbytes;
};

static void on_reply(pmix_status_t status, pmix_value_t *value, void *reply)
{
    ash_pmix_reply_come(reply, status, value);
}

/* Request a record, and wait for the reply until the deadline; returns its status. */
static pmix_status_t request(const char *job, uint32_t pe, const char *key, bool immediate,
                         int64_t deadline, struct bytes *ret_record)
{
    struct ash_pmix_reply *reply = ash_pmix_reply_new(PMIX_IMMEDIATE, immediate);
    pmix_proc_t proc = ash_pmix_process(job, pe);
    pmix_status_t status;
    if (reply == NULL) return PMIX_ERR_NOMEM;
    snprintf(reply->key, sizeof(reply->key), "%s", key);
    status = PMIx_Get_nb(&proc, reply->key, &reply->info, 1, on_reply, reply);
    /* In this case PMIx does not call on_reply. */
    if (status != PMIX_SUCCESS) on_reply(status, NULL, reply);
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

bool ash_pmix_lacks(const char *job, uint32_t pe, const char *key)
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
