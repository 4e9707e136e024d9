/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gets facts of the job with PMIx's own time limit, and finds the PEs whose records this node's
 * server lacks.
 */
#include "lib/bootstrap/pmix_ask.h"

#include "lib/base/deadline.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/family.h"
#include "lib/base/log.h"
#include "lib/base/text.h"
#include "lib/base/times.h"
#include "lib/bootstrap/pmix_record.h"

/* The most missing PEs that are named. */
#define MISSING_MAX 8

pmix_proc_t ash_pmix_process(const char *job, uint32_t rank)
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
    pmix_proc_t proc = ash_pmix_process(job, rank);
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

/* List, as "0, 2", the PEs of this node that have not published according to its server; returns
 * how many. */
static unsigned list_missing(const char *job, const struct ash_bootstrap *b, const char *key,
                             struct ash_text list)
{
    int64_t deadline = ash_now_ms() + ASH_MISSING_MS;
    unsigned n = 0;
    for (uint32_t i = 0; i < b->n_local && n < MISSING_MAX && ash_now_ms() < deadline; i++) {
        uint32_t pe = b->local_pes[i];
        if (pe == b->pe || !ash_pmix_lacks(job, pe, key)) continue;
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
