/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For openshmem.sh: programs of OpenSHMEM, "openshmem MODE"; what their environment says, and ends
 * that others would call unusual.
 */
#include <nvshmem.h>
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS (64 * 1024)
/* So many that a put of them takes longer than a process to end. */
#define N_MANY (4 * 1024 * 1024)

/* How large the heap is, by what it has room for. */
static void report_heap(void)
{
    static const int sizes[] = {8, 64, 512};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        printf("openshmem: %d MiB are %s\n", sizes[i],
               shmem_malloc((size_t)sizes[i] << 20) != NULL ? "there" : "too much");
}

static int heap(void)
{
    shmem_init();
    report_heap();
    shmem_finalize();
    return 0;
}

static int heap_of_nvshmem(void)
{
    nvshmem_init();
    report_heap();
    nvshmem_finalize();
    return 0;
}

/* Return from main with puts under way, PE 0 later than the others. */
static int without_finalize(void)
{
    static long source[WORDS];
    long *dest, *arrived;
    int to;
    start_pes(0);
    dest = shmem_calloc(WORDS, sizeof(*dest));
    arrived = shmem_calloc(1, sizeof(*arrived));
    to = (shmem_my_pe() + 1) % shmem_n_pes();
    for (size_t i = 0; i < WORDS; i++) source[i] = to;
    if (shmem_my_pe() == 0) usleep(300000);
    shmem_long_put_nbi(dest, source, WORDS, to);
    shmem_fence();
    shmem_long_atomic_inc(arrived, to);
    if (shmem_my_pe() == 1) {
        shmem_long_wait_until(arrived, SHMEM_CMP_EQ, 1);
        for (size_t i = 0; i < WORDS; i++)
            if (dest[i] != 1) return 4;
    }
    return 0;
}

/* PE 1 ends with a status that is not 0, and the others wait. */
static int failing(void)
{
    long *never;
    shmem_init();
    never = shmem_calloc(1, sizeof(*never));
    if (shmem_my_pe() == 1) return 3;
    shmem_long_wait_until(never, SHMEM_CMP_EQ, 1);
    return 0;
}

/* PE 0 ends with a status that is not 0, with a put under way to PE 1, which outlives the
 * launcher's first signal. */
static int failing_put(void)
{
    long *source = malloc(N_MANY * sizeof(*source)), *dest;
    (void)signal(SIGTERM, SIG_IGN);
    shmem_init();
    dest = shmem_calloc(N_MANY, sizeof(*dest));
    for (size_t i = 0; i < N_MANY; i++) source[i] = 1;
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        shmem_long_put_nbi(dest, source, N_MANY, 1);
        return 3;
    }
    shmem_long_wait_until(&dest[N_MANY - 1], SHMEM_CMP_EQ, 1);
    printf("all is there\n");
    fflush(stdout);
    return 0;
}

static int exit_before(void)
{
    printf("openshmem: before the start");
    shmem_global_exit(7);
}

static int exit_after(void)
{
    shmem_init();
    shmem_finalize();
    printf("openshmem: after the end");
    shmem_global_exit(7);
}

static int exit_in_child(void)
{
    int status = 0, initialized = 5;
    shmem_query_initialized(&initialized);
    if (initialized != 0) return 4;
    shmem_init();
    if (shmem_my_pe() == 0 && fork() == 0) shmem_global_exit(7);
    if (shmem_my_pe() == 0 && (wait(&status) < 0 || status != 7 << 8)) return 4;
    shmem_barrier_all();
    shmem_finalize();
    shmem_query_initialized(&initialized);
    return initialized == 0 ? 0 : 4;
}

static void *end_job(void *unused)
{
    (void)unused;
    usleep(100000);
    shmem_global_exit(7);
}

/* In a thread of PE 1, while all PEs are in a barrier. */
static int exit_in_thread(void)
{
    pthread_t thread;
    shmem_init();
    if (shmem_my_pe() == 1 && pthread_create(&thread, NULL, end_job, NULL) == 0) pause();
    shmem_barrier_all();
    return 4;
}

static void end_in_handler(void)
{
    shmem_global_exit(7);
}

/* In an exit handler, while the others are in the end of the library. */
static int exit_in_handler(void)
{
    shmem_init();
    if (shmem_my_pe() == 1 && atexit(end_in_handler) != 0) return 4;
    return 0;
}

/* 1,000 blocks of one element, contiguous at the destination, and as many with gaps: PE 0. */
static int blocks(void)
{
    static int source[3000], got[1000];
    int *block;
    bool right = true;
    shmem_init();
    block = shmem_calloc(3000, sizeof(*block));
    for (int i = 0; i < 3000; i++) block[i] = source[i] = i;
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        shmem_ibget(got, block, 1, 3, 1, 1000, 1);
        shmem_ibput(block, source, 1, 3, 1, 1000, 1);
    }
    shmem_barrier_all();
    for (int i = 0; i < 1000; i++) {
        right = right && got[i] == (shmem_my_pe() == 0 ? 3 * i : 0);
        right = right && block[i] == (shmem_my_pe() == 1 ? 3 * i : i);
    }
    shmem_finalize();
    return right ? 0 : 4;
}

/* 1,000 elements of which every third one is fetched, and as many backwards: PE 0. */
static int iget(void)
{
    static int got[2][1000];
    int *values;
    bool right = true;
    shmem_init();
    values = shmem_calloc(3000, sizeof(*values));
    for (int i = 0; i < 3000; i++) values[i] = i;
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        shmem_iget(got[0], values, 1, 3, 1000, 1);
        shmem_iget(got[1], values + 2999, 1, -3, 1000, 1);
    }
    for (int i = 0; i < 1000 && shmem_my_pe() == 0; i++)
        right = right && got[0][i] == 3 * i && got[1][i] == 2999 - 3 * i;
    shmem_barrier_all();
    shmem_finalize();
    return right ? 0 : 4;
}

/* Puts that a profiler counts, by both names; PE 0 has it look away for some. */
static int profiled(void)
{
    long *dest, source[10] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
    int to;
    bool right = true;
    shmem_init();
    dest = shmem_calloc(10, sizeof(*dest));
    to = (shmem_my_pe() + 1) % shmem_n_pes();
    for (size_t n = 1; n <= 10; n++) {
        if (shmem_my_pe() == 0) shmem_pcontrol(n > 2);
        if (n % 2 == 0)
            shmem_put(dest, source, n, to);
        else
            shmem_long_put(dest, source, n, to);
    }
    shmem_barrier_all();
    for (size_t i = 0; i < 10; i++) right = right && dest[i] == source[i];
    shmem_finalize();
    return right ? 0 : 4;
}

/* The level that the program asked for, or the highest of several. */
/* Into an array that is too small, by more than all static variables have behind it. */
static int overrun(void)
{
    enum { MANY = 1 << 24 };
    static int few[4];
    const int *source = calloc(MANY, sizeof(*source));
    shmem_init();
    if (source == NULL) return 4;
    shmem_int_put(few, source, MANY, 1 - shmem_my_pe());
    shmem_barrier_all();
    return 4;
}

static int levels(void)
{
    static const int asked[] = {SHMEM_THREAD_FUNNELED, SHMEM_THREAD_SINGLE,
                                SHMEM_THREAD_SERIALIZED, 99};
    static const int gets[] = {SHMEM_THREAD_FUNNELED, SHMEM_THREAD_FUNNELED,
                               SHMEM_THREAD_SERIALIZED, SHMEM_THREAD_MULTIPLE};
    int level = -1;
    bool right = true;
    for (int i = 0; i < 4; i++) {
        right = right && shmem_init_thread(asked[i], &level) == 0 && level == gets[i];
        shmem_query_thread(&level);
        right = right && level == gets[i];
    }
    for (int i = 0; i < 4; i++) shmem_finalize();
    return right ? 0 : 4;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } modes[] = {
#define X(MODE) {#MODE, MODE},
        X(heap) X(heap_of_nvshmem) X(without_finalize) X(failing) X(failing_put) X(exit_before)
        X(exit_after) X(exit_in_child) X(exit_in_thread) X(exit_in_handler) X(blocks)
        X(iget) X(profiled) X(levels) X(overrun)
#undef X
    };
    (void)alarm(25);
    for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(modes[0]); i++)
        if (strcmp(argv[1], modes[i].name) == 0) return modes[i].run();
    return 2;
}
