/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bootstrap over PMIx.  Only this file and pmix_*.c use PMIx.
 *
 * Without PMIX_NAMESPACE in the environment there is no PMIx launcher: then the
 * job has one PE, unless another launcher's signs say that it should have more.
 * Each Get and Fence has a time limit, and a Fence always collects data, because under
 * Slurm it is no barrier otherwise.
 */
#include <pmix.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "lib/base/deadline.h"
#include "lib/base/end.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/kept.h"
#include "lib/base/limit.h"
#include "lib/base/log.h"
#include "lib/base/times.h"
#include "lib/bootstrap/bootstrap.h"
#include "lib/bootstrap/pmix_ask.h"
#include "lib/bootstrap/pmix_kept.h"

static struct {
    pmix_proc_t me;
    /* The job, with the list of this node's PEs. */
    const struct ash_bootstrap *job;
    /* The process that opened the connection to PMIx's server, or 0.  It stays
     * open until that process ends: PMIx does not survive being started again
     * (now and then a second PMIx_Init never returns). */
    pid_t opened_by;
    /* No other process had this PE's rank before it. */
    bool first;
    /* The library is started in a job with a launcher.  Written by: the threads that start and end
     * it.  Read by: the same, and PMIx's thread. */
    bool running;
    /* No launcher is left.  Written by: PMIx's thread.  Read by: a thread that aborts. */
    bool lost;
    /* Starts of the library in this process: each has its own key. */
    unsigned starts;
    /* A job of one PE without a launcher. */
    bool alone;
} self;

static const char list_of_node[] = "the list of this node's PEs";

static int failed(const char *what, pmix_status_t status)
{
    ash_log(ASH_LOG_ERROR, "PMIx: %s: %s", what, PMIx_Error_string(status));
    return ASH_ERROR_BOOTSTRAP;
}

/* The number of PEs that a launcher without PMIx seems to have started, or 0. */
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

/* A certain cause says more than the launcher's end, which follows from it; a connection that
 * breaks may itself follow. */
static _Noreturn void end_for_launcher(void)
{
    struct ash_cause cause;
    bool is_suspected;
    if (ash_kept_cause(&cause, &is_suspected) >= 0 && !is_suspected) ash_end(&cause, 0, NULL);
    ash_fatal("lost the connection to the launcher: this PE exits");
}

/*
 * The launcher died.  It cannot end this PE any more, so the PE ends itself, at once if the job is
 * ending: nobody is left to wait for.  In PMIx's thread.
 */
static void on_lost_connection(size_t handler, pmix_status_t status, const pmix_proc_t *source,
                               pmix_info_t info[], size_t n_info, pmix_info_t results[],
                               size_t n_results, pmix_event_notification_cbfunc_fn_t done,
                               void *done_data)
{
    (void)handler, (void)status, (void)source, (void)info, (void)n_info, (void)results;
    (void)n_results;
    __atomic_store_n(&self.lost, true, __ATOMIC_RELAXED);
    if (ash_end_begun())
        ash_end_within(ASH_FORWARD_MS);
    else if (__atomic_load_n(&self.running, __ATOMIC_ACQUIRE))
        end_for_launcher();
    if (done != NULL) done(PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, done_data);
}

static int unreadable(void)
{
    ash_log(ASH_LOG_ERROR, "PMIx: the list of local peers cannot be read");
    return ASH_ERROR_BOOTSTRAP;
}

static int compare(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* Launchers that place PEs by package or core list them in the order of these places. */
static int sort_peers(struct ash_bootstrap *b)
{
    qsort(b->local_pes, b->n_local, sizeof(*b->local_pes), compare);
    for (uint32_t i = 1; i < b->n_local; i++)
        if (b->local_pes[i] == b->local_pes[i - 1]) return unreadable();
    return 0;
}

/* "0,5,1" as numbers, in ascending order. */
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
        if (end == list || pe >= ret_bootstrap->n_pes || (*end != ',' && *end != '\0'))
            return unreadable();
        ret_bootstrap->local_pes[ret_bootstrap->n_local++] = (uint32_t)pe;
        if (*end == '\0') return sort_peers(ret_bootstrap);
        list = end + 1;
    }
}

static const char no_fact[] = "the launcher does not say: take another one";

static int read_job(struct ash_bootstrap *ret_bootstrap)
{
    pmix_value_t *value;
    const char *job = self.me.nspace;
    int rc = ash_pmix_get(job, PMIX_RANK_WILDCARD, PMIX_JOB_SIZE, no_fact, &value);
    if (rc != 0) return rc;
    ret_bootstrap->pe = self.me.rank;
    ret_bootstrap->n_pes = value->data.uint32;
    PMIX_VALUE_RELEASE(value);
    rc = ash_pmix_get(job, PMIX_RANK_WILDCARD, PMIX_LOCAL_PEERS, no_fact, &value);
    if (rc != 0) return rc;
    rc = parse_peers(value->data.string, ret_bootstrap);
    PMIX_VALUE_RELEASE(value);
    return rc;
}

/*
 * Tell the launcher that this PE has ended normally: after the program's exit handlers and static
 * destructors, in which it may still call nvshmem_finalize.  Not if the library is still
 * started: then the launcher must see an abnormal end, and end the other PEs.
 * Not in a forked child: the connection is its parent's.
 */
__attribute__((destructor)) static void close_connection(void)
{
    if (self.opened_by == getpid() && !self.running) PMIx_Finalize(NULL, 0);
}

static void record_key(char *key, size_t nbytes)
{
    snprintf(key, nbytes, "anyshmem.%u", self.starts);
}

/*
 * If another process had this PE's rank before, or still has it, the other PEs would find
 * the record that it has published.
 */
static int check_first(void)
{
    char key[32];
    record_key(key, sizeof(key));
    if (!ash_pmix_knows(self.me.nspace, self.me.rank, key)) return 0;
    ash_log(ASH_LOG_ERROR,
            "PE %u was started before in this job: a job runs one program, once; start this one "
            "with a launcher of its own, or without PMIX_NAMESPACE", self.me.rank);
    /* Some launchers hang if they must end the job while another PE connects. */
    ash_sleep_ms(ASH_CONNECT_MS);
    return ASH_ERROR_BOOTSTRAP;
}

/* PMIx waits a second for more events like one before it passes that on, as this process finds it
 * set when it starts PMIx; a PE that has lost its launcher ends at once. */
static pmix_status_t start_pmix(void)
{
    static const char wait_for_more[] = "PMIX_MCA_pmix_event_caching_window";
    bool is_set = getenv(wait_for_more) != NULL;
    pmix_status_t status;
    if (!is_set) (void)setenv(wait_for_more, "0", 1);
    status = PMIx_Init(&self.me, NULL, 0);
    if (!is_set) (void)unsetenv(wait_for_more);
    return status;
}

/* PMIx waits indefinitely for a server that is there, and does not answer. */
static pmix_status_t init_within_limit(void)
{
    int64_t ms = ash_env.init_timeout * 1000;
    char text[160];
    pmix_status_t status;
    if (ms > 0 && ms < ASH_SERVER_MS) ms = ASH_SERVER_MS;
    snprintf(text, sizeof(text),
             "PMIx: the launcher's server has not answered within %d s (ANYSHMEM_INIT_TIMEOUT)",
             (int)(ms / 1000));
    ash_limit_begin(ms, text);
    status = start_pmix();
    ash_limit_end();
    return status;
}

static bool is_open(void)
{
    return __atomic_load_n(&self.opened_by, __ATOMIC_ACQUIRE) == getpid();
}

/* The connection is that of a process that forked this one.  Here PMIx takes itself for started,
 * and would wait for a thread that only that one has. */
static bool is_inherited(void)
{
    return __atomic_load_n(&self.opened_by, __ATOMIC_ACQUIRE) != 0 && !is_open();
}

/* By the thread that starts the library, and before that by one that asks for the local PEs. */
static pmix_status_t connect_once(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pmix_status_t status = PMIX_SUCCESS, lost = PMIX_ERR_LOST_CONNECTION;
    pthread_mutex_lock(&lock);
    if (!is_open()) {
        status = init_within_limit();
        if (status == PMIX_SUCCESS) {
            PMIx_Register_event_handler(&lost, 1, NULL, 0, on_lost_connection, NULL, NULL);
            __atomic_store_n(&self.opened_by, getpid(), __ATOMIC_RELEASE);
        }
    }
    pthread_mutex_unlock(&lock);
    return status;
}

static int open_connection(void)
{
    pmix_status_t status;
    if (is_inherited()) {
        ash_log(ASH_LOG_ERROR, "PMIx cannot be used in a process that was forked after its start");
        return ASH_ERROR_BOOTSTRAP;
    }
    status = connect_once();
    if (status != PMIX_SUCCESS) {
        ash_log(ASH_LOG_ERROR,
                "PMIx: no server answers (%s), though PMIX_NAMESPACE is set: start with prterun, "
                "mpirun or srun --mpi=pmix; for a job of one PE, unset it",
                PMIx_Error_string(status));
        return ASH_ERROR_BOOTSTRAP;
    }
    if (!self.first && check_first() != 0) return ASH_ERROR_BOOTSTRAP;
    self.first = true;
    return 0;
}

uint32_t ash_bootstrap_n_local(void)
{
    pmix_value_t *value;
    uint32_t n = 0;
    if (ash_env_get("PMIX_NAMESPACE") == NULL || is_inherited()) return 0;
    if (connect_once() != PMIX_SUCCESS) return 0;
    if (ash_pmix_try(self.me.nspace, PMIX_RANK_WILDCARD, PMIX_LOCAL_SIZE, &value) != PMIX_SUCCESS)
        return 0;
    if (value->type == PMIX_UINT32) n = value->data.uint32;
    PMIX_VALUE_RELEASE(value);
    return n;
}

static void pmix_abort(int status)
{
    if (!self.running || __atomic_load_n(&self.lost, __ATOMIC_RELAXED)) return;
    PMIx_Abort(status, "anyshmem: the job was ended", NULL, 0);
}

static int pmix_start(struct ash_bootstrap *ret_bootstrap)
{
    int rc;
    self.starts++;
    self.job = ret_bootstrap;
    if (ash_env_get("PMIX_NAMESPACE") == NULL) {
        rc = start_alone(ret_bootstrap);
        return rc == 0 ? ash_pmix_kept_start(1) : rc;
    }
    rc = open_connection();
    if (rc == 0) rc = read_job(ret_bootstrap);
    if (rc == 0) rc = ash_pmix_kept_start(ret_bootstrap->n_pes);
    __atomic_store_n(&self.running, rc == 0, __ATOMIC_RELEASE);
    return rc;
}

static int pmix_publish(const void *record, size_t nbytes)
{
    pmix_value_t value;
    pmix_status_t status;
    char key[32];
    /* In a job this PE requests its own record as well, since another process may have its rank. */
    if (self.alone)
        return ash_pmix_keep(0, record, nbytes) ? 0 : ash_no_memory_for("the record of this PE");
    record_key(key, sizeof(key));
    PMIX_VALUE_CONSTRUCT(&value);
    value.type = PMIX_BYTE_OBJECT;
    value.data.bo.bytes = (char *)(uintptr_t)record;
    value.data.bo.size = nbytes;
    status = PMIx_Put(PMIX_GLOBAL, key, &value);
    if (status == PMIX_SUCCESS) status = PMIx_Commit();
    return status == PMIX_SUCCESS ? 0 : failed("cannot publish", status);
}

static int pmix_fence(void)
{
    pmix_status_t status;
    int seconds = ash_env.init_timeout;
    int64_t began = ash_now_ms();
    bool starting = ash_library_state != ASH_LIBRARY_STARTED, partial, reported;
    char key[32];
    if (self.alone) return 0;
    status = ash_pmix_fence(seconds);
    if (status == PMIX_SUCCESS) return 0;
    partial = starting && status == PMIX_ERR_PARTIAL_SUCCESS;
    record_key(key, sizeof(key));
    reported = ash_pmix_report_missing(self.me.nspace, self.job, key,
                                       seconds > 0 && ash_now_ms() - began >= (seconds - 1) * 1000);
    /* A PE was lost during the fence, after it had published: the watch, or a PE that connects to
     * it, will name it. */
    if (partial && !reported) return 0;
    return reported ? ASH_ERROR_BOOTSTRAP : failed("not all PEs came to the fence", status);
}

static int pmix_get(uint32_t pe, void **ret_record, size_t *ret_nbytes)
{
    char key[32];
    int rc = ash_pmix_kept(pe, ret_record, ret_nbytes);
    if (rc != 0 || *ret_record != NULL) return rc;
    record_key(key, sizeof(key));
    rc = ash_pmix_record(self.me.nspace, self.job, pe, key, ret_record, ret_nbytes);
    if (rc == 0) (void)ash_pmix_keep(pe, *ret_record, *ret_nbytes);
    return rc;
}

static void pmix_stop(void)
{
    ash_pmix_kept_stop();
    __atomic_store_n(&self.running, false, __ATOMIC_RELEASE);
    self.alone = false;
}

const struct ash_bootstrap_backend ash_bootstrap_pmix = {
    .name = "PMIx",
    .start = pmix_start,
    .publish = pmix_publish,
    .fence = pmix_fence,
    .get = pmix_get,
    .stop = pmix_stop,
    .abort = pmix_abort,
};
