/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the checks of a direct atomic's arguments cost in time: with and without
 * them, alternately.  Not run by make check.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "contrib/perf/core.h"
#include "device/routine/amo.h"

#define BATCHES 201
#define BATCH 20000u

static struct {
    struct ash_wake_word wake;
    uint64_t word;
} heap;
static unsigned char *const peer[] = {(unsigned char *)&heap};
static uint64_t stop;

/* Not inlined, as the routines are not. */
#define TIMED static __attribute__((noinline))

TIMED uint64_t checked(uint64_t *word, int pe)
{
    return ash_amo("amo", ASH_OP_FETCH_ADD, word, 8, 1, 0, pe);
}

TIMED uint64_t bare(uint64_t *word, int pe)
{
    uint64_t element = ((uintptr_t)word - (uintptr_t)ash_state.heap) / sizeof(*word), old;
    unsigned char *mapped = ash_atomic_direct(ASH_OP_FETCH_ADD, 8, pe, element, 1, 0, &old);
    if (mapped != NULL) {
        ash_check_waiters_after_update(mapped);
        return old;
    }
    return ash_amo_fetch("amo", ASH_WORD0(ASH_OP_FETCH_ADD, 3, pe, 0), 1, 0,
                       element * sizeof(*word));
}

static void *disturb(void *unused)
{
    (void)unused;
    while (dev_load_relaxed(&stop, 8) == 0) bare(&heap.word, 0);
    return NULL;
}

/* The median time of one call, in ns, of batches that take turns. */
static void compare(const char *what)
{
    static double took[2][BATCHES];
    double with, without;
    for (int batch = 0; batch < 2 * BATCHES; batch++) {
        uint64_t (*run)(uint64_t *, int) = batch % 2 ? bare : checked;
        double start = now_ns();
        for (unsigned i = 0; i < BATCH; i++) run(&heap.word, 0);
        took[batch % 2][batch / 2] = (now_ns() - start) / BATCH;
    }
    for (int i = 0; i < 2; i++) sort_by_value(took[i], BATCHES);
    with = took[0][BATCHES / 2];
    without = took[1][BATCHES / 2];
    printf("fetch-add on a mapped PE, %s: %.2f ns with checks, %.2f ns without: %+.1f %%\n", what,
           with, without, 100 * (with / without - 1));
}

int main(void)
{
    pthread_t other;
    ash_state.n_pes = 1;
    ash_state_set_heap(&ash_state, (unsigned char *)&heap, sizeof(heap));
    ash_state.peer = peer;
    compare("nobody else at the word");
    if (pthread_create(&other, NULL, disturb, NULL) != 0) abort();
    compare("one other thread at it");
    dev_store_relaxed(&stop, 8, 1);
    pthread_join(other, NULL);
    return 0;
}
