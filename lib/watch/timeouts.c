/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides when a report is made: at each tick of the watch thread it takes a request that the
 * signal handler has left in a flag, and adds up how long each entry of the wait table lasts.
 */
#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

#include "device/hostdev/running.h"
#include "device/hostdev/wait_table.h"
#include "lib/base/deadline.h"
#include "lib/base/end.h"
#include "lib/base/env.h"
#include "lib/base/log.h"
#include "lib/report/report.h"
#include "lib/report/text.h"
#include "lib/watch/watch.h"

/* How often the wait table is read within the shorter of the two limits. */
#define LOOKS 8
#define LOOK_MS_MIN 50
#define LOOK_MS_MAX 1000

static struct {
    /* The signal that requests a report, or 0. */
    int signal_number;
    /* Written by: the signal handler.  Read and reset by: the watch thread. */
    bool asked;
    /* Makes reports while there is no watch thread; posted by the signal handler. */
    bool early;
    sem_t wanted;
    /* When the table was last read.  Written by: ash_report_start, then the watch thread. */
    int64_t last_look;
    /* How long each wait has lasted while this process ran; used by the watch thread only. */
    struct {
        uint64_t use;
        int64_t ms;
        bool warned;
    } seen[ASH_WAIT_ENTRIES + 1];
} report;

/* A thread makes the report, because little may be called in a signal handler. */
static void on_signal(int number)
{
    (void)number;
    /* Before the wakeup; pairs with the exchange in report_if_asked. */
    __atomic_store_n(&report.asked, true, __ATOMIC_RELEASE);
    ash_watch_wake();
    if (report.early) (void)sem_post(&report.wanted);
}

static void report_if_asked(void)
{
    if (__atomic_exchange_n(&report.asked, false, __ATOMIC_ACQ_REL))
        ash_report_print("requested by a signal");
}

void ash_report_take_signal(void)
{
    static const int signals[] = {0, SIGUSR1, SIGUSR2};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | SA_ONSTACK}, old;
    int number = signals[ash_env.report_signal];
    __atomic_store_n(&report.asked, false, __ATOMIC_RELAXED);
    if (number == 0 || sigaction(number, NULL, &old) != 0) return;
    if ((old.sa_flags & SA_SIGINFO) || old.sa_handler != SIG_DFL) return;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, &action, NULL) == 0) report.signal_number = number;
}

static void *report_early(void *unused)
{
    for (;;) {
        while (sem_wait(&report.wanted) != 0) {
        }
        report_if_asked();
    }
    return unused;
}

void ash_report_early(void)
{
    pthread_t thread;
    ash_report_take_signal();
    if (report.signal_number == 0 || sem_init(&report.wanted, 0, 0) != 0) return;
    report.early = ash_hostdev_thread(&thread, report_early, NULL, "anyshmem-report") == 0;
    if (report.early) (void)pthread_detach(thread);
}

static void give_signal_back(void)
{
    struct sigaction action = {.sa_handler = SIG_DFL}, now;
    int number = report.signal_number;
    report.signal_number = 0;
    if (number == 0 || sigaction(number, NULL, &now) != 0) return;
    if (!(now.sa_flags & SA_SIGINFO) && now.sa_handler == on_signal)
        sigaction(number, &action, NULL);
}

/* The argument of ash_watch_tick_every: 0 if there is no limit to check. */
static int tick_ms(void)
{
    int64_t shorter = ash_env.timeout > 0 ? ash_env.timeout : ash_env.warn_after, ms;
    if (ash_env.warn_after > 0 && ash_env.warn_after < shorter) shorter = ash_env.warn_after;
    ms = shorter * 1000 / LOOKS;
    if (ms == 0) return 0;
    return ms < LOOK_MS_MIN ? LOOK_MS_MIN : ms > LOOK_MS_MAX ? LOOK_MS_MAX : (int)ms;
}

/* Time since the last look, but at most two intervals: the process may have been stopped. */
static int64_t elapsed_ms(void)
{
    int64_t now = ash_now_ms(), most = 2 * tick_ms();
    int64_t elapsed = now - __atomic_exchange_n(&report.last_look, now, __ATOMIC_RELAXED);
    return elapsed < most ? elapsed : most;
}

/* How long entry `i` has been the same wait, in ms. */
static int64_t lasted_ms(uint32_t i, uint64_t use, int64_t elapsed)
{
    if (report.seen[i].use != use) {
        report.seen[i].use = use;
        report.seen[i].ms = 0;
        report.seen[i].warned = false;
    } else {
        report.seen[i].ms += elapsed;
    }
    return report.seen[i].ms;
}

static _Noreturn void end_late(const struct ash_wait_entry *entry)
{
    char buffer[ASH_REPORT_TEXT];
    struct ash_text text = ash_text_in(buffer, sizeof(buffer));
    ash_report_print("a wait exceeds ANYSHMEM_TIMEOUT");
    ash_report_wait(&text, entry);
    ash_fatal("%s: timed out after ANYSHMEM_TIMEOUT=%" PRId64 " s", buffer, ash_env.timeout);
}

/* Write one line for all waits that are due at once, because a grid has many threads. */
static void look_at_waits(void)
{
    char text[3 * ASH_REPORT_TEXT / 2];
    struct ash_report_list late = {ash_text_in(text, sizeof(text)), 0};
    int64_t elapsed = elapsed_ms();
    struct ash_wait_entry entry;
    uint64_t use;
    for (uint32_t i = 1; i <= ASH_WAIT_ENTRIES; i++) {
        int64_t ms;
        if (!ash_hostdev_wait_read(i, &entry, &use)) continue;
        if (entry.info.kind == ASH_WAIT_FOR_WORK) continue;
        ms = lasted_ms(i, use, elapsed);
        if (ash_env.timeout > 0 && ms >= ash_env.timeout * 1000) end_late(&entry);
        if (ash_env.warn_after == 0 || ms < ash_env.warn_after * 1000 || report.seen[i].warned)
            continue;
        report.seen[i].warned = true;
        ash_report_list_add(&late, &entry);
    }
    if (late.n == 0) return;
    ash_report_list_end(&late, 0);
    ash_log(ASH_LOG_WARN, "waiting for %" PRId64 " s %s", ash_env.warn_after, text);
}

void ash_report_tick(void)
{
    report_if_asked();
    if (tick_ms() > 0) look_at_waits();
}

void ash_report_start(struct ash_proxy *proxy)
{
    ash_report_on(proxy);
    __atomic_store_n(&report.last_look, ash_now_ms(), __ATOMIC_RELAXED);
    ash_watch_tick_every(tick_ms(), ash_report_tick);
}

void ash_report_stop(void)
{
    ash_watch_tick_every(0, NULL);
    ash_report_on(NULL);
}

void ash_report_forked(void)
{
    ash_report_on_forked();
    give_signal_back();
    ash_hostdev_waits_forget();
    ash_grids_forget();
}
