/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bad_use CASE: the library is used at the wrong time, or in the wrong process.
 * tests/api/bad_use.sh runs the cases and knows what must be said.
 *
 *   before, after, forked   each routine in a child: before init, after finalize,
 *                           in a child of a started program.  One line for each,
 *                           "ROUTINE STATUS: TEXT"
 *   early     a thread of PE 0 starts the library, PE 1 is late, and meanwhile another
 *             thread forks: the children use the library, and start it
 *   forks     ten children are forked and end; the parent's atomics stay exact
 *   threads   eight threads start the library at once, and each ends it
 *   too_often one finalize too many
 *   unended   the program ends without finalize
 *   handler_quiet, handler_fetch
 *             a handler of a timer's signal waits for PE 0, as the program does all the time
 *   abandoned a handler leaves by siglongjmp the middle of a put
 *   nested    the program starts itself again within its job
 *   settings  start, print the heap's size and end: for settings
 *   too_large a block that the heap has room for, and no machine
 *   no_room   a split for whose team a PE has no memory
 *   align, split, split_2d, teams, flags, buffer
 *             arguments that a routine refuses by what it returns, on all PEs; they go on
 */
#include <ishmem.h>
#include <nvshmemx.h>
#include <pthread.h>
#include <setjmp.h>
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <anyshmem_kernel.h>

#include "tests/support/pe.h"

static uint64_t words[8];
static int ints[2];

ANYSHMEM_KERNEL(nothing)
{
    (void)arg;
}

static void launch(void)
{
    void (*kernel)(void *) = nothing;
    void *argument = words, *arguments[] = {&argument};
    const void *function;
    dim3 one = {1, 1, 1};
    memcpy(&function, &kernel, sizeof(function));
    if (nvshmemx_collective_launch(function, one, one, arguments, 0, 0) != 0) _exit(1);
}

/* X(routine, call) */
#define ROUTINES(X) \
    X(nvshmem_malloc, (void)nvshmem_malloc(8)) \
    X(nvshmem_calloc, (void)nvshmem_calloc(8, 8)) \
    X(nvshmem_align, (void)nvshmem_align(64, 8)) \
    X(nvshmem_free, nvshmem_free(words)) \
    X(nvshmem_barrier_all, nvshmem_barrier_all()) \
    X(nvshmem_sync_all, nvshmem_sync_all()) \
    X(nvshmem_quiet, nvshmem_quiet()) \
    X(nvshmem_fence, nvshmem_fence()) \
    X(nvshmem_putmem, nvshmem_putmem(words, ints, 8, 0)) \
    X(nvshmem_int_get_nbi, nvshmem_int_get_nbi(ints, ints, 1, 0)) \
    X(nvshmem_int_g, (void)nvshmem_int_g(ints, 0)) \
    X(nvshmem_long_p, nvshmem_long_p((long *)words, 1, 0)) \
    X(nvshmem_uint64_atomic_fetch_add, (void)nvshmem_uint64_atomic_fetch_add(words, 1, 0)) \
    X(nvshmem_int_put_signal, \
      nvshmem_int_put_signal(ints, ints, 1, words, 1, NVSHMEM_SIGNAL_SET, 0)) \
    X(nvshmemx_signal_op, nvshmemx_signal_op(words, 1, NVSHMEM_SIGNAL_SET, 0)) \
    X(nvshmem_signal_wait_until, (void)nvshmem_signal_wait_until(words, NVSHMEM_CMP_EQ, 0)) \
    X(nvshmem_int_wait_until, nvshmem_int_wait_until(ints, NVSHMEM_CMP_EQ, 0)) \
    X(nvshmem_int_wait_until_all, nvshmem_int_wait_until_all(ints, 2, NULL, NVSHMEM_CMP_EQ, 0)) \
    X(nvshmem_int_test, (void)nvshmem_int_test(ints, NVSHMEM_CMP_EQ, 0)) \
    X(nvshmem_team_sync, (void)nvshmem_team_sync(NVSHMEM_TEAM_WORLD)) \
    X(nvshmem_my_pe, (void)nvshmem_my_pe()) \
    X(nvshmem_n_pes, (void)nvshmem_n_pes()) \
    X(nvshmem_int_wait_until_any, \
      (void)nvshmem_int_wait_until_any(ints, 2, NULL, NVSHMEM_CMP_EQ, 0)) \
    X(nvshmem_int_test_all, (void)nvshmem_int_test_all(ints, 2, NULL, NVSHMEM_CMP_EQ, 0)) \
    X(nvshmem_signal_fetch, (void)nvshmem_signal_fetch(words)) \
    X(nvshmem_barrier, (void)nvshmem_barrier(NVSHMEM_TEAM_WORLD)) \
    X(nvshmem_broadcastmem, \
      (void)nvshmem_broadcastmem(NVSHMEM_TEAM_WORLD, words, words, 8, 0)) \
    X(nvshmem_int_sum_reduce, (void)nvshmem_int_sum_reduce(NVSHMEM_TEAM_WORLD, ints, ints, 1)) \
    X(nvshmem_team_split_strided, \
      (void)nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, ints)) \
    X(nvshmemx_putmem_block, nvshmemx_putmem_block(words, ints, 8, 0)) \
    X(shmem_int_atomic_inc, shmem_int_atomic_inc(ints, 0)) \
    X(shmem_putmem, shmem_putmem(words, ints, 8, 0)) \
    X(ishmem_putmem, ishmem_putmem(words, ints, 8, 0)) \
    X(ishmem_int_wait_until, ishmem_int_wait_until(ints, ISHMEM_CMP_EQ, 0)) \
    X(nvshmem_global_exit, nvshmem_global_exit(0)) \
    X(nvshmemx_collective_launch, launch()) \
    X(shmem_malloc, (void)shmem_malloc(8)) \
    X(shmem_long_wait_until, shmem_long_wait_until((long *)words, SHMEM_CMP_EQ, 0))

#define X(NAME, CALL) static void call_##NAME(void) { CALL; }
ROUTINES(X)
#undef X

static const struct {
    const char *name;
    void (*call)(void);
} routines[] = {
#define X(NAME, CALL) {#NAME, call_##NAME},
    ROUTINES(X)
#undef X
};

/* What comes out of `from`, in one line. */
static void read_text(int from, char *text, size_t nbytes)
{
    size_t used = 0;
    ssize_t n;
    while ((n = read(from, text + used, nbytes - 1 - used)) > 0) used += (size_t)n;
    text[used] = '\0';
    for (size_t i = 0; i < used; i++)
        if (text[i] == '\n') text[i] = i + 1 < used ? '\\' : '\0';
}

static void call_in_child(const char *name, void (*call)(void))
{
    int out[2], status = 0;
    char text[2048];
    pid_t child;
    fflush(stdout);
    if (pipe(out) != 0 || (child = fork()) < 0) exit(99);
    if (child == 0) {
        dup2(out[1], STDERR_FILENO);
        close(out[0]);
        close(out[1]);
        alarm(5);
        call();
        _exit(0);
    }
    close(out[1]);
    /* At once: it does not end before its message was read. */
    read_text(out[0], text, sizeof(text));
    waitpid(child, &status, 0);
    printf("%s %d: %s\n", name,
           WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), text);
    close(out[0]);
}

static void call_all(void)
{
    for (size_t i = 0; i < PE_COUNT(routines); i++)
        call_in_child(routines[i].name, routines[i].call);
}

static void start(void)
{
    nvshmem_init();
    pe_started();
}

static void before(void)
{
    call_all();
}

static void after(void)
{
    start();
    nvshmem_finalize();
    call_all();
}

/* A child starts what the program has started and ended. */
static void reborn(void)
{
    start();
    nvshmem_finalize();
    call_in_child("nvshmem_init", nvshmem_init);
}

static void forked(void)
{
    start();
    call_all();
    nvshmem_finalize();
}

#define FORKS 10
#define ADDS 1000u

/* Children that use nothing do no harm, whenever they come and go. */
static void forks(void)
{
    pid_t children[FORKS];
    uint64_t *sum, ticket = 0;
    start();
    sum = nvshmem_calloc(1, sizeof(*sum));
    for (unsigned i = 0; i < ADDS; i++) {
        if (i % (ADDS / FORKS) == 0) {
            pid_t child = fork();
            if (child == 0) _exit(i / (ADDS / FORKS) % 2);
            children[i / (ADDS / FORKS)] = child;
        }
        nvshmem_uint64_atomic_add(sum, 1, (pe_me + 1) % pe_n);
        ticket = nvshmem_uint64_atomic_fetch_add(sum, 1, (pe_me + 1) % pe_n);
    }
    for (int i = 0; i < FORKS; i++) {
        int status = -1;
        waitpid(children[i], &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != i % 2) printf("child %d is lost\n", i);
    }
    nvshmem_barrier_all();
    printf("PE %d: sum %llu of %u, last ticket %llu\n", pe_me, (unsigned long long)*sum, 2 * ADDS,
           (unsigned long long)ticket);
    nvshmem_finalize();
}

#define THREADS 8

static pthread_barrier_t together;

static void *start_and_end(void *bad)
{
    pthread_barrier_wait(&together);
    nvshmem_init();
    /* Whoever comes back finds everything open. */
    if (nvshmem_my_pe() < 0 || nvshmem_n_pes() < 1) *(int *)bad = 1;
    /* The first one may end it only when all have come: PEs start equally often. */
    pthread_barrier_wait(&together);
    nvshmem_finalize();
    return NULL;
}

static void *start_library(void *unused)
{
    nvshmem_init();
    return unused;
}

static void early(void)
{
    const char *rank = getenv("PMIX_RANK");
    pthread_t thread;
    if (rank != NULL && atoi(rank) == 0) {
        pthread_create(&thread, NULL, start_library, NULL);
        pe_sleep_us(500000);
        call_in_child("nvshmem_quiet", nvshmem_quiet);
        call_in_child("nvshmem_init", nvshmem_init);
        pthread_join(thread, NULL);
    } else {
        pe_sleep_us(1000000);
        nvshmem_init();
    }
    nvshmem_finalize();
}

static void threads(void)
{
    pthread_t thread[THREADS];
    int bad[THREADS] = {0}, sum = 0;
    pthread_barrier_init(&together, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, start_and_end, &bad[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        sum += bad[i];
    }
    printf("%d threads started the library, %d found it closed\n", THREADS, sum);
}

static void too_often(void)
{
    start();
    nvshmem_finalize();
    nvshmem_finalize();
    printf("PE %d: ended\n", pe_me);
}

static void unended(void)
{
    start();
    nvshmem_barrier_all();
    printf("PE %d: ends\n", pe_me);
}

static long *counters;

static void quiet_in_handler(int signal_number)
{
    (void)signal_number;
    nvshmem_long_p(&counters[1], 1, 0);
    nvshmem_quiet();
}

static void fetch_in_handler(int signal_number)
{
    (void)signal_number;
    (void)nvshmem_long_atomic_fetch_add(&counters[1], 1, 0);
}

/* A timer's signals come to this thread alone, not to one that the start has made. */
static void start_with_handler(void (*handler)(int))
{
    sigset_t alarm_set;
    sigemptyset(&alarm_set);
    sigaddset(&alarm_set, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm_set, NULL);
    start();
    pthread_sigmask(SIG_UNBLOCK, &alarm_set, NULL);
    counters = nvshmem_calloc(2, sizeof(long));
    signal(SIGALRM, handler);
}

/* The handler interrupts this thread anywhere. */
static void interrupt(void (*handler)(int))
{
    const struct itimerval often = {{0, 200}, {0, 200}};
    start_with_handler(handler);
    setitimer(ITIMER_REAL, &often, NULL);
    for (;;) {
        for (int i = 0; i < 100; i++) nvshmem_long_p(&counters[0], i, 0);
        nvshmem_quiet();
        (void)nvshmem_long_atomic_fetch_inc(&counters[0], 0);
    }
}

static void handler_quiet(void) { interrupt(quiet_in_handler); }
static void handler_fetch(void) { interrupt(fetch_in_handler); }

static sigjmp_buf after_signal;

static void leave(int signal_number)
{
    (void)signal_number;
    siglongjmp(after_signal, 1);
}

/* Is PE 0's counter, or will it soon be, what was put last? */
static bool arrives(long value)
{
    for (int ms = 0; ms < 300 && *(volatile long *)&counters[0] != value; ms++) usleep(1000);
    return counters[0] == value;
}

/*
 * Puts in a row, until a signal has struck between the two steps of one; then the next quiet has
 * no end.  After a pause the proxy's thread does all work of UCX, so that the signal interrupts
 * none of it in this thread.
 */
static void abandoned(void)
{
    const struct itimerval once = {{0, 0}, {0, 50}}, never = {{0, 0}, {0, 0}};
    start_with_handler(leave);
    for (volatile long value = 1000; pe_me == 0; value += 1000) {
        usleep(20000);
        if (sigsetjmp(after_signal, 1) == 0) {
            setitimer(ITIMER_REAL, &once, NULL);
            for (int i = 0; i < 1000; i++) nvshmem_long_p(&counters[1], i, 0);
            setitimer(ITIMER_REAL, &never, NULL);
        }
        nvshmem_long_p(&counters[0], value, 0);
        if (!arrives(value)) break;
    }
    nvshmem_barrier_all();
}

static const char *self;

static void nested(void)
{
    char command[4096];
    start();
    nvshmem_barrier_all();
    snprintf(command, sizeof(command), "'%s' settings", self);
    if (pe_me == 0) printf("the second one ended with %d\n", system(command) / 256);
    nvshmem_barrier_all();
    printf("PE %d: went on\n", pe_me);
    nvshmem_finalize();
}

static void settings(void)
{
    start();
    printf("PE %d: 8 MiB are %s\n", pe_me, nvshmem_malloc(8 << 20) != NULL ? "there" : "too much");
    nvshmem_finalize();
}

static void too_large(void)
{
    start();
    printf("PE %d: 900 GiB are %s\n", pe_me,
           nvshmem_malloc((size_t)900 << 30) != NULL ? "there" : "too much");
    if (nvshmem_malloc(4096) != NULL) printf("PE %d: went on\n", pe_me);
    nvshmem_finalize();
}

/* The routine's answer is the one for a call that it refuses, and the job goes on. */
static void refused(bool is_right)
{
    nvshmem_barrier_all();
    printf("PE %d: %s\n", pe_me, is_right ? "refused" : "another answer");
    nvshmem_finalize();
}

static void align(void)
{
    start();
    refused(nvshmem_align(24, 64) == NULL);
}

/* Which PE has none: tests/preload/failing.c. */
static void no_room(void)
{
    nvshmem_team_t team = 5;
    int rc;
    start();
    rc = nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, pe_n, NULL, 0, &team);
    refused(rc == NVSHMEMX_ERROR_OUT_OF_MEMORY && team == NVSHMEM_TEAM_INVALID);
}

static void split(void)
{
    nvshmem_team_t team;
    int rc;
    start();
    rc = nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 1, 1, pe_n, NULL, 0, &team);
    refused(rc != 0 && team == NVSHMEM_TEAM_INVALID);
}

static void split_2d(void)
{
    nvshmem_team_t x, y;
    int rc;
    start();
    rc = nvshmem_team_split_2d(NVSHMEM_TEAM_WORLD, 0, NULL, 0, &x, NULL, 0, &y);
    refused(rc != 0 && x == NVSHMEM_TEAM_INVALID && y == NVSHMEM_TEAM_INVALID);
}

static void teams(void)
{
    nvshmem_team_t team;
    int rc = 0;
    start();
    while (rc == 0) rc = nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, pe_n, NULL, 0, &team);
    /* Of which the second refusal is no news. */
    rc = nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, pe_n, NULL, 0, &team);
    refused(rc != 0 && team == NVSHMEM_TEAM_INVALID);
}

static void flags(void)
{
    bool is_right = nvshmemx_init_attr(1u << 14, NULL) != 0;
    start();
    refused(is_right);
}

static void buffer(void)
{
    start();
    refused(nvshmemx_buffer_register_symmetric(words, sizeof(words), 0) == words);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {
#define X(NAME) {#NAME, NAME},
        X(before) X(after) X(reborn) X(forked) X(early) X(forks) X(threads) X(too_often) X(unended)
        X(handler_quiet) X(handler_fetch) X(abandoned)
        X(nested) X(settings) X(too_large) X(no_room)
        X(align) X(split) X(split_2d) X(teams) X(flags) X(buffer)
#undef X
    };
    if (argc != 2) return 99;
    self = argv[0];
    pe_watch("bad_use");
    for (size_t i = 0; i < PE_COUNT(cases); i++) {
        if (strcmp(cases[i].name, argv[1]) != 0) continue;
        cases[i].run();
        return 0;
    }
    fprintf(stderr, "bad_use: no such case: %s\n", argv[1]);
    return 99;
}
