/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a job: one line that says why, then the other PEs and the launcher are
 * told, then this process ends, each within a time limit of its own.
 */
#include "lib/base/end.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/deadline.h"
#include "lib/base/log.h"

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

void (*ash_abort_hook)(int status);
void (*ash_notify_hook)(const struct ash_cause *cause);
void (*ash_poison_hook)(void);
const struct ash_cause *ash_end_cause;

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
        /* It may wait for this very thread, so not indefinitely. */
        ash_sleep_ms(OTHERS_WAIT_MS);
        _exit(end_status);
    }
    end_status = status;
}

/*
 * A thread that ends the job notifies others by parts that the end of the library takes
 * away; which of
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

/* Whoever has it may wait for this very thread, so not indefinitely. */
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

/* What the calling thread's message ends with. */
static __thread const char *suffix = "";

/* Why the job ends was said. */
static bool said;

void ash_end_suffix(const char *text)
{
    suffix = text;
}

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
    if (text != NULL) ash_log((enum ash_level)level, "%s%s", text, suffix);
    said = true;
    ash_log_last_error();
    if (ash_notify_hook != NULL) ash_notify_hook(cause);
    if (text != NULL) let_launcher_read();
    /* Only now: a standard error that nobody reads takes more than that. */
    if (!is_own(cause)) ash_end_within(ABORT_MS_FOR_OTHERS);
    /* Not before: the program's threads would go on with what such kernels leave. */
    if (ash_poison_hook != NULL) ash_poison_hook();
    if (ash_abort_hook != NULL) ash_abort_hook(cause->status);
    _exit(cause->status);
}

_Noreturn void ash_end_without_notice(void)
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

_Noreturn void ash_fatal_logged(void)
{
    struct ash_cause cause;
    ash_end_begins(ASH_EXIT_FATAL);
    ash_fatal_let_read();
    ash_cause_own(&cause, ASH_EXIT_FATAL);
    ash_end(&cause, ASH_LOG_ERROR, NULL);
}
