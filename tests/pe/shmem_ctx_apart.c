/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts that do not wait for each other: while the last PE is stopped, what was sent to it in
 * one context stays incomplete, and other contexts, the default one among them, complete theirs.
 */
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/pe.h"

#define ROUNDS 20
/* Longer than it takes to complete what can be completed. */
#define LONG_MS 300

/* Of the contexts that threads have. */
#define THREADS 6
#define BURSTS 100
#define BLOCK 100

static long *variable, *pids;
static int last;

struct stuck {
    shmem_ctx_t ctx;
    bool done;
};

static void *quiet_of_stuck(void *arg)
{
    struct stuck *stuck = arg;
    shmem_ctx_quiet(stuck->ctx);
    __atomic_store_n(&stuck->done, true, __ATOMIC_RELEASE);
    return NULL;
}

/* True if the process is stopped, but for threads that are about to be. */
static bool is_stopped(long pid)
{
    char path[64], state = '?';
    FILE *file;
    snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
    file = fopen(path, "r");
    PE_NEED(file != NULL && fscanf(file, "%*d (%*[^)]) %c", &state) == 1);
    fclose(file);
    return state == 'T';
}

/* From here on it does no work for others, until it is let go. */
static void stop_last(void)
{
    PE_EQUAL(kill((pid_t)pids[0], SIGSTOP), 0);
    while (!is_stopped(pids[0])) usleep(1000);
    usleep(20000);
}

static void let_go(void)
{
    PE_EQUAL(kill((pid_t)pids[0], SIGCONT), 0);
}

/* Operations of each kind to PE 1, and what each of them leaves. */
static void complete_others(shmem_ctx_t ctx)
{
    long value;
    for (long i = 1; i <= ROUNDS; i++) {
        shmem_ctx_long_p(ctx, &variable[0], i, 1);
        shmem_ctx_fence(ctx);
        shmem_ctx_long_put_nbi(ctx, &variable[1], &i, 1, 1);
        shmem_ctx_quiet(ctx);
        PE_EQUAL(shmem_ctx_long_g(ctx, &variable[0], 1), i);
        shmem_ctx_long_get(ctx, &value, &variable[1], 1, 1);
        PE_EQUAL(value, i);
        PE_EQUAL(shmem_ctx_long_atomic_swap(ctx, &variable[2], i, 1), i - 1);
    }
    shmem_ctx_long_atomic_set(ctx, &variable[2], 0, 1);
    shmem_ctx_quiet(ctx);
}

static void others_go_on(void)
{
    bool mapped = shmem_ptr(variable, last) != NULL;
    struct stuck stuck = {.done = false};
    shmem_ctx_t other;
    pthread_t thread;
    pe_step("others go on");
    PE_EQUAL(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &stuck.ctx), 0);
    PE_EQUAL(shmem_ctx_create(SHMEM_CTX_PRIVATE, &other), 0);
    /* A first message: the connection is there. */
    shmem_ctx_long_p(stuck.ctx, &variable[3], 1, last);
    shmem_ctx_quiet(stuck.ctx);
    stop_last();
    shmem_ctx_long_p(stuck.ctx, &variable[3], 2, last);
    PE_NEED(pthread_create(&thread, NULL, quiet_of_stuck, &stuck) == 0);
    complete_others(other);
    complete_others(SHMEM_CTX_DEFAULT);
    shmem_quiet();
    shmem_ctx_destroy(other);
    usleep(LONG_MS * 1000);
    PE_EQUAL(__atomic_load_n(&stuck.done, __ATOMIC_ACQUIRE), mapped);
    let_go();
    PE_NEED(pthread_join(thread, NULL) == 0);
    PE_EQUAL(shmem_ctx_long_g(stuck.ctx, &variable[3], last), 2);
    shmem_ctx_destroy(stuck.ctx);
}

/* What a thread writes in the next PE: a word, a count, and more than a request carries. */
struct own_words {
    long word, count, block[BLOCK];
};

/* Each thread has a context of its own, and the others' channels are busy. */
static void *own_context(void *arg)
{
    struct own_words *own = arg;
    int to = (pe_me + 1) % pe_n;
    long block[BLOCK], got[BLOCK];
    shmem_ctx_t ctx;
    PE_EQUAL(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx), 0);
    for (long i = 1; i <= BURSTS; i++) {
        for (long k = 0; k < i % 70; k++) shmem_ctx_long_p(ctx, &own->word, i * 100 + k, to);
        for (long k = 0; k < BLOCK; k++) block[k] = i * BLOCK + k;
        shmem_ctx_long_put_nbi(ctx, own->block, block, BLOCK, to);
        shmem_ctx_quiet(ctx);
        shmem_long_get(got, own->block, BLOCK, to);
        PE_TRUE(memcmp(got, block, sizeof(got)) == 0);
        shmem_ctx_long_p(ctx, &own->word, -i, to);
        shmem_ctx_quiet(ctx);
        PE_EQUAL(shmem_long_g(&own->word, to), -i);
        shmem_ctx_long_atomic_add(ctx, &own->count, 1, to);
    }
    shmem_ctx_destroy(ctx);
    return NULL;
}

static void by_threads(void)
{
    pthread_t thread[THREADS];
    struct own_words *words = shmem_calloc(THREADS, sizeof(*words));
    pe_step("a context for each thread");
    PE_NEED(words != NULL);
    for (int i = 0; i < THREADS; i++)
        PE_NEED(pthread_create(&thread[i], NULL, own_context, &words[i]) == 0);
    for (int i = 0; i < THREADS; i++) PE_NEED(pthread_join(thread[i], NULL) == 0);
    shmem_barrier_all();
    for (int i = 0; i < THREADS; i++) {
        PE_EQUAL(words[i].word, -BURSTS);
        PE_EQUAL(words[i].count, BURSTS);
    }
    shmem_free(words);
}

/* Many contexts at once, to all PEs, and each waits for its own alone. */
static void many_at_once(void)
{
    enum { CTXS = 300 };
    static shmem_ctx_t ctx[CTXS];
    long *words = shmem_calloc(CTXS, sizeof(long));
    pe_step("%d contexts", CTXS);
    PE_NEED(words != NULL);
    for (int i = 0; i < CTXS; i++) PE_EQUAL(shmem_ctx_create(0, &ctx[i]), 0);
    for (int round = 1; round <= 3; round++) {
        for (int i = 0; i < CTXS; i++)
            shmem_ctx_long_atomic_add(ctx[i], &words[i], round, (pe_me + i) % pe_n);
        for (int i = CTXS - 1; i >= 0; i -= 1 + i % 3) shmem_ctx_quiet(ctx[i]);
    }
    for (int i = 0; i < CTXS; i++) shmem_ctx_destroy(ctx[i]);
    shmem_barrier_all();
    for (int i = 0; i < CTXS; i++) PE_EQUAL(words[i], 1 + 2 + 3);
    shmem_free(words);
}

/* What is left in a context is complete after the end of the program's part in the job. */
static void left_open(void)
{
    shmem_ctx_t ctx;
    pe_step("left open");
    PE_EQUAL(shmem_ctx_create(0, &ctx), 0);
    shmem_ctx_long_p(ctx, &variable[4], 44, (pe_me + 1) % pe_n);
}

int main(void)
{
    int provided;
    pe_watch("shmem_ctx_apart");
    PE_NEED(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0);
    pe_started();
    last = pe_n - 1;
    variable = shmem_calloc(8, sizeof(long));
    pids = shmem_calloc(1, sizeof(long));
    PE_NEED(variable != NULL && pids != NULL);
    if (pe_me == last) shmem_long_p(pids, (long)getpid(), 0);
    shmem_barrier_all();
    if (pe_me == 0 && pe_n > 2) others_go_on();
    shmem_barrier_all();
    by_threads();
    many_at_once();
    left_open();
    pe_step("finish");
    shmem_finalize();
    return pe_verdict();
}
