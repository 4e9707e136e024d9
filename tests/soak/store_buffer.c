/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * store_buffer SECONDS: two PEs each write one word, wait for quiet, and read the other's
 * (store buffering): at least one of them must see the other's.
 *
 * PEs 2i and 2i + 1 are a pair; the words are at PEs that change.  With an odd number
 * of PEs the last one only looks on.
 *
 * PE_SEED  which PEs, and how they write and read [1]
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/clock.h"
#include "tests/support/pe.h"

#define WORDS 256u
#define FAR_WORDS 16u

/* Symmetric.  One line each: words of two PEs are not one store. */
struct line {
    uint64_t word, unused[7];
};
static struct line *lines[2];
static uint64_t *saw, *others, *go_on, *sums, *partner_at, state;

static void write_word(uint64_t *word, uint64_t how, int pe)
{
    switch (how % 4) {
    case 0: nvshmem_uint64_p(word, 1, pe); break;
    case 1: nvshmem_uint64_atomic_set(word, 1, pe); break;
    case 2: nvshmem_uint64_atomic_inc(word, pe); break;
    default: nvshmemx_signal_op(word, 1, NVSHMEM_SIGNAL_SET, pe);
    }
}

static uint64_t read_word(uint64_t *word, uint64_t how, int pe)
{
    return how % 2 ? nvshmem_uint64_atomic_fetch(word, pe) : nvshmem_uint64_g(word, pe);
}

/* So that both write at once, more or less: the other one is at this word, or late. */
static void approach(uint64_t at, int partner)
{
    if (nvshmem_ptr(partner_at, partner) == NULL) return;
    nvshmem_uint64_p(partner_at, at, partner);
    for (int i = 0; i < 2000 && nvshmem_signal_fetch(partner_at) < at; i++) continue;
}

/* Both draw the same where: it follows from the round.  Returns whether PE 0 goes on. */
static bool run_round(uint64_t round, bool another)
{
    uint64_t shared = round * 1000003 + (uint64_t)(pe_me / 2), n[4] = {0};
    int side = pe_me % 2, partner = pe_me ^ 1, at[2];
    bool alone = partner >= pe_n;
    unsigned words = pe_all_mapped(saw) ? WORDS : FAR_WORDS;
    at[0] = (int)(pe_random(&shared) % (uint64_t)pe_n);
    at[1] = (int)(pe_random(&shared) % (uint64_t)pe_n);
    for (unsigned i = 0; i < words && !alone; i++) {
        uint64_t how = pe_random(&state);
        struct line *line = lines[side] + (size_t)(pe_me / 2) * WORDS + i;
        struct line *other = lines[!side] + (size_t)(pe_me / 2) * WORDS + i;
        approach(round * WORDS + i + 1, partner);
        write_word(&line->word, how, at[side]);
        nvshmem_quiet();
        saw[i] = read_word(&other->word, how >> 8, at[!side]);
    }
    if (!alone) nvshmem_uint64_put(others, saw, words, partner);
    for (int pe = 0; pe_me == 0 && pe < pe_n; pe++) nvshmem_uint64_p(go_on, another, pe);
    nvshmem_barrier_all();
    pe_step("round %llu", (unsigned long long)round);
    for (unsigned i = 0; i < words && !alone; i++) {
        PE_TRUE(saw[i] + others[i] > 0);
        if (PE_TRUE(saw[i] <= 1 && others[i] <= 1)) n[saw[i] + others[i]]++;
    }
    for (unsigned i = 0; i < WORDS * (unsigned)(pe_n / 2 + 1); i++)
        lines[0][i].word = lines[1][i].word = 0;
    for (unsigned i = 1; i < 3; i++)
        if (n[i] > 0 && side == 0) nvshmem_uint64_atomic_add(&sums[i], n[i], 0);
    /* After the barrier PE 0 may write that of the next round. */
    another = *go_on != 0;
    nvshmem_barrier_all();
    return another;
}

int main(int argc, char **argv)
{
    const char *seed_text = getenv("PE_SEED");
    double end = argc > 1 ? atof(argv[1]) : 1;
    uint64_t seed = seed_text != NULL ? strtoull(seed_text, NULL, 0) : 1, round = 0;
    pe_start("store_buffer");
    PE_NEED(pe_n > 1);
    for (int i = 0; i < 2; i++)
        lines[i] = pe_alloc(WORDS * (size_t)(pe_n / 2 + 1) * sizeof(**lines));
    saw = pe_alloc(WORDS * sizeof(*saw));
    others = pe_alloc(WORDS * sizeof(*others));
    go_on = pe_alloc(sizeof(*go_on));
    sums = pe_alloc(4 * sizeof(*sums));
    partner_at = pe_alloc(sizeof(*partner_at));
    state = seed * 7919 + (uint64_t)pe_me;
    nvshmem_barrier_all();
    end += now();
    while (run_round(seed + round, now() < end)) round++;
    if (pe_me == 0) {
        PE_TRUE(sums[1] + sums[2] > 0);
        printf("store_buffer: %llu times, %llu of them one saw nothing\n",
               (unsigned long long)(sums[1] + sums[2]), (unsigned long long)sums[1]);
    }
    return pe_finish();
}
