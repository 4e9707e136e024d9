/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads of a job of one PE allocate and free at once: each has its blocks for itself, and nothing
 * is lost.  With more PEs that is an error (tests/api/mismatch.sh).
 */
#include <pthread.h>
#include <stdlib.h>

#include "tests/support/pe.h"

#define THREADS 4
#define CALLS 30000
#define LIVE 8
#define BYTES 64

static unsigned char *allocate(uint64_t seed, size_t nbytes)
{
    unsigned char *block;
    switch (seed % 3) {
    case 0: block = nvshmem_malloc(nbytes); break;
    case 1: block = nvshmem_align(8192, nbytes); break;
    default: block = nvshmem_calloc(1, nbytes); break;
    }
    if (PE_TRUE(block != NULL)) pe_fill(block, nbytes, seed);
    return block;
}

static void *allocate_and_free(void *argument)
{
    uint64_t state = (uintptr_t)argument, seed[LIVE];
    unsigned char *block[LIVE] = {NULL};
    size_t nbytes[LIVE] = {0};
    for (int i = 0; i < CALLS + LIVE; i++) {
        unsigned slot = (unsigned)i % LIVE;
        if (block[slot] != NULL) {
            PE_FILLED(block[slot], nbytes[slot], seed[slot]);
            nvshmem_free(block[slot]);
            block[slot] = NULL;
        }
        if (i >= CALLS) continue;
        seed[slot] = pe_random(&state);
        nbytes[slot] = 1 + seed[slot] % BYTES;
        block[slot] = allocate(seed[slot], nbytes[slot]);
        if (i % 64 == 0) nvshmem_barrier_all();
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    char *all;
    setenv("NVSHMEM_SYMMETRIC_SIZE", "4M", 1);
    pe_start("heap_threads");
    PE_NEED(pe_n == 1);
    for (uintptr_t i = 0; i < THREADS; i++)
        PE_NEED(pthread_create(&threads[i], NULL, allocate_and_free, (void *)(i + 1)) == 0);
    for (int i = 0; i < THREADS; i++) PE_NEED(pthread_join(threads[i], NULL) == 0);
    /* All is free again, and in one piece. */
    all = nvshmem_malloc(3 << 20);
    PE_TRUE(all != NULL);
    nvshmem_free(all);
    return pe_finish();
}
