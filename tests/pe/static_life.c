/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Static variables from start to end: threads that write to them while the library starts and
 * ends lose nothing; a forked child has its own; ANYSHMEM_STATIC and the routine of the start
 * decide; all of it again after the end.
 */
#include <nvshmem.h>
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/pe.h"

#define CYCLES 6u
#define THREADS 2u
/* Pages of each thread, and the words of one that it writes. */
#define PAGES 64u
#define PAGE_WORDS 512u

static long variable = 1;
/* Each thread adds 1 to a word of each of its pages in turn. */
static uint64_t counts[THREADS][PAGES * PAGE_WORDS];
static uint64_t alarms;

struct writer {
    pthread_t thread;
    unsigned number;
    uint64_t rounds;
    bool lost, stop;
};

static void *write_counts(void *argument)
{
    struct writer *writer = argument;
    volatile uint64_t *own = counts[writer->number];
    uint64_t first = own[0];
    while (!__atomic_load_n(&writer->stop, __ATOMIC_ACQUIRE)) {
        for (unsigned page = 0; page < PAGES; page++) {
            volatile uint64_t *word = &own[page * PAGE_WORDS];
            if (*word != first + writer->rounds) writer->lost = true;
            *word = first + writer->rounds + 1;
        }
        writer->rounds++;
        if (writer->rounds % 16 == 0) pe_yield_cpu();
    }
    return NULL;
}

static void start_writers(struct writer **ret_writers)
{
    struct writer *writers = calloc(THREADS, sizeof(*writers));
    PE_NEED(writers != NULL);
    for (unsigned i = 0; i < THREADS; i++) {
        writers[i].number = i;
        PE_NEED(pthread_create(&writers[i].thread, NULL, write_counts, &writers[i]) == 0);
    }
    pe_sleep_us(2000);
    *ret_writers = writers;
}

static void stop_writers(struct writer *writers)
{
    for (unsigned i = 0; i < THREADS; i++) {
        __atomic_store_n(&writers[i].stop, true, __ATOMIC_RELEASE);
        PE_NEED(pthread_join(writers[i].thread, NULL) == 0);
        PE_TRUE(!writers[i].lost);
        PE_TRUE(writers[i].rounds > 0);
        for (unsigned page = 1; page < PAGES; page++)
            PE_EQUAL(counts[i][page * PAGE_WORDS], counts[i][0]);
    }
    free(writers);
}

static void on_alarm(int number)
{
    (void)number;
    alarms++;
}

/* The child has what the parent had, and keeps it to itself. */
static void fork_one(long value)
{
    int ends[2], status = -1;
    char byte = 0;
    pid_t child;
    variable = value;
    PE_NEED(pipe(ends) == 0);
    child = fork();
    PE_NEED(child >= 0);
    if (child == 0) {
        bool same;
        close(ends[1]);
        (void)!read(ends[0], &byte, 1);
        same = variable == value;
        variable = -1;
        counts[0][PAGES * PAGE_WORDS - 1] = 99;
        _exit(same && variable == -1 ? 7 : 8);
    }
    variable = value + 1;
    PE_NEED(write(ends[1], &byte, 1) == 1);
    PE_NEED(waitpid(child, &status, 0) == child);
    PE_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    PE_EQUAL(variable, value + 1);
    PE_EQUAL(counts[0][PAGES * PAGE_WORDS - 1], 0);
    close(ends[0]);
    close(ends[1]);
}

static void one_cycle(unsigned cycle)
{
    struct writer *writers;
    int to, from;
    pe_step("cycle %u: start", cycle);
    variable = 40 + (long)cycle;
    start_writers(&writers);
    shmem_init();
    pe_started();
    to = (pe_me + 1) % pe_n;
    from = (pe_me + pe_n - 1) % pe_n;
    PE_EQUAL(variable, 40 + cycle);
    PE_EQUAL(shmem_addr_accessible(&variable, to), 1);
    stop_writers(writers);
    pe_step("cycle %u", cycle);
    shmem_barrier_all();
    shmem_long_p(&variable, 1000 + pe_me, to);
    shmem_barrier_all();
    PE_EQUAL(variable, 1000 + from);
    shmem_barrier_all();
    pe_step("cycle %u: fork", cycle);
    fork_one(2000);
    shmem_barrier_all();
    /* It is still the memory that others see. */
    shmem_long_atomic_add(&variable, 5, to);
    shmem_barrier_all();
    PE_EQUAL(variable, 2006);
    shmem_barrier_all();
    pe_step("cycle %u: end", cycle);
    start_writers(&writers);
    shmem_finalize();
    stop_writers(writers);
    PE_EQUAL(variable, 2006);
    fork_one(3000);
}

/* Started by a routine, with a value of the variable, they are symmetric or not. */
static void decide(const char *value, bool openshmem, int symmetric)
{
    pe_step("ANYSHMEM_STATIC=%s", value);
    PE_NEED(setenv("ANYSHMEM_STATIC", value, 1) == 0);
    if (openshmem)
        shmem_init();
    else
        nvshmem_init();
    PE_EQUAL(shmem_addr_accessible(&variable, 0), symmetric);
    PE_TRUE((nvshmem_ptr(&variable, pe_me) != NULL) <= (symmetric == 1));
    if (symmetric) {
        nvshmem_long_p(&variable, 6, (pe_me + 1) % pe_n);
        nvshmem_barrier_all();
        PE_EQUAL(variable, 6);
    }
    nvshmem_finalize();
    PE_NEED(unsetenv("ANYSHMEM_STATIC") == 0);
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    pe_watch("static_life");
    /* Before any of OpenSHMEM's: it alone does not make them symmetric. */
    nvshmem_init();
    pe_started();
    PE_EQUAL(shmem_addr_accessible(&variable, 0), 0);
    nvshmem_finalize();
    decide("1", false, 1);
    decide("0", true, 0);
    PE_NEED(sigaction(SIGUSR2, &action, NULL) == 0);
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) one_cycle(cycle);
    PE_NEED(raise(SIGUSR2) == 0);
    PE_EQUAL(alarms, 1);
    return pe_verdict();
}
