/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several put-with-signals to one PE update its signal word in call order, short
 * ones behind long ones, and each signal finds its own data complete.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/support/pe.h"

static const size_t sizes[] = {1, 100u << 10, 8, 1u << 20, 0, 48, 49, 70000, 16, 9000};
#define SIZES PE_COUNT(sizes)

/* Place of one message in the area of a sender. */
static size_t place(size_t index)
{
    size_t offset = 0;
    for (size_t i = 0; i < index; i++) offset += (sizes[i] + 63) / 64 * 64 + 64;
    return offset;
}

#define AREA_BYTES place(SIZES)

static uint64_t seed_of(int from, uint64_t round, size_t index)
{
    return ((uint64_t)from * 100000 + round) * 100 + index;
}

static void send_all(unsigned char *area, unsigned char *source, uint64_t *word, uint64_t round,
                     bool blocking, int to)
{
    for (size_t i = 0; i < SIZES; i++) {
        /* Set and add alternately: each makes the word one more. */
        bool add = (i + round) % 2;
        uint64_t signal = add ? 1 : round * SIZES + i + 1;
        int sig_op = add ? NVSHMEM_SIGNAL_ADD : NVSHMEM_SIGNAL_SET;
        (blocking ? nvshmem_putmem_signal : nvshmem_putmem_signal_nbi)(
            area + place(i), source + place(i), sizes[i], word, signal, sig_op, to);
    }
}

/* Look at the word all the time: it never goes back and never leaves one out
 * whose data is missing. */
static void receive_all(const unsigned char *area, const uint64_t *word, uint64_t round, int from)
{
    uint64_t first = round * SIZES, seen = first, checked = first;
    while (checked < first + SIZES) {
        uint64_t now = nvshmem_signal_fetch(word);
        if (!PE_TRUE(now >= seen && now <= first + SIZES)) break;
        seen = now;
        for (; checked < seen; checked++) {
            size_t i = (size_t)(checked - first);
            PE_FILLED(area + place(i), sizes[i], seed_of(from, round, i));
            PE_ALL(area + place(i) + sizes[i], 64, 0);
        }
        if (checked < first + SIZES)
            nvshmem_signal_wait_until((uint64_t *)word, NVSHMEM_CMP_NE, seen);
    }
}

/* As receive_all, but waits for one value after the other. */
static void receive_in_turn(const unsigned char *area, uint64_t *word, uint64_t round, int from)
{
    for (size_t i = 0; i < SIZES; i++) {
        uint64_t want = round * SIZES + i + 1;
        PE_TRUE(nvshmem_signal_wait_until(word, NVSHMEM_CMP_GE, want) >= want);
        PE_FILLED(area + place(i), sizes[i], seed_of(from, round, i));
    }
}

int main(void)
{
    unsigned char *areas, *source;
    uint64_t *words, rounds;
    pe_start("signal_order");
    rounds = pe_n > 4 ? 4 : 16;
    areas = pe_alloc(AREA_BYTES * (size_t)pe_n);
    words = pe_alloc(64 * (size_t)pe_n);
    source = calloc(1, AREA_BYTES);
    PE_NEED(source != NULL);
    for (uint64_t round = 0; round < rounds; round++) {
        pe_step("round %llu", (unsigned long long)round);
        for (size_t i = 0; i < SIZES; i++)
            pe_fill(source + place(i), sizes[i], seed_of(pe_me, round, i));
        for (int i = 0; i < pe_n; i++)
            send_all(areas + AREA_BYTES * (size_t)pe_me, source, words + 8 * pe_me, round,
                     round % 4 < 2, (pe_me + i) % pe_n);
        for (int from = 0; from < pe_n; from++) {
            unsigned char *area = areas + AREA_BYTES * (size_t)from;
            if (round % 2 == 0)
                receive_all(area, words + 8 * from, round, from);
            else
                receive_in_turn(area, words + 8 * from, round, from);
            PE_EQUAL(nvshmem_signal_fetch(words + 8 * from), (round + 1) * SIZES);
        }
        nvshmem_barrier_all();
        memset(areas, 0, AREA_BYTES * (size_t)pe_n);
        nvshmem_barrier_all();
    }
    free(source);
    return pe_finish();
}
