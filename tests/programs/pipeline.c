/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pipeline with put_signal and wait_until_some_vector, written against
 * OpenSHMEM alone.
 *
 * Blocks of numbers go through STAGES stages, stage s on PE s modulo the number
 * of PEs, and come back to PE 0.  Each stage has a few slots that a block is put
 * into, with a signal that counts the blocks of this slot; block b uses slot b
 * modulo SLOTS everywhere, and enters when the block before it in this slot has
 * come back.  A PE waits for all its slots at once, each with a value of its own.
 *
 * "pipeline serial" does the same without OpenSHMEM; both print the same.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAGES 7
#define SLOTS 6
#define BLOCKS 240
#define LENGTH 700
/* The last row of slots is where blocks come back. */
#define ROWS (STAGES + 1)

struct block {
    /* Numbers in use. */
    uint64_t length;
    uint64_t numbers[LENGTH];
};

static uint64_t results[BLOCKS];

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static void make_block(struct block *block, uint64_t number)
{
    block->length = 1 + mix(number) % LENGTH;
    for (uint64_t i = 0; i < block->length; i++) block->numbers[i] = mix(number * LENGTH + i);
}

/* One stage: each number takes something from its neighbour; some blocks get shorter. */
static void work(struct block *block, uint64_t stage)
{
    uint64_t before = stage + 1;
    for (uint64_t i = 0; i < block->length; i++) {
        before = mix(block->numbers[i] + before * (2 * stage + 3));
        block->numbers[i] = before;
    }
    if (before % 5 == 0 && block->length > 1) block->length -= block->length / 4;
}

static uint64_t digest(const struct block *block)
{
    uint64_t sum = block->length;
    for (uint64_t i = 0; i < block->length; i++) sum = mix(sum + block->numbers[i]);
    return sum;
}

static void print_results(void)
{
    uint64_t sum = 0;
    for (int b = 0; b < BLOCKS; b++) {
        sum = mix(sum + results[b]);
        if (b % 16 == 15) printf("blocks to %d: %016llx\n", b, (unsigned long long)sum);
    }
    printf("all: %016llx\n", (unsigned long long)sum);
}

/* Serial. */

static void run_serial(void)
{
    static struct block block;
    for (uint64_t b = 0; b < BLOCKS; b++) {
        make_block(&block, b);
        for (uint64_t stage = 0; stage < STAGES; stage++) work(&block, stage);
        results[b] = digest(&block);
    }
    print_results();
}

/* With OpenSHMEM. */

static struct {
    int me, n;
    /* Symmetric, [row][slot]. */
    struct block *blocks;
    uint64_t *signals;
    /* What each signal will be next, and whether nothing more comes. */
    uint64_t next[ROWS * SLOTS];
    int closed[ROWS * SLOTS];
    size_t indices[ROWS * SLOTS];
} line;

static void fail(const char *text)
{
    fprintf(stderr, "pipeline: PE %d: %s\n", shmem_my_pe(), text);
    shmem_global_exit(1);
}

static int pe_of(int row)
{
    return row == STAGES ? 0 : row % line.n;
}

/* Blocks that use a slot. */
static uint64_t uses_of(int slot)
{
    return (BLOCKS - (uint64_t)slot + SLOTS - 1) / SLOTS;
}

/* Send a block to a row; `round` counts the blocks of its slot from 1. */
static void send(const struct block *block, int row, int slot, uint64_t round)
{
    int at = row * SLOTS + slot;
    shmem_put_signal(&line.blocks[at].length, &block->length, 1 + (size_t)block->length,
                     &line.signals[at], round, SHMEM_SIGNAL_SET, pe_of(row));
}

static void enter(int slot, uint64_t round)
{
    static struct block block;
    make_block(&block, (round - 1) * SLOTS + (uint64_t)slot);
    send(&block, 0, slot, round);
}

/* A block has come to a slot of this PE. */
static void arrived(int at)
{
    int row = at / SLOTS, slot = at % SLOTS;
    uint64_t round = line.next[at];
    struct block *block = &line.blocks[at];
    if (shmem_signal_fetch(&line.signals[at]) != round) fail("a signal is wrong");
    if (row < STAGES) {
        work(block, (uint64_t)row);
        send(block, row + 1, slot, round);
    } else {
        results[(round - 1) * SLOTS + (uint64_t)slot] = digest(block);
        if (round < uses_of(slot)) enter(slot, round + 1);
    }
    line.next[at] = round + 1;
    if (round == uses_of(slot)) line.closed[at] = 1;
}

static void run_pipeline(void)
{
    size_t n;
    for (int at = 0; at < ROWS * SLOTS; at++) {
        line.next[at] = 1;
        line.closed[at] = pe_of(at / SLOTS) != line.me;
    }
    if (line.me == 0)
        for (int slot = 0; slot < SLOTS; slot++) enter(slot, 1);
    /* An empty set: all slots are closed. */
    while ((n = shmem_wait_until_some_vector(line.signals, ROWS * SLOTS, line.indices, line.closed,
                                             SHMEM_CMP_GE, line.next)) > 0)
        for (size_t i = 0; i < n; i++) arrived((int)line.indices[i]);
}

static void run_parallel(void)
{
    shmem_init();
    line.me = shmem_my_pe();
    line.n = shmem_n_pes();
    line.blocks = shmem_malloc(sizeof(struct block) * ROWS * SLOTS);
    line.signals = shmem_calloc(ROWS * SLOTS, sizeof(uint64_t));
    if (line.blocks == NULL || line.signals == NULL) fail("no symmetric memory");
    run_pipeline();
    shmem_barrier_all();
    if (line.me == 0) print_results();
    shmem_free(line.signals);
    shmem_free(line.blocks);
    shmem_finalize();
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "serial") == 0)
        run_serial();
    else
        run_parallel();
    return 0;
}
