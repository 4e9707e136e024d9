/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/error.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "device/observe/observe.h"
#include "device/target/target.h"
#include "lib/cuda/cuda.h"
#include "lib/base/deadline.h"
#include "lib/base/log.h"
#include "lib/watch/status.h"

/* What the launcher may take to end the job; less where another PE is the cause. */
#define ABORT_MS 10000
#define ABORT_MS_FOR_OTHERS 500
/* What other threads give it when they cannot go on, either. */
#define OTHERS_WAIT_MS 2000
/* What the end of the library gets to come to its own end. */
#define GATE_MS 500
/* What the launcher gets to read the message, in milliseconds, and to pass it on. */
#define READ_MS 500
#define PASSING_ON_MS 50
/* The longest silence without a warning. */
#define WARN_MS 10000

void (*ash_abort_hook)(int status);
void (*ash_tell_hook)(const struct ash_cause *cause);
const struct ash_cause *ash_end_cause;
enum ash_life ash_life;

const char *ash_error_text(int error)
{
    switch (error) {
    case 0: return "no error";
#define X(NAME, VALUE, TEXT) \
    case ASH_ERROR_##NAME: return TEXT;
        ASH_ERRORS(X)
#undef X
    default: return "unknown error";
    }
}

bool ash_silence_grows(struct ash_silence *silence, int elapsed_ms, int limit_ms)
{
    int first_ms = limit_ms / 4 < WARN_MS ? limit_ms / 4 : WARN_MS;
    silence->ms += elapsed_ms;
    if (silence->ms < (silence->next_ms == 0 ? first_ms : silence->next_ms)) return false;
    silence->next_ms = silence->ms + (silence->ms > WARN_MS ? silence->ms : WARN_MS);
    return true;
}

int ash_no_memory_for(const char *what)
{
    ash_log(ASH_LOG_ERROR, "out of memory for %s", what);
    return ASH_ERROR_NO_MEMORY;
}

int ash_no_thread_for(const char *what, int why)
{
    ash_log(ASH_LOG_ERROR, "cannot start a thread for %s (%s): set the limit of processes higher "
                           "(ulimit -u, or pids.max of the control group)", what, strerror(why));
    return ASH_ERROR_SYSTEM;
}

void ash_cause_of_peer(struct ash_cause *ret_cause, enum ash_cause_kind kind, uint32_t pe,
                       int64_t pid, const char *host)
{
    memset(ret_cause, 0, sizeof(*ret_cause));
    ret_cause->kind = kind;
    ret_cause->status = ASH_EXIT_PEER_LOST;
    ret_cause->pe = pe;
    ret_cause->pid = pid;
    snprintf(ret_cause->host, sizeof(ret_cause->host), "%s", host);
}

bool ash_cause_take(struct ash_cause *ret_cause, const void *bytes, size_t nbytes,
                    uint32_t n_pes)
{
    if (nbytes != sizeof(*ret_cause)) return false;
    memcpy(ret_cause, bytes, sizeof(*ret_cause));
    ret_cause->host[sizeof(ret_cause->host) - 1] = '\0';
    ret_cause->why[sizeof(ret_cause->why) - 1] = '\0';
    return ret_cause->kind >= ASH_CAUSE_ENDED && ret_cause->kind <= ASH_CAUSE_BROKEN &&
           ret_cause->pe < n_pes;
}

/* What the process ends with; the first thread that ends it says so. */
static int end_status = ASH_EXIT_FATAL;
static bool taken;

static void end_now(int signal_number)
{
    (void)signal_number;
    _exit(end_status);
}

void ash_end_within(int ms)
{
    struct sigaction action = {.sa_handler = end_now};
    struct itimerval timer = {{0, 0}, {ms / 1000, ms % 1000 * 1000}};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigaction(SIGALRM, &action, NULL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

/*
 * One message ends a job, so the first thread that comes here has its way.
 * Others wait for it: their trouble is often that the first one ends the job.
 */
static void be_the_first(int status)
{
    static __thread bool mine;
    if (mine) _exit(end_status);
    mine = true;
    if (__atomic_exchange_n(&taken, true, __ATOMIC_ACQ_REL)) {
        /* It may wait for this very thread, so not for ever. */
        ash_sleep_ms(OTHERS_WAIT_MS);
        _exit(end_status);
    }
    end_status = status;
}

/*
 * Who ends the job tells others by parts that the end of the library takes away; which of
 * the two is first keeps the gate.  A job that ends does not give it back.
 */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
/* This thread has the gate; it ends the job. */
static __thread bool has_gate, ends;

void ash_end_gate_enter(void)
{
    (void)pthread_mutex_lock(&gate);
    has_gate = true;
}

void ash_end_gate_leave(void)
{
    has_gate = false;
    (void)pthread_mutex_unlock(&gate);
}

/* Whoever has it may wait for this very thread, so not for ever. */
static void take_gate(void)
{
    for (int ms = 0; !has_gate && ms < GATE_MS; ms++) {
        has_gate = pthread_mutex_trylock(&gate) == 0;
        if (!has_gate) ash_sleep_ms(1);
    }
}

void ash_end_begins(int status)
{
    int unused;
    /* Nothing takes the thread away from it. */
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &unused);
    /* Who comes later does not prolong it: such a one has limits of its own. */
    if (!__atomic_load_n(&taken, __ATOMIC_ACQUIRE)) {
        end_status = status;
        ash_end_within(ABORT_MS);
    }
    ends = true;
    take_gate();
}

bool ash_end_is_mine(void)
{
    return ends;
}

/*
 * A launcher reads standard error from a pipe, and when a process ends it may
 * end the job before it has read all: wait until it has, and has passed it on.
 * What is no pipe needs the time as well: other PEs say at the same time why they
 * end, and the launcher may end them as soon as it sees that this one did.
 */
static void let_launcher_read(void)
{
    static bool has_read;
    struct stat st;
    int unread;
    bool piped = fstat(STDERR_FILENO, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
    if (__atomic_exchange_n(&has_read, true, __ATOMIC_RELAXED)) return;
    unread = piped ? 1 : 0;
    for (int i = 0; i < READ_MS && unread > 0; i++) {
        ash_sleep_ms(1);
        if (ioctl(STDERR_FILENO, FIONREAD, &unread) != 0) break;
    }
    ash_sleep_ms(PASSING_ON_MS);
}

void ash_fatal_let_read(void)
{
    let_launcher_read();
}

/* Which thread of a GPU the calling thread's message is about. */
static __thread const char *gpu_thread = "";

/* Why the job ends was said. */
static bool said;

/* This PE itself ended it. */
static bool is_own(const struct ash_cause *cause)
{
    struct ash_cause own;
    ash_cause_own(&own, 0);
    /* In containers many have the same number. */
    return cause->kind == own.kind && cause->pe == own.pe && cause->pid == own.pid;
}

_Noreturn void ash_end(const struct ash_cause *cause, int level, const char *text)
{
    ash_end_begins(cause->status);
    be_the_first(cause->status);
    __atomic_store_n(&ash_end_cause, cause, __ATOMIC_RELEASE);
    if (text != NULL) ash_log((enum ash_level)level, "%s%s", text, gpu_thread);
    said = true;
    ash_log_last_error();
    if (ash_tell_hook != NULL) ash_tell_hook(cause);
    if (text != NULL) let_launcher_read();
    /* Only now: a standard error that nobody reads takes more than that. */
    if (!is_own(cause)) ash_end_within(ABORT_MS_FOR_OTHERS);
    /* Not before: the program's threads would go on with what such kernels leave. */
    ash_cuda_poison();
    if (ash_abort_hook != NULL) ash_abort_hook(cause->status);
    _exit(cause->status);
}

_Noreturn void ash_end_untold(void)
{
    const struct ash_cause *cause = __atomic_load_n(&ash_end_cause, __ATOMIC_ACQUIRE);
    int status = cause != NULL ? cause->status : end_status;
    char text[256];
    if (!said && cause != NULL) {
        ash_cause_describe(cause, text, sizeof(text));
        ash_log(cause->kind == ASH_CAUSE_ENDED ? ASH_LOG_WARN : ASH_LOG_ERROR, "%s", text);
    }
    ash_end_within(ABORT_MS_FOR_OTHERS);
    if (ash_abort_hook != NULL) ash_abort_hook(status);
    _exit(status);
}

_Noreturn void ash_fatal(const char *format, ...)
{
    struct ash_cause cause;
    char text[768];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    ash_cause_own(&cause, ASH_EXIT_FATAL);
    ash_end(&cause, ASH_LOG_ERROR, text);
}

_Noreturn void ash_fatal_told(void)
{
    struct ash_cause cause;
    ash_end_begins(ASH_EXIT_FATAL);
    ash_fatal_let_read();
    ash_cause_own(&cause, ASH_EXIT_FATAL);
    ash_end(&cause, ASH_LOG_ERROR, NULL);
}

/* OpenSHMEM's routines name its constants, which have the values of NVSHMEM's. */
static const char *prefix(const struct ash_fault *f)
{
    return f->function[0] == 's' ? "SHMEM" : "NVSHMEM";
}

static const char *why_not_started(void)
{
    switch (ash_life) {
    case ASH_LIFE_FINALIZED: return "called after nvshmem_finalize";
    case ASH_LIFE_FORKED: return "not usable in a forked child";
    default: return "called before nvshmem_init";
    }
}

static _Noreturn void report_range(const struct ash_fault *f)
{
    const struct ash_state *s = dev_state;
    ash_fatal("%s: %s 0x%" PRIx64 " (%" PRIu64
              " bytes) is outside the symmetric heap [%p, %p)",
              f->function, f->argument, f->value, f->nbytes, (void *)s->heap,
              (void *)(s->heap + s->heap_size));
}

void ash_fault_report(const struct ash_fault *f)
{
    if (f->kind == ASH_FAULT_HOST_DEVICE) ash_fatal("%s", f->argument);
    if (ash_job_pes() == 0) ash_fatal("%s: %s", f->function, why_not_started());
    switch (f->kind) {
    case ASH_FAULT_NOT_STARTED: ash_fatal("%s: %s", f->function, why_not_started());
    case ASH_FAULT_PE:
        ash_fatal("%s: pe %" PRId64 " is out of range: this job has PEs 0..%u", f->function,
                  (int64_t)f->value, ash_job_pes() - 1);
    case ASH_FAULT_RANGE: report_range(f);
    case ASH_FAULT_ALIGNMENT:
        ash_fatal("%s: %s 0x%" PRIx64 " is not aligned to %" PRIu64 " bytes", f->function,
                  f->argument, f->value, f->nbytes);
    case ASH_FAULT_CMP:
        ash_fatal("%s: cmp %" PRId64 " is not one of %s_CMP_EQ..%s_CMP_GE (0..5)", f->function,
                  (int64_t)f->value, prefix(f), prefix(f));
    case ASH_FAULT_SIGNAL_OP:
        ash_fatal("%s: sig_op %" PRId64 " is neither %s_SIGNAL_SET (9) nor %s_SIGNAL_ADD (10)",
                  f->function, (int64_t)f->value, prefix(f), prefix(f));
    case ASH_FAULT_ISHMEM_CMP:
        ash_fatal("%s: cmp %" PRId64 " is not one of ISHMEM_CMP_EQ..ISHMEM_CMP_LE (1..6)",
                  f->function, (int64_t)f->value);
    case ASH_FAULT_ISHMEM_SIGNAL_OP:
        ash_fatal("%s: sig_op %" PRId64
                  " is neither ISHMEM_SIGNAL_SET (0) nor ISHMEM_SIGNAL_ADD (1)",
                  f->function, (int64_t)f->value);
    case ASH_FAULT_GROUP:
        ash_fatal("%s: group %" PRId64 " is not one of ISHMEMX_GROUP_THREAD.._WORK_GROUP (0..2)",
                  f->function, (int64_t)f->value);
    case ASH_FAULT_TEAM:
        ash_fatal("%s: team %" PRId64 " is no team that this PE is in", f->function,
                  (int64_t)f->value);
    case ASH_FAULT_ROOT:
        ash_fatal("%s: %s %" PRId64 " is out of range: the team has PEs 0..%" PRIu64, f->function,
                  f->argument, (int64_t)f->value, f->nbytes - 1);
    case ASH_FAULT_SIZE:
        ash_fatal("%s: %s %" PRIu64 " of %" PRIu64 " bytes each are more than memory has",
                  f->function, f->argument, f->value, f->nbytes);
    case ASH_FAULT_STREAM:
        ash_fatal("%s: stream 0x%" PRIx64 " does not exist: it was destroyed, or is none of "
                  "anyshmemx_stream_create", f->function, f->value);
    case ASH_FAULT_QUEUE:
        ash_fatal("%s: no memory or no thread for an operation on stream 0x%" PRIx64, f->function,
                  f->value);
    default: ash_fatal("%s: %s is NULL", f->function, f->argument);
    }
}

/* Copy a name that a GPU wrote: it may lack its end, or be empty. */
static const char *take_name(char *to, const char *from, size_t size, const char *if_empty)
{
    memcpy(to, from, size);
    to[size - 1] = '\0';
    return *to == '\0' ? if_empty : to;
}

void ash_fault_report_gpu(const struct ash_fault_box *box)
{
    char function[ASH_FAULT_FUNCTION], argument[ASH_FAULT_ARGUMENT], thread[128];
    struct ash_fault fault = {
        .kind = (enum ash_fault_kind)box->kind,
        .function = take_name(function, box->function, sizeof(function), "a device routine"),
        .argument = take_name(argument, box->argument, sizeof(argument), "an argument"),
        .value = box->value,
        .nbytes = box->nbytes};
    snprintf(thread, sizeof(thread), " (GPU: block %u,%u,%u, thread %u,%u,%u)", box->block[0],
             box->block[1], box->block[2], box->thread[0], box->thread[1], box->thread[2]);
    gpu_thread = thread;
    ash_fault_report(&fault);
    ash_fatal("%s: fault %u", fault.function, (unsigned)fault.kind);
}
