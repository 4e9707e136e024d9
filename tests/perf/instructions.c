/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls that instructions.sh counts: each a function of its own, as the
 * device routines are, and called as often as the command line says.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/amo.h"
#include "device/sync.h"

#define SHIFT 10u
#define HEAP_WORDS 64u
/* Of what is timed. */
#define BATCHES 201
#define BATCH 20000u

static uint64_t heap[HEAP_WORDS];
static unsigned char *const peer[] = {(unsigned char *)heap};

/* External and not inlined. */
#define COUNTED __attribute__((noinline))

void count_put(struct ash_channel *channel, uint32_t pe, uint64_t offset, const void *source,
               uint64_t nbytes);
void count_p(struct ash_channel *channel, uint32_t pe, uint64_t offset, uint64_t value);
void count_add(struct ash_channel *channel, uint32_t pe, uint64_t offset, uint64_t operand);
void count_compare_swap(struct ash_channel *channel, uint32_t pe, uint64_t offset,
                        uint64_t compare, uint64_t operand, uint32_t reply);
void count_put_signal(struct ash_channel *channel, uint32_t pe, uint64_t offset,
                      const void *source, uint64_t nbytes, uint64_t signal_offset,
                      uint64_t signal);
uint64_t count_pop(struct ash_channel *channel);
void count_quiet(struct ash_channel *channel);
void count_fence(struct ash_channel *channel);
void count_wait(int *variable, int value);
uint64_t count_amo(uint64_t *word, int pe);
uint64_t count_amo_bare(uint64_t *word, int pe);

COUNTED void count_put(struct ash_channel *channel, uint32_t pe, uint64_t offset,
                       const void *source, uint64_t nbytes)
{
    ash_channel_push(channel, ASH_WORD0(ASH_OP_PUT, 0, pe, 0), nbytes, (uintptr_t)source, offset);
}

COUNTED void count_p(struct ash_channel *channel, uint32_t pe, uint64_t offset, uint64_t value)
{
    ash_channel_push(channel, ASH_WORD0(ASH_OP_P, 3, pe, 0), value, 0, offset);
}

COUNTED void count_add(struct ash_channel *channel, uint32_t pe, uint64_t offset, uint64_t operand)
{
    ash_channel_push(channel, ASH_WORD0(ASH_OP_ADD, 3, pe, 0), 0, operand, offset);
}

COUNTED void count_compare_swap(struct ash_channel *channel, uint32_t pe, uint64_t offset,
                                uint64_t compare, uint64_t operand, uint32_t reply)
{
    ash_channel_push(channel, ASH_WORD0(ASH_OP_COMPARE_SWAP, 3, pe, reply), compare, operand,
                     offset);
}

COUNTED void count_put_signal(struct ash_channel *channel, uint32_t pe, uint64_t offset,
                              const void *source, uint64_t nbytes, uint64_t signal_offset,
                              uint64_t signal)
{
    ash_channel_push_signal(channel, ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, pe, 0), nbytes,
                            (uintptr_t)source, offset, signal, signal_offset);
}

/* Pop, and decode what a proxy must know of every request. */
COUNTED uint64_t count_pop(struct ash_channel *channel)
{
    struct ash_request request;
    if (!ash_channel_pop(channel, &request)) abort();
    return ash_request_op(&request) + ash_request_pe(&request) + ash_request_offset(&request) +
           request.word[2];
}

COUNTED void count_quiet(struct ash_channel *channel) { ash_channel_quiet(channel, "test"); }
COUNTED void count_fence(struct ash_channel *channel) { ash_channel_fence(channel); }

/* A wait that is met at once. */
COUNTED void count_wait(int *variable, int value)
{
    ash_wait("wait", "ivar", variable, ASH_KIND(int), NVSHMEM_CMP_EQ, (uint64_t)value);
}

/* An atomic on a mapped PE. */
COUNTED uint64_t count_amo(uint64_t *word, int pe)
{
    return ash_amo("amo", ASH_OP_FETCH_ADD, word, 8, 1, 0, pe);
}

/* The same without the checks of its arguments. */
COUNTED uint64_t count_amo_bare(uint64_t *word, int pe)
{
    uint64_t offset = (uint64_t)((uintptr_t)word - (uintptr_t)ash_state.heap), old;
    if (ash_atomic_direct(ASH_OP_FETCH_ADD, 8, pe, offset, 1, 0, &old)) return old;
    return ash_amo_ask("amo", ASH_WORD0(ASH_OP_FETCH_ADD, 3, pe, 0), 1, 0, offset);
}

/* One call; fills or empties less than the ring. */
static void call(struct ash_channel *channel, const char *name, unsigned i)
{
    static const char source[64];
    static int variable;
    if (strcmp(name, "amo") == 0) count_amo(&heap[i % HEAP_WORDS], 0);
    if (strcmp(name, "amo_bare") == 0) count_amo_bare(&heap[i % HEAP_WORDS], 0);
    if (strcmp(name, "put") == 0) count_put(channel, i % 4, 8 * i, source, 64);
    if (strcmp(name, "p") == 0) count_p(channel, i % 4, 8 * i, i);
    if (strcmp(name, "add") == 0) count_add(channel, i % 4, 8 * i, i);
    if (strcmp(name, "compare_swap") == 0) count_compare_swap(channel, i % 4, 8 * i, i, i + 1, 1);
    if (strcmp(name, "put_signal") == 0)
        count_put_signal(channel, i % 4, 8 * i, source, 64, 4096, i);
    if (strcmp(name, "quiet") == 0) count_quiet(channel);
    if (strcmp(name, "fence") == 0) count_fence(channel);
    if (strcmp(name, "wait") == 0) count_wait(&variable, 0);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static uint64_t stop;

static void *disturb(void *unused)
{
    (void)unused;
    while (dev_load_relaxed(&stop, 8) == 0) count_amo_bare(&heap[0], 0);
    return NULL;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median time of one call, in ns, of batches that take turns. */
static void compare_checks(const char *what)
{
    static double took[2][BATCHES];
    double with, without;
    for (int batch = 0; batch < 2 * BATCHES; batch++) {
        uint64_t (*run)(uint64_t *, int) = batch % 2 ? count_amo_bare : count_amo;
        double start = now();
        for (unsigned i = 0; i < BATCH; i++) run(&heap[0], 0);
        took[batch % 2][batch / 2] = (now() - start) / BATCH;
    }
    for (int i = 0; i < 2; i++) qsort(took[i], BATCHES, sizeof(double), by_value);
    with = took[0][BATCHES / 2];
    without = took[1][BATCHES / 2];
    printf("fetch-add on a mapped PE, %s: %.2f ns with checks, %.2f ns without: %+.1f %%\n", what,
           with, without, 100 * (with / without - 1));
}

static void compare_both(void)
{
    pthread_t other;
    compare_checks("nobody else at the word");
    if (pthread_create(&other, NULL, disturb, NULL) != 0) abort();
    compare_checks("one other thread at it");
    dev_store_relaxed(&stop, 8, 1);
    pthread_join(other, NULL);
}

int main(int argc, char **argv)
{
    static struct ash_channel channel __attribute__((aligned(128)));
    static struct ash_channel_progress progress __attribute__((aligned(128)));
    static struct ash_slot slots[1u << SHIFT] __attribute__((aligned(128)));
    unsigned i, count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    uint64_t sum = 0;
    if (argc < 3 || count == 0 || count > (1u << SHIFT)) {
        fprintf(stderr,
                "usage: %s amo|amo_bare|put|p|add|compare_swap|put_signal|pop|quiet|fence|wait|"
                "checks COUNT\n",
                argv[0]);
        return 2;
    }
    ash_state.n_pes = 1;
    ash_state.heap = (unsigned char *)heap;
    ash_state.heap_size = sizeof(heap);
    ash_state.peer = peer;
    ash_channel_init(&channel, slots, SHIFT, &progress, -1, 0);
    if (strcmp(argv[1], "checks") == 0) {
        compare_both();
    } else if (strcmp(argv[1], "pop") == 0) {
        for (i = 0; i < count; i++) count_put(&channel, i % 4, 8 * i, &channel, 64);
        for (i = 0; i < count; i++) sum += count_pop(&channel);
    } else {
        for (i = 0; i < count; i++) call(&channel, argv[1], i);
    }
    printf("%s %u %llu\n", argv[1], count, (unsigned long long)sum);
    return 0;
}
