/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a job: log one line that says why, notify the other PEs and the launcher,
 * then end this process; each step has a time limit of its own.
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

/* How long the end of the job may take; less where another PE is the cause. */
#define ABORT_MS 10000
#define ABORT_MS_FOR_OTHERS 500
/* How long another thread that would end the job waits for the first one. */
#define OTHERS_WAIT_MS 2000
/* How long a thread that ends the job waits for an end of the library in progress. */
#define GATE_MS 500
/* How long the launcher has to read the message, and to forward it. */
#define READ_MS 500
#define PASSING_ON_MS 50

void (*ash_abort_hook)(int status);
void (*ash_notify_hook)(const struct ash_cause *cause);
void (*ash_poison_hook)(void);
const struct ash_cause *ash_end_cause;

/*
 * The exit status, and whether a thread has taken over the end of the process; from then on only
 * that thread sets the status.  Written by: threads that end the job.  Read by: them, and the
 * handler of SIGALRM.
 */
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
 * A job ends with one message, that of the first thread that comes here.  Others
 * wait for it: they often fail only because the first one is ending the job.
 */
static void be_the_first(int status)
{
    static __thread bool mine;
    if (mine) _exit(end_status);
    mine = true;
    if (__atomic_exchange_n(&taken, true, __ATOMIC_ACQ_REL)) {
        /* With a time limit, because the first thread may be waiting for this one. */
        ash_sleep_ms(OTHERS_WAIT_MS);
        _exit(end_status);
    }
    end_status = status;
}

/*
 * A thread that ends the job notifies others through parts that the end of the library
 * frees, so each of the two takes the gate first.  A thread that ends the job never
 * gives it back.
 */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

/* Has this thread the gate?  Does it end the job? */
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

/* With a time limit, because the thread that has the gate may be waiting for this one. */
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
    /* A cancelled thread would leave the job half ended. */
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &unused);
    /* A later thread must not restart the timer; be_the_first limits its time. */
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
 * A launcher reads standard error from a pipe, and may end the job when a process
 * ends, before it has read everything: wait until it has read and forwarded it.
 * Without a pipe the pause is needed as well: other PEs write at the same time why they
 * end, and the launcher may end them as soon as it sees that this one has ended.
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

/* Appended to the calling thread's message. */
static __thread const char *suffix = "";

/* The line that says why the job ends was written, or was not wanted. */
static bool said;

void ash_end_suffix(const char *text)
{
    suffix = text;
}

/* Has this PE itself ended the job? */
static bool is_own(const struct ash_cause *cause)
{
    struct ash_cause own;
    ash_cause_own(&own, 0);
    /* The process id alone is not enough: in containers many processes have the same. */
    return cause->kind == own.kind && cause->pe == own.pe && cause->pid == own.pid;
}

_Noreturn void ash_end(const struct ash_cause *cause, int level, const char *text)
{
    ash_end_begins(cause->status);
    be_the_first(cause->status);
    /* Pairs with the acquire loads, here and in the proxy: the cause is complete. */
    __atomic_store_n(&ash_end_cause, cause, __ATOMIC_RELEASE);
    if (text != NULL) ash_log((enum ash_level)level, "%s%s", text, suffix);
    said = true;
    ash_log_last_error();
    if (ash_notify_hook != NULL) ash_notify_hook(cause);
    if (text != NULL) let_launcher_read();
    /* Not earlier: the log waits longer than this limit for a standard error that is not read. */
    if (!is_own(cause)) ash_end_within(ABORT_MS_FOR_OTHERS);
    /* Not earlier: the program's threads would go on with the results of kernels that were cut
     * short. */
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
