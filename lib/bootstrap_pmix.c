/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bootstrap over PMIx.  With pmix_fence.c the only file that knows PMIx.
 *
 * Without PMIX_NAMESPACE in the environment there is no PMIx launcher: then the
 * job has one PE, unless another launcher's signs say that it should have more.
 * Each Get and Fence has a time limit, and a Fence always collects data (under
 * Slurm it would be no barrier otherwise).
 */
#include <pmix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/types.h>
#include <unistd.h>

#include "lib/bootstrap.h"
#include "lib/deadline.h"
#include "lib/env.h"
#include "lib/error.h"
#include "lib/log.h"
#include "lib/pmix_fence.h"

/* Missing PEs that are named, and what it may take to find them. */
#define MISSING_MAX 8
#define MISSING_SECONDS 3
/* What a PE takes at most to end after that. */
#define END_MS 6000

static struct {
    pmix_proc_t me;
    uint32_t n_pes;
    /* Who is on this node. */
    const struct ash_bootstrap *job;
    /* The process that opened the connection to PMIx's server, or 0.  It stays
     * open until that process ends: PMIx does not survive being started again
     * (now and then a second PMIx_Init never returns). */
    pid_t opened_by;
    /* The library is started, as one of several PEs. */
    bool running;
    /* Starts of the library in this process: each has its own key. */
    unsigned starts;
    /* A job of one PE keeps its record here. */
    bool alone;
    void *own_record;
    size_t own_nbytes;
} self;

static const char list_of_node[] = "the list of this node's PEs";

static int failed(const char *what, pmix_status_t status)
{
    ash_log(ASH_LOG_ERROR, "PMIx: %s: %s", what, PMIx_Error_string(status));
    return ASH_ERROR_BOOTSTRAP;
}

/* Number of PEs that a launcher without PMIx seems to have started, or 0. */
static long started_without_pmix(const char **ret_launcher)
{
    static const struct {
        const char *variable, *launcher;
    } signs[] = {{"SLURM_STEP_NUM_TASKS", "srun, without PMIx: use srun --mpi=pmix"},
                 {"OMPI_COMM_WORLD_SIZE", "mpirun, without PMIx: use an mpirun that has PMIx"},
                 {"PMI_SIZE",
                  "a launcher of PMI, not PMIx: use prterun, mpirun or srun --mpi=pmix"}};
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        const char *value = getenv(signs[i].variable);
        if (value == NULL || atol(value) <= 1) continue;
        *ret_launcher = signs[i].launcher;
        return atol(value);
    }
    return 0;
}

static int start_alone(struct ash_bootstrap *ret_bootstrap)
{
    const char *launcher;
    long n = started_without_pmix(&launcher);
    if (n > 0) {
        ash_log(ASH_LOG_ERROR, "started as one of %ld tasks by %s", n, launcher);
        return ASH_ERROR_BOOTSTRAP;
    }
    if (self.starts == 1)
        ash_log(ASH_LOG_WARN, "started without a launcher: a job of one PE; one of N PEs is "
                              "started with prterun -n N, mpirun -n N or srun --mpi=pmix -n N");
    ret_bootstrap->local_pes = calloc(1, sizeof(uint32_t));
    if (ret_bootstrap->local_pes == NULL) return ash_no_memory_for(list_of_node);
    ret_bootstrap->pe = 0;
    ret_bootstrap->n_pes = ret_bootstrap->n_local = 1;
    self.alone = true;
    return 0;
}

/* The launcher died: nobody would end this PE, so it ends itself. */
static void on_lost_connection(size_t handler, pmix_status_t status, const pmix_proc_t *source,
                               pmix_info_t info[], size_t n_info, pmix_info_t results[],
                               size_t n_results, pmix_event_notification_cbfunc_fn_t done,
                               void *done_data)
{
    (void)handler, (void)status, (void)source, (void)info, (void)n_info, (void)results;
    (void)n_results;
    if (self.running) {
        self.running = false; /* there is nobody to call PMIx_Abort at */
        ash_fatal("the launcher is gone, so this PE ends");
    }
    if (done != NULL) done(PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, done_data);
}

static int get_value(pmix_rank_t rank, const char *key, const char *missing,
                     pmix_value_t **ret_value)
{
    pmix_proc_t proc;
    pmix_info_t info[1];
    pmix_status_t status;
    int seconds = ash_env.init_timeout;
    PMIX_PROC_CONSTRUCT(&proc);
    PMIX_LOAD_NSPACE(proc.nspace, self.me.nspace);
    proc.rank = rank;
    PMIX_INFO_LOAD(&info[0], PMIX_TIMEOUT, &seconds, PMIX_INT);
    status = PMIx_Get(&proc, key, info, seconds > 0 ? 1 : 0, ret_value);
    PMIX_INFO_DESTRUCT(&info[0]);
    if (status == PMIX_SUCCESS) return 0;
    ash_log(ASH_LOG_ERROR, "PMIx: %s of PE %d: %s; %s", key, (int)rank, PMIx_Error_string(status),
            missing);
    return ASH_ERROR_BOOTSTRAP;
}

/* "0,1,5" as numbers, in ascending order as PMIx gives them. */
static int parse_peers(const char *list, struct ash_bootstrap *ret_bootstrap)
{
    size_t n = 1;
    for (const char *p = list; *p != '\0'; p++) n += *p == ',';
    ret_bootstrap->local_pes = calloc(n, sizeof(uint32_t));
    if (ret_bootstrap->local_pes == NULL) return ash_no_memory_for(list_of_node);
    ret_bootstrap->n_local = 0;
    for (;;) {
        char *end;
        unsigned long pe = strtoul(list, &end, 10);
        if (end == list || pe >= ret_bootstrap->n_pes || (*end != ',' && *end != '\0')) {
            ash_log(ASH_LOG_ERROR, "PMIx: the list of local peers cannot be read");
            return ASH_ERROR_BOOTSTRAP;
        }
        ret_bootstrap->local_pes[ret_bootstrap->n_local++] = (uint32_t)pe;
        if (*end == '\0') return 0;
        list = end + 1;
    }
}

static const char no_fact[] = "the launcher does not say: take another one";

static int read_job(struct ash_bootstrap *ret_bootstrap)
{
    pmix_value_t *value;
    int rc = get_value(PMIX_RANK_WILDCARD, PMIX_JOB_SIZE, no_fact, &value);
    if (rc != 0) return rc;
    ret_bootstrap->pe = self.me.rank;
    ret_bootstrap->n_pes = self.n_pes = value->data.uint32;
    PMIX_VALUE_RELEASE(value);
    rc = get_value(PMIX_RANK_WILDCARD, PMIX_LOCAL_PEERS, no_fact, &value);
    if (rc != 0) return rc;
    rc = parse_peers(value->data.string, ret_bootstrap);
    PMIX_VALUE_RELEASE(value);
    return rc;
}

/*
 * Tell the launcher that this PE has ended well.  Not where the library is still
 * started: then the launcher shall see that something is wrong, and end the
 * others.  Not in a forked child: the connection is its parent's.
 */
static void close_connection(void)
{
    if (self.opened_by == getpid() && !self.running) PMIx_Finalize(NULL, 0);
}

static void record_key(char *key, size_t nbytes)
{
    snprintf(key, nbytes, "anyshmem.%u", self.starts);
}

/*
 * Another process was this PE before, or is: the others would find what that one
 * published.
 */
static int check_first(void)
{
    const struct timespec others = {0, 700000000};
    pmix_value_t *value;
    pmix_info_t info[1];
    pmix_status_t status;
    bool immediate = true;
    char key[32];
    record_key(key, sizeof(key));
    PMIX_INFO_LOAD(&info[0], PMIX_IMMEDIATE, &immediate, PMIX_BOOL);
    status = PMIx_Get(&self.me, key, info, 1, &value);
    PMIX_INFO_DESTRUCT(&info[0]);
    if (status != PMIX_SUCCESS) return 0;
    PMIX_VALUE_RELEASE(value);
    ash_log(ASH_LOG_ERROR,
            "PE %u was started before in this job: a job runs one program, once; start this one "
            "with a launcher of its own, or without PMIX_NAMESPACE", self.me.rank);
    /* Some launchers hang if they must end the job while another PE connects. */
    nanosleep(&others, NULL);
    return ASH_ERROR_BOOTSTRAP;
}

static int open_connection(void)
{
    pmix_status_t status, lost = PMIX_ERR_LOST_CONNECTION;
    if (self.opened_by == getpid()) return 0;
    status = PMIx_Init(&self.me, NULL, 0);
    if (status != PMIX_SUCCESS) {
        ash_log(ASH_LOG_ERROR,
                "PMIx: no server answers (%s), though PMIX_NAMESPACE is set: start with prterun, "
                "mpirun or srun --mpi=pmix; for a job of one PE, unset it",
                PMIx_Error_string(status));
        return ASH_ERROR_BOOTSTRAP;
    }
    self.opened_by = getpid();
    atexit(close_connection);
    PMIx_Register_event_handler(&lost, 1, NULL, 0, on_lost_connection, NULL, NULL);
    return check_first();
}

static int pmix_start(struct ash_bootstrap *ret_bootstrap)
{
    int rc;
    self.starts++;
    self.job = ret_bootstrap;
    if (getenv("PMIX_NAMESPACE") == NULL) return start_alone(ret_bootstrap);
    rc = open_connection();
    if (rc != 0) return rc;
    self.running = true;
    return read_job(ret_bootstrap);
}

static int pmix_publish(const void *record, size_t nbytes)
{
    pmix_value_t value;
    pmix_status_t status;
    char key[32];
    if (self.alone) {
        self.own_record = malloc(nbytes);
        if (self.own_record == NULL) return ash_no_memory_for("the record of this PE");
        memcpy(self.own_record, record, nbytes);
        self.own_nbytes = nbytes;
        return 0;
    }
    record_key(key, sizeof(key));
    PMIX_VALUE_CONSTRUCT(&value);
    value.type = PMIX_BYTE_OBJECT;
    value.data.bo.bytes = (char *)(uintptr_t)record;
    value.data.bo.size = nbytes;
    status = PMIx_Put(PMIX_GLOBAL, key, &value);
    if (status == PMIX_SUCCESS) status = PMIx_Commit();
    return status == PMIX_SUCCESS ? 0 : failed("cannot publish", status);
}

/*
 * As far as this node's server knows.  Other nodes' are not asked: for a PE that
 * has died that does not come back, whatever time limit it has.
 */
static bool has_published(uint32_t pe, const char *key)
{
    pmix_proc_t proc;
    pmix_info_t info[2];
    pmix_value_t *value = NULL;
    pmix_status_t status;
    bool immediate = true;
    int seconds = 1;
    PMIX_PROC_CONSTRUCT(&proc);
    PMIX_LOAD_NSPACE(proc.nspace, self.me.nspace);
    proc.rank = pe;
    PMIX_INFO_LOAD(&info[0], PMIX_IMMEDIATE, &immediate, PMIX_BOOL);
    PMIX_INFO_LOAD(&info[1], PMIX_TIMEOUT, &seconds, PMIX_INT);
    status = PMIx_Get(&proc, key, info, 2, &value);
    PMIX_INFO_DESTRUCT(&info[0]);
    PMIX_INFO_DESTRUCT(&info[1]);
    if (status == PMIX_SUCCESS && value != NULL) PMIX_VALUE_RELEASE(value);
    return status == PMIX_SUCCESS;
}

/*
 * After a fence that failed, late or before: say who of this node did not come.  What
 * PEs of other nodes did their servers know, and to ask them can hang.
 */
static bool told_missing(bool late)
{
    int64_t deadline = ash_deadline_ms(MISSING_SECONDS);
    char key[32], list[160] = "";
    size_t used = 0;
    unsigned n = 0;
    record_key(key, sizeof(key));
    for (uint32_t pe = 0; pe < self.n_pes && n < MISSING_MAX && ash_now_ms() < deadline; pe++) {
        if (pe == self.me.rank || !ash_bootstrap_is_local(self.job, pe)) continue;
        if (has_published(pe, key)) continue;
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%u", n > 0 ? ", " : "", pe);
        n++;
    }
    if (n > 0 && late)
        ash_log(ASH_LOG_ERROR, "PE %s did not start the library within %d s "
                "(ANYSHMEM_INIT_TIMEOUT): each PE must call nvshmem_init", list,
                (int)ash_env.init_timeout);
    else if (n > 0)
        ash_log(ASH_LOG_ERROR, "PE %s did not start the library, and the launcher waits no longer",
                list);
    else if (late && self.job->n_local < self.n_pes)
        ash_log(ASH_LOG_ERROR, "PEs of other nodes did not start the library within %d s "
                "(ANYSHMEM_INIT_TIMEOUT): each PE must call nvshmem_init",
                (int)ash_env.init_timeout);
    else
        return false;
    return true;
}

static int pmix_fence(void)
{
    pmix_status_t status;
    int seconds = ash_env.init_timeout;
    int64_t began = ash_now_ms();
    if (self.alone) return 0;
    status = ash_pmix_fence(seconds);
    if (status == PMIX_SUCCESS) return 0;
    /* A start that fails ends the job, and launchers have been seen to hang in that. */
    if (ash_life != ASH_LIFE_STARTED) ash_end_within(END_MS);
    if (told_missing(seconds > 0 && ash_now_ms() - began >= (seconds - 1) * 1000))
        return ASH_ERROR_BOOTSTRAP;
    return failed("not all PEs came to the fence", status);
}

static int pmix_get(uint32_t pe, void **ret_record, size_t *ret_nbytes)
{
    pmix_value_t *value = NULL;
    const void *bytes = self.own_record;
    size_t nbytes = self.own_nbytes;
    char key[32];
    if (!self.alone) {
        int rc;
        record_key(key, sizeof(key));
        rc = get_value(pe, key, "it published nothing: start programs of anyshmem alone", &value);
        if (rc != 0) return rc;
        bytes = value->data.bo.bytes;
        nbytes = value->type == PMIX_BYTE_OBJECT ? value->data.bo.size : 0;
    }
    *ret_record = malloc(nbytes > 0 ? nbytes : 1);
    if (*ret_record != NULL) {
        memcpy(*ret_record, bytes, nbytes);
        *ret_nbytes = nbytes;
    }
    if (value != NULL) PMIX_VALUE_RELEASE(value);
    return *ret_record != NULL ? 0 : ash_no_memory_for("the record of a PE");
}

static void pmix_stop(void)
{
    free(self.own_record);
    self.own_record = NULL;
    self.running = false;
    self.alone = false;
}

static void pmix_abort(int status)
{
    if (!self.running) return;
    self.running = false;
    ash_fatal_let_read();
    PMIx_Abort(status, "anyshmem: the job was ended", NULL, 0);
}

const struct ash_bootstrap_way ash_bootstrap_pmix = {
    .name = "PMIx",
    .start = pmix_start,
    .publish = pmix_publish,
    .fence = pmix_fence,
    .get = pmix_get,
    .stop = pmix_stop,
    .abort = pmix_abort,
};
