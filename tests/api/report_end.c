/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_end WHAT...: what a PE does of itself when a wait is long, and when a
 * signal is not for the library.  tests/api/report.sh knows what must be said.
 *
 *   wait MS STOP_MS   a variable is set after MS milliseconds; before, the process
 *                     is stopped for STOP_MS
 *   raise 1|2         the process sends itself SIGUSR1 or 2, in a wait
 *   handler           the program has a handler of its own for SIGUSR1
 *   peer              PE 0 waits for a reply of PE 1, which is stopped
 *   hole              a quiet behind a request that its thread never writes to the end
 */
#include <nvshmem.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/pe.h"

static int *variable;
static volatile sig_atomic_t handled;

static struct {
    unsigned ms, stop_ms;
    int signal_number;
} order;

static void on_signal(int number) { handled = number; }

/* A process of its own, for this one does nothing meanwhile. */
static void stop_for(unsigned ms)
{
    pid_t me = getpid(), child;
    if (ms == 0) return;
    child = fork();
    PE_NEED(child >= 0);
    if (child == 0) {
        kill(me, SIGSTOP);
        pe_sleep_us(1000 * ms);
        kill(me, SIGCONT);
        _exit(0);
    }
    PE_EQUAL(waitpid(child, NULL, 0), child);
}

static void *set_later(void *unused)
{
    if (order.signal_number != 0) {
        pe_sleep_us(300000);
        kill(getpid(), order.signal_number);
    }
    /* The wait is to be known before. */
    if (order.stop_ms > 0) pe_sleep_us(300000);
    stop_for(order.stop_ms);
    pe_sleep_us(1000 * order.ms);
    __atomic_store_n(variable, 1, __ATOMIC_RELEASE);
    return unused;
}

static void wait_until_set(void)
{
    pthread_t thread;
    variable = pe_alloc(sizeof(*variable));
    PE_NEED(pthread_create(&thread, NULL, set_later, NULL) == 0);
    nvshmem_int_wait_until(variable, NVSHMEM_CMP_EQ, 1);
    pthread_join(thread, NULL);
    PE_EQUAL(*variable, 1);
}

static void ask_peer(void)
{
    variable = pe_alloc(sizeof(*variable));
    nvshmem_barrier_all();
    /* Its share of the barrier must have gone out. */
    if (pe_me == 1) pe_sleep_us(300000);
    if (pe_me == 1) raise(SIGSTOP);
    pe_sleep_us(800000);
    PE_EQUAL(nvshmem_int_atomic_fetch(variable, 1), 0);
}

/* The thread that asks, at any place in its work: does it stay there? */
static bool held, holds;
/* How many requests it made, and may have made.  Never so many that the ring is full: a thread that
 * waits for room makes progress, too. */
static unsigned asked, allowed;
#define AT_ONCE 256

static void on_hold(int unused)
{
    (void)unused;
    __atomic_store_n(&holds, true, __ATOMIC_RELEASE);
    while (__atomic_load_n(&held, __ATOMIC_ACQUIRE)) pe_sleep_us(10);
    __atomic_store_n(&holds, false, __ATOMIC_RELEASE);
}

static void *ask_for_ever(void *unused)
{
    for (;;) {
        if (asked == __atomic_load_n(&allowed, __ATOMIC_ACQUIRE)) continue;
        nvshmem_int_p(variable, 1, pe_me);
        __atomic_store_n(&asked, asked + 1, __ATOMIC_RELAXED);
    }
    return unused;
}

/* An asynchronous cancellation leaves the same. */
static void leave_hole(void)
{
    struct sigaction action = {.sa_handler = on_hold};
    pthread_t thread;
    variable = pe_alloc(sizeof(*variable));
    PE_NEED(sigaction(SIGUSR2, &action, NULL) == 0);
    PE_NEED(pthread_create(&thread, NULL, ask_for_ever, NULL) == 0);
    for (unsigned tries = 0; tries < 200000; tries++) {
        __atomic_store_n(&held, true, __ATOMIC_RELEASE);
        PE_NEED(pthread_kill(thread, SIGUSR2) == 0);
        while (!__atomic_load_n(&holds, __ATOMIC_ACQUIRE)) pe_sleep_us(10);
        nvshmem_quiet();
        __atomic_store_n(&allowed, __atomic_load_n(&asked, __ATOMIC_RELAXED) + AT_ONCE,
                         __ATOMIC_RELEASE);
        __atomic_store_n(&held, false, __ATOMIC_RELEASE);
        while (__atomic_load_n(&holds, __ATOMIC_ACQUIRE)) pe_sleep_us(10);
    }
    PE_NEED(!"it was never in the middle of a request");
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "handler") == 0) {
        struct sigaction action = {.sa_handler = on_signal};
        PE_NEED(sigaction(SIGUSR1, &action, NULL) == 0);
        order.signal_number = SIGUSR1;
    }
    if (strcmp(what, "raise") == 0 && argc > 2)
        order.signal_number = atoi(argv[2]) == 1 ? SIGUSR1 : SIGUSR2;
    order.ms = 300;
    if (strcmp(what, "wait") == 0 && argc > 3) {
        order.ms = (unsigned)atoi(argv[2]);
        order.stop_ms = (unsigned)atoi(argv[3]);
    }
    pe_start("report_end");
    if (strcmp(what, "peer") == 0)
        ask_peer();
    else if (strcmp(what, "hole") == 0)
        leave_hole();
    else
        wait_until_set();
    PE_EQUAL(handled, strcmp(what, "handler") == 0 ? SIGUSR1 : 0);
    return pe_finish();
}
