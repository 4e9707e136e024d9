/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For lifecycle.sh: a start and an end of the library at unusual moments; "lifecycle MODE".
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <nvshmem.h>
#include <nvshmemx.h>

static bool ends_in_destructor;

static void finalize(void)
{
    nvshmem_barrier_all();
    nvshmem_finalize();
}

/* As the destructor of a static object of C++, whose constructor ran before main. */
static int end_in_exit_handler(void)
{
    if (atexit(finalize) != 0) return 3;
    nvshmem_init();
    return 0;
}

__attribute__((destructor)) static void finalize_late(void)
{
    if (ends_in_destructor) finalize();
}

static int end_in_destructor(void)
{
    ends_in_destructor = true;
    nvshmem_init();
    return 0;
}

/* SIGUSR1, as soon as the library has taken it. */
static void *send_signal(void *unused)
{
    struct sigaction now;
    do {
        usleep(100);
        if (sigaction(SIGUSR1, NULL, &now) != 0) abort();
    } while (now.sa_handler == SIG_DFL);
    (void)kill(getpid(), SIGUSR1);
    return unused;
}

/* A report is requested in the middle of the start, and when the library has ended. */
static int take_signals(int rank)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, send_signal, NULL) != 0) return 3;
    /* The others are in the start for so long. */
    if (rank == 1) usleep(300000);
    nvshmem_init();
    if (pthread_join(thread, NULL) != 0) return 3;
    nvshmem_barrier_all();
    nvshmem_finalize();
    (void)raise(SIGUSR1);
    usleep(100000);
    return 0;
}

/* PE 1 has no room for the heap; a failed start of all PEs would prove less. */
static int start_without_memory(int rank)
{
    struct rlimit before, less;
    int provided, rc;
    if (getrlimit(RLIMIT_AS, &before) != 0) return 3;
    less = (struct rlimit){900u << 20, before.rlim_max};
    if (rank != 0 && setrlimit(RLIMIT_AS, &less) != 0) return 3;
    rc = nvshmem_init_thread(NVSHMEM_THREAD_MULTIPLE, &provided);
    if (rank != 0 && setrlimit(RLIMIT_AS, &before) != 0) return 3;
    printf("lifecycle: the start returned %d\n", rc);
    (void)fflush(stdout);
    sleep(8);
    puts("lifecycle: lives");
    return rc == 0 ? 4 : 0;
}

/* PE 1 is killed while the others wait, or the launcher is, which is up to the shell. */
static int wait_for_death(int victim, int rank)
{
    uint64_t *word;
    nvshmem_init();
    word = nvshmem_calloc(1, sizeof(*word));
    /* Some launchers keep what comes from standard output until the end. */
    fprintf(stderr, "lifecycle: process %d\n", (int)getpid());
    nvshmem_barrier_all();
    if (rank == victim) {
        usleep(200000);
        (void)raise(SIGKILL);
    }
    nvshmem_uint64_wait_until(word, NVSHMEM_CMP_EQ, 5);
    return 4;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "", *rank = getenv("PMIX_RANK");
    int me = rank != NULL ? atoi(rank) : 1;
    (void)alarm(25);
    if (strcmp(mode, "exit-handler") == 0) return end_in_exit_handler();
    if (strcmp(mode, "destructor") == 0) return end_in_destructor();
    if (strcmp(mode, "signals") == 0) return take_signals(me);
    if (strcmp(mode, "killed") == 0) return wait_for_death(1, me);
    if (strcmp(mode, "orphans") == 0) return wait_for_death(-1, me);
    if (strcmp(mode, "no-memory") == 0) return start_without_memory(me);
    return 2;
}
