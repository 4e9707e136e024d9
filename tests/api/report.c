/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report [CASE...]: PE 0 waits in one routine after the other, and meanwhile a
 * thread of it asks for reports by SIGUSR1.  Then PE 1 does what PE 0 waits for,
 * and what came of it is checked: a report changes nothing.
 * tests/api/report.sh runs it and knows what the reports must say.
 *
 * Each case is marked on standard error, where reports go, by a line of PE 0.
 */
#include <nvshmemx.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/hear.h"
#include "tests/support/pe.h"
#include "tests/support/report_waits.h"

static int case_number;
/* The wait is over. */
static bool over;

static void mark(const char *what, const char *name)
{
    char text[96];
    int length = snprintf(text, sizeof(text), "report: case %s %s\n", name, what);
    PE_NEED(write(STDERR_FILENO, text, (size_t)length) == length);
}

/* Stop PE 1, and see that it is: its state is the third word, and its name has no blank. */
static void stop_other(void)
{
    char path[64], state = '?';
    snprintf(path, sizeof(path), "/proc/%d/stat", report_all->pid);
    PE_EQUAL(kill(report_all->pid, SIGSTOP), 0);
    while (state != 'T') {
        FILE *file = fopen(path, "r");
        PE_NEED(file != NULL && fscanf(file, "%*d %*s %c", &state) == 1);
        fclose(file);
    }
}

/* What is filled on the way there is full: on a busy machine that takes its time. */
static void settle(bool fills)
{
    uint64_t seen = __atomic_load_n(&report_steps, __ATOMIC_RELAXED), before;
    do {
        before = seen;
        pe_sleep_us(before > 0 ? 300000 : 20000);
        seen = __atomic_load_n(&report_steps, __ATOMIC_RELAXED);
    } while (seen != before || (fills && seen == 0));
}

/* A report, asked for and come; returns whether it shows PE 0 where it waits. */
static bool ask_once(const struct report_wait *wait)
{
    unsigned ends = heard("report: end"), signs = heard(wait->sign);
    PE_EQUAL(kill(getpid(), SIGUSR1), 0);
    while (heard("report: end") == ends) pe_sleep_us(1000);
    return heard(wait->sign) - signs >= wait->n_signs;
}

/* Ask until PE 0 is there, and once more; then let the wait end. */
static void *ask(void *argument)
{
    const struct report_wait *wait = argument;
    settle(strcmp(wait->sign, REPORT_FULL) == 0);
    while (!ask_once(wait) && !__atomic_load_n(&over, __ATOMIC_ACQUIRE)) pe_sleep_us(20000);
    __atomic_store_n(&report_seen, true, __ATOMIC_RELEASE);
    ask_once(wait);
    if (wait->release == NULL) {
        PE_EQUAL(kill(report_all->pid, SIGCONT), 0);
    } else {
        nvshmem_int_p(&report_all->go, case_number, 1);
        nvshmem_quiet();
    }
    return NULL;
}

static void run_waiting(const struct report_wait *wait)
{
    pthread_t thread;
    report_steps = 0;
    report_seen = over = false;
    mark("begins", wait->name);
    if (wait->release == NULL) stop_other();
    PE_NEED(pthread_create(&thread, NULL, ask, (void *)(uintptr_t)wait) == 0);
    wait->wait();
    __atomic_store_n(&over, true, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    mark("ends", wait->name);
}

static void run_releasing(const struct report_wait *wait)
{
    if (wait->release == NULL) return;
    while (__atomic_load_n(&report_all->go, __ATOMIC_ACQUIRE) != case_number) pe_sleep_us(1000);
    wait->release();
    nvshmem_quiet();
}

static bool is_asked_for(int argc, char **argv, const char *name)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0) return true;
    return argc == 1;
}

static void prepare(void)
{
    report_all = pe_alloc(sizeof(*report_all));
    report_all->ivar = -3;
    report_all->counter = 10;
    for (int i = 0; i < REPORT_IVARS; i++) report_all->ivars[i] = i;
    nvshmem_barrier_all();
    if (pe_me == 1) nvshmem_int_p(&report_all->pid, getpid(), 0);
    nvshmem_barrier_all();
}

static void *ask_in_the_end(void *unused)
{
    pe_sleep_us(400000);
    kill(getpid(), SIGUSR1);
    return unused;
}

/* PE 0 comes to the end first, and tells that it waits there. */
static int finish_late(void)
{
    pthread_t thread;
    pe_step("finalize");
    nvshmem_barrier_all();
    if (pe_me == 0) {
        mark("begins", "finalize");
        PE_NEED(pthread_create(&thread, NULL, ask_in_the_end, NULL) == 0);
    } else {
        pe_sleep_us(1500000);
    }
    nvshmem_finalize();
    if (pe_me == 0) pthread_join(thread, NULL);
    if (pe_me == 0) mark("ends", "finalize");
    return pe_verdict();
}

int main(int argc, char **argv)
{
    int rc;
    pe_start("report");
    if (pe_me == 0) hear_begin();
    prepare();
    for (size_t i = 0; i < report_n_waits; i++) {
        if (!is_asked_for(argc, argv, report_waits[i].name)) continue;
        case_number = (int)i + 1;
        pe_step("%s", report_waits[i].name);
        nvshmem_barrier_all();
        if (pe_me == 0) run_waiting(&report_waits[i]);
        if (pe_me == 1) run_releasing(&report_waits[i]);
        nvshmem_barrier_all();
    }
    rc = is_asked_for(argc, argv, "finalize") ? finish_late() : pe_finish();
    if (pe_me == 0) hear_end();
    return rc;
}
