/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of this process's end is one word: running, shutting down or ending, and the thread
 * that does it.
 *
 *   running --ash_shutdown_begin--> shutting down --ash_shutdown_end--> running
 *      |                                |
 *      +-------- ash_end_begin ---------+--> ending, until the process has ended
 *
 * Invariants:
 *   1. Only a thread that has put its id in the word changes it, but for (3).
 *   2. Nothing leaves `ending`: one thread ends the process, and runs each step at most once.
 *   3. A shutdown that takes longer than ASH_SHUTDOWN_MS is overtaken: its thread may be waiting
 *      for the one that ends the job.
 */
#include "lib/base/end.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "lib/base/deadline.h"
#include "lib/base/kept.h"
#include "lib/base/log.h"
#include "lib/base/times.h"

enum { RUNNING, SHUTTING_DOWN, ENDING, STATES = 4 };

void (*ash_abort_hook)(int status);
void (*ash_notify_hook)(const struct ash_cause *cause);
void (*ash_poison_hook)(void);

/* A state plus STATES times the id of the thread that it belongs to. */
static uint32_t state;

/* What the thread that ends the job has.  The handler of SIGALRM reads status and latest. */
static struct {
    int status;
    /* When the process ends at the latest, in milliseconds of ash_now_ms. */
    int64_t latest;
    unsigned next_step;
    unsigned flags;
    char text[1024];
    struct ash_cause cause;
    /* NULL, then &cause, stored when that is complete.  Read by: any thread. */
    const struct ash_cause *known;
} ending = {.status = ASH_EXIT_FATAL};

static uint32_t with_caller(uint32_t which)
{
    return (uint32_t)gettid() * STATES + which;
}

static uint32_t current_state(void)
{
    return __atomic_load_n(&state, __ATOMIC_ACQUIRE);
}

bool ash_end_begun(void) { return current_state() % STATES == ENDING; }

bool ash_end_is_mine(void) { return current_state() == with_caller(ENDING); }

const struct ash_cause *ash_end_cause(void)
{
    /* Pairs with the release in ash_end: the cause is complete. */
    return __atomic_load_n(&ending.known, __ATOMIC_ACQUIRE);
}

static bool change_state(uint32_t from, uint32_t to)
{
    return __atomic_compare_exchange_n(&state, &from, to, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE);
}

void ash_shutdown_begin(void)
{
    while (!change_state(RUNNING, with_caller(SHUTTING_DOWN))) ash_sleep_ms(10);
}

void ash_shutdown_end(void)
{
    ash_kept_forget();
    /* It fails if the shutdown was overtaken: the process is about to end. */
    (void)change_state(with_caller(SHUTTING_DOWN), RUNNING);
}

void ash_end_forked(void)
{
    __atomic_store_n(&state, RUNNING, __ATOMIC_RELAXED);
    ash_abort_hook = NULL;
    ash_notify_hook = NULL;
    ash_kept_hook = NULL;
    ash_kept_forget();
}

/* The program's own timer may send SIGALRM as well, until this one has replaced it. */
static void end_if_late(int signal_number)
{
    (void)signal_number;
    if (ash_now_ms() >= __atomic_load_n(&ending.latest, __ATOMIC_RELAXED)) _exit(ending.status);
}

void ash_end_within(int ms)
{
    struct sigaction action = {.sa_handler = end_if_late, .sa_flags = SA_RESTART};
    struct itimerval timer = {{0, 10000}, {ms / 1000, ms % 1000 * 1000}};
    sigset_t set;
    __atomic_store_n(&ending.latest, ash_now_ms() + ms, __ATOMIC_RELAXED);
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigaction(SIGALRM, &action, NULL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* Become the thread that ends the job; any other one ends the process only if that one does not. */
static void take_state(void)
{
    int64_t began = ash_now_ms();
    for (;;) {
        uint32_t now = current_state();
        int64_t waited = ash_now_ms() - began;
        bool free = now == RUNNING || now == with_caller(SHUTTING_DOWN) ||
                    (now % STATES == SHUTTING_DOWN && waited >= ASH_SHUTDOWN_MS);
        if (free && change_state(now, with_caller(ENDING))) return;
        /* With a time limit, because the first thread may be waiting for this one. */
        if (now % STATES == ENDING && waited >= ASH_OTHER_THREADS_MS) _exit(ending.status);
        ash_sleep_ms(1);
    }
}

void ash_end_begin(int status)
{
    int unused;
    /* A cancelled thread would leave the job half ended. */
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &unused);
    if (ash_end_is_mine()) return;
    take_state();
    ending.status = status;
    ash_end_within(ASH_END_MS);
}

/* Has this PE itself ended the job? */
static bool is_own(const struct ash_cause *cause)
{
    struct ash_cause own;
    ash_cause_own(&own, 0);
    /* The process id alone is not enough: in containers many processes have the same. */
    return cause->kind == own.kind && cause->pe == own.pe && cause->pid == own.pid;
}

static void log_cause(void)
{
    bool by_other = ending.cause.kind == ASH_CAUSE_ENDED && !is_own(&ending.cause);
    /* The PE that ended the job has logged the error itself. */
    if (!(ending.flags & ASH_END_LOGGED))
        ash_log(by_other ? ASH_LOG_WARN : ASH_LOG_ERROR, "%s", ending.text);
    ash_log_last_error();
}

static void notify(void)
{
    if (ash_notify_hook != NULL) ash_notify_hook(&ending.cause);
}

/*
 * A launcher reads standard error from a pipe, and may end the job when a process
 * ends, before it has read everything: wait until it has read and forwarded it.
 * Without a pipe the pause is needed as well: other PEs write at the same time why they
 * end, and the launcher may end them as soon as it sees that this one has ended.
 */
static void let_launcher_read(void)
{
    struct stat st;
    bool piped = fstat(STDERR_FILENO, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
    int unread = piped ? 1 : 0;
    for (int i = 0; i < ASH_READ_MS && unread > 0; i++) {
        ash_sleep_ms(1);
        if (ioctl(STDERR_FILENO, FIONREAD, &unread) != 0) break;
    }
    ash_sleep_ms(ASH_FORWARD_MS);
}

/* Not earlier: the program's threads would go on with the results of kernels that were cut short,
 * and the log waits longer than this limit for a standard error that is not read. */
static void poison(void)
{
    ash_end_within(is_own(&ending.cause) ? ASH_ABORT_MS : ASH_ABORT_FOR_OTHERS_MS);
    if (ash_poison_hook != NULL) ash_poison_hook();
}

static void abort_job(void)
{
    if (ash_abort_hook != NULL) ash_abort_hook(ending.status);
}

static void (*const steps[])(void) = {log_cause, notify, let_launcher_read, poison, abort_job};

/* Appended to the calling thread's line. */
static __thread const char *suffix = "";

void ash_end_suffix(const char *text)
{
    suffix = text;
}

static void set_cause(const struct ash_cause *cause, unsigned flags, const char *text)
{
    char described[256];
    ending.status = cause->status;
    ending.flags = flags;
    ending.cause = *cause;
    ash_cause_describe(cause, described, sizeof(described));
    snprintf(ending.text, sizeof(ending.text), "%s%s", text != NULL ? text : described, suffix);
    /* Pairs with the acquire in ash_end_cause. */
    __atomic_store_n(&ending.known, &ending.cause, __ATOMIC_RELEASE);
}

_Noreturn void ash_end(const struct ash_cause *cause, unsigned flags, const char *text)
{
    ash_end_begin(cause->status);
    if (ending.known == NULL) set_cause(cause, flags, text);
    while (ending.next_step < sizeof(steps) / sizeof(steps[0])) steps[ending.next_step++]();
    _exit(ending.status);
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
    ash_end(&cause, 0, text);
}

_Noreturn void ash_fatal_logged(void)
{
    struct ash_cause cause;
    ash_cause_own(&cause, ASH_EXIT_FATAL);
    ash_end(&cause, ASH_END_LOGGED, NULL);
}
