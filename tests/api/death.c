/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * death PLACE END [MICROSECONDS]: PE 1 ends in the way END while the others are
 * at PLACE, indefinitely.  tests/api/death.sh runs it and knows what must be said.
 *
 * Each PE says its process ("PE 2 is 1234"), and the last one says when it ended
 * ("gone at", in milliseconds of the clock of /proc/uptime).  With MICROSECONDS PE 1 is at
 * PLACE as well, and ends after that time, wherever it is then.
 */
#include <anyshmem_kernel.h>
#include <netdb.h>
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/pe.h"

#define N_WORDS 4096

static uint64_t *words;
/* PE 1's: who is about to be at its place. */
static uint64_t *coming;
static uint64_t local[N_WORDS];
/* All PEs, in another order. */
static nvshmem_team_t team;

static void at_wait(void) { nvshmem_uint64_wait_until(words, NVSHMEM_CMP_EQ, 5); }

/* Symmetric with ANYSHMEM_STATIC=1: PE 1 dies with memory that is mapped over its program. */
static uint64_t variable;
static void at_static(void) { nvshmem_uint64_wait_until(&variable, NVSHMEM_CMP_EQ, 5); }

/* The same, while puts to such memory of PE 1 are on their way. */
static void at_puts(void)
{
    static uint64_t many[N_WORDS];
    for (;;) {
        nvshmem_uint64_put_nbi(many, local, N_WORDS, 1);
        nvshmem_quiet();
    }
}

static void at_signal(void) { nvshmem_signal_wait_until(words, NVSHMEM_CMP_GT, 7); }
static void at_barrier(void) { nvshmem_barrier_all(); }
static void at_malloc(void) { (void)nvshmem_malloc(64); }
static void at_finalize(void) { nvshmem_finalize(); }
static void at_none(void) { sleep(60); }

/* PE 1 has it. */
static void at_lock(void) { shmem_set_lock((long *)words + 1); }

static void at_all(void)
{
    nvshmem_uint64_wait_until_all(words, 2, NULL, NVSHMEM_CMP_EQ, 5);
}

static void at_some(void)
{
    size_t indices[2];
    (void)nvshmem_uint64_wait_until_some(words, 2, indices, NULL, NVSHMEM_CMP_EQ, 5);
}

static void at_test(void)
{
    while (!nvshmem_uint64_test(words, NVSHMEM_CMP_EQ, 5)) continue;
}

static void at_team(void) { (void)nvshmem_barrier(team); }
static void at_reduce(void) { (void)nvshmem_uint64_sum_reduce(team, words + 1, words, 1); }

ANYSHMEM_KERNEL(wait_in_kernel)
{
    nvshmem_uint64_wait_until(arg, NVSHMEM_CMP_EQ, 5);
}

static void at_kernel(void)
{
    dim3 one = {1, 1, 1}, threads = {32, 1, 1};
    void *argument = words, *arguments[] = {&argument};
    (void)nvshmemx_collective_launch((const void *)wait_in_kernel, one, threads, arguments, 0, 0);
}

static void at_stream(void)
{
    cudaStream_t stream;
    if (anyshmemx_stream_create(&stream) != 0) _exit(99);
    nvshmemx_uint64_wait_until_on_stream(words, NVSHMEM_CMP_EQ, 5, stream);
    (void)anyshmemx_stream_synchronize(stream);
}

/* Nothing of the library's. */
static void at_work(void)
{
    for (volatile uint64_t i = 0;; i++) continue;
}

/* The start may be over before PE 1 ends. */
static void at_init(void)
{
    for (;;) nvshmem_barrier_all();
}

static void at_quiet(void)
{
    for (;;) {
        nvshmem_uint64_put_nbi(words, local, N_WORDS, 1);
        nvshmem_quiet();
    }
}

static void at_amo(void)
{
    for (;;) (void)nvshmem_uint64_atomic_fetch_add(words, 1, 1);
}

static void at_get(void)
{
    for (;;) nvshmem_uint64_get(local, words, N_WORDS, 1);
}

/* More requests than the ring has slots, without a reply. */
static void at_ring(void)
{
    for (;;) nvshmem_uint64_p(words, 1, 1);
}

/* Who is sent to as well still receives when the connection breaks. */
static void at_flood(void)
{
    for (;;) {
        for (int pe = 0; pe < pe_n; pe++)
            if (pe != pe_me) nvshmem_uint64_put_nbi(words + 64 * pe_me, local, 64, pe);
    }
}

static void end_kill(void) { kill(getpid(), SIGKILL); }
static void end_exit0(void) { _exit(0); }
/* As if main returned. */
static void end_return(void) { exit(0); }
static void end_exit3(void) { exit(3); }
static void end_abort(void) { abort(); }
static void end_segv(void) { raise(SIGSEGV); }
/* What these do is up to the program: the library leaves it as it is. */
static void end_term(void) { kill(getpid(), SIGTERM); }
static void end_int(void) { kill(getpid(), SIGINT); }
static void end_global(void) { nvshmem_global_exit(7); }
static void end_global0(void) { nvshmem_global_exit(0); }

static void *read_for_ever(void *from)
{
    (void)getc(from);
    return NULL;
}

/* While another thread holds a stream. */
static void end_busy(void)
{
    int fds[2];
    FILE *from;
    pthread_t thread;
    if (pipe(fds) != 0 || (from = fdopen(fds[0], "r")) == NULL ||
        pthread_create(&thread, NULL, read_for_ever, from) != 0)
        _exit(99);
    pe_sleep_us(200000);
    end_global();
}

static void end_bad(void) { nvshmem_uint64_p(words, 1, 99); }
/* Only the proxy's thread ends, if anything. */
static void end_none(void) { sleep(60); }
static void end_stop(void) { raise(SIGSTOP); }

/* Does a variable of the launcher's say that it listens there? */
static bool is_launchers(const char *port)
{
    for (char **variable = environ; *variable != NULL; variable++)
        if (strncmp(*variable, "PMIX_SERVER_URI", 15) == 0 && strstr(*variable, port) != NULL)
            return true;
    return false;
}

static bool is_of_a_pe(int fd)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof(address);
    char port[32] = ":";
    return getpeername(fd, (struct sockaddr *)&address, &length) == 0 &&
           address.ss_family == AF_INET &&
           getnameinfo((struct sockaddr *)&address, length, NULL, 0, port + 1, sizeof(port) - 1,
                       NI_NUMERICSERV) == 0 &&
           !is_launchers(port);
}

/* Connections to other PEs break, as where a network's device is reset; nobody has ended. */
static void end_cut(void)
{
    for (int fd = 0; fd < 1024; fd++)
        if (is_of_a_pe(fd)) (void)shutdown(fd, SHUT_RDWR);
    sleep(60);
}

struct named {
    const char *name;
    void (*call)(void);
};
#define X(KIND, NAME) {#NAME, KIND##_##NAME}
static const struct named places[] = {
    X(at, wait), X(at, static), X(at, puts), X(at, signal), X(at, lock), X(at, all), X(at, some),
    X(at, test), X(at, team), X(at, reduce), X(at, kernel), X(at, stream), X(at, work),
    X(at, barrier), X(at, malloc), X(at, finalize), X(at, none), X(at, quiet), X(at, amo),
    X(at, get), X(at, ring), X(at, flood), X(at, init)};
static const struct named ends[] = {
    X(end, kill), X(end, exit0), X(end, return), X(end, exit3), X(end, abort), X(end, segv),
    X(end, term), X(end, int), X(end, global), X(end, global0), X(end, busy), X(end, bad),
    X(end, stop), X(end, cut), X(end, none)};
#undef X

static void (*find(const struct named *table, size_t n, const char *name))(void)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(table[i].name, name) == 0) return table[i].call;
    fprintf(stderr, "death: no such case: %s\n", name);
    exit(2);
}

static void (*end)(void);

static void end_now(int unused)
{
    struct timespec now;
    char text[64];
    int length;
    (void)unused;
    clock_gettime(CLOCK_BOOTTIME, &now);
    length = snprintf(text, sizeof(text), "gone at %lld\n",
                      (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000);
    if (write(STDERR_FILENO, text, (size_t)length) == length) end();
}

static void end_after(long microseconds)
{
    struct itimerval timer = {{0, 0}, {microseconds / 1000000, microseconds % 1000000}};
    signal(SIGALRM, end_now);
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* The launcher's number, for what happens before the library is started. */
static int launched_as(void)
{
    const char *rank = getenv("PMIX_RANK");
    return rank != NULL ? atoi(rank) : -1;
}

/* All others are about to be at their place, and have the time for it, which is up to the shell. */
static void await_others(void)
{
    const char *settle_us = getenv("SETTLE_US");
    for (int pe = 0; pe < pe_n; pe++)
        if (pe != pe_me) nvshmem_uint64_wait_until(coming + pe, NVSHMEM_CMP_EQ, 1);
    pe_sleep_us((unsigned)atoi(settle_us != NULL ? settle_us : "150000"));
}

int main(int n_arguments, char **arguments)
{
    long microseconds = n_arguments > 3 ? atol(arguments[3]) : 0;
    bool in_init, victim = launched_as() == 1;
    void (*place)(void);
    if (n_arguments < 3) return 2;
    place = find(places, PE_COUNT(places), arguments[1]);
    end = find(ends, PE_COUNT(ends), arguments[2]);
    in_init = strcmp(arguments[1], "init") == 0;
    printf("PE %d is %ld\n", launched_as(), (long)getpid());
    fflush(stdout);
    if (in_init && victim && microseconds > 0) end_after(microseconds);
    if (in_init && victim && microseconds == 0) end_now(0);
    pe_start("death");
    if (!in_init) {
        words = pe_alloc(sizeof(local));
        coming = pe_alloc((size_t)pe_n * sizeof(*coming));
        if (nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, pe_n - 1, -1, pe_n, NULL, 0, &team) != 0)
            _exit(99);
    }
    if (victim && place == at_lock) at_lock();
    nvshmem_barrier_all();
    if (victim && microseconds > 0) end_after(microseconds);
    if (victim && microseconds == 0) {
        if (!in_init) await_others();
        end_now(0);
    }
    if (!victim && !in_init && pe_n > 1) nvshmem_uint64_p(coming + pe_me, 1, 1);
    place();
    printf("PE %d came back\n", pe_me);
    return 0;
}
