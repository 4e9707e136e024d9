/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Private contexts, whose threads send alone in their channels: some threads make contexts of both
 * kinds by turns, send bursts of every form of request, more than a channel has slots, and pause
 * between them for as long as the proxy takes to look at the channel no longer, or to sleep.
 */
#include <pthread.h>
#include <shmem.h>
#include <unistd.h>

#include "tests/support/pe.h"

#define THREADS 3
#define CONTEXTS 24
#define BURSTS 6
#define BURST_MAX 150
#define WORDS 8

static struct memory {
    long words[WORDS];
    long added, fetched;
    uint64_t signal;
} *memory;

struct thread {
    pthread_t thread;
    int number;
    /* Sums of what was added at the other PE, and what was found wrong. */
    long added, fetched;
    uint64_t signals;
    int wrong;
};

static int to;

/* 0 to 10 ms, mostly nothing. */
static void pause_at_random(uint64_t *random)
{
    uint64_t r = pe_random(random) % 16;
    if (r == 0) usleep(10000);
    if (r == 1) usleep(300);
}

static void burst(struct thread *t, shmem_ctx_t ctx, uint64_t *random)
{
    struct memory *there = &memory[t->number];
    long n = (long)(pe_random(random) % BURST_MAX) + 1, sent[WORDS];
    for (long i = 0; i < n; i++) {
        for (int k = 0; k < WORDS; k++) sent[k] = i * WORDS + k;
        shmem_ctx_long_atomic_add(ctx, &there->added, i, to);
        t->added += i;
        shmem_ctx_long_put(ctx, there->words, sent, WORDS, to);
        shmem_ctx_fence(ctx);
        if (i % 8 == 0) {
            t->wrong += shmem_ctx_long_atomic_fetch_add(ctx, &there->fetched, 1, to) != t->fetched;
            t->fetched++;
        }
        if (i % 5 == 0) {
            shmem_ctx_long_put_signal(ctx, there->words, sent, WORDS, &there->signal, 1,
                                      SHMEM_SIGNAL_ADD, to);
            t->signals++;
        }
    }
    shmem_ctx_quiet(ctx);
    for (int k = 0; k < WORDS; k++)
        t->wrong += shmem_ctx_long_g(ctx, &there->words[k], to) != (n - 1) * WORDS + k;
}

static void *run(void *arg)
{
    struct thread *t = arg;
    uint64_t random = (uint64_t)(t->number + 1) * 1000 + (uint64_t)pe_me;
    for (int i = 0; i < CONTEXTS; i++) {
        shmem_ctx_t ctx;
        if (shmem_ctx_create(i % 4 == 3 ? 0 : SHMEM_CTX_PRIVATE, &ctx) != 0) {
            t->wrong++;
            break;
        }
        for (int k = 0; k < BURSTS; k++) {
            burst(t, ctx, &random);
            pause_at_random(&random);
        }
        shmem_ctx_destroy(ctx);
    }
    return NULL;
}

int main(void)
{
    struct thread threads[THREADS] = {{0}};
    int level;
    pe_watch("shmem_ctx_private");
    PE_EQUAL(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level), 0);
    pe_started();
    PE_EQUAL(level, SHMEM_THREAD_MULTIPLE);
    to = (pe_me + 1) % pe_n;
    memory = shmem_calloc(THREADS, sizeof(*memory));
    PE_NEED(memory != NULL);
    pe_step("%d threads", THREADS);
    for (int i = 0; i < THREADS; i++) {
        threads[i].number = i;
        PE_NEED(pthread_create(&threads[i].thread, NULL, run, &threads[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        PE_NEED(pthread_join(threads[i].thread, NULL) == 0);
        PE_EQUAL(threads[i].wrong, 0);
    }
    pe_step("sums");
    for (int i = 0; i < THREADS; i++) {
        PE_EQUAL(shmem_long_g(&memory[i].added, to), threads[i].added);
        PE_EQUAL(shmem_long_g(&memory[i].fetched, to), threads[i].fetched);
        PE_EQUAL(shmem_uint64_g(&memory[i].signal, to), threads[i].signals);
    }
    pe_step("finish");
    shmem_barrier_all();
    shmem_free(memory);
    shmem_finalize();
    return pe_verdict();
}
