/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words that are changed over every path at once: by CPUs that map them, by UCX's
 * atomics, by messages, and by the PE that has them.  Nothing may get lost.
 *
 * Each PE keeps what it gave to each word; the PE that has the word adds that up
 * and compares.  What atomics returned is added up as hashes, so that every
 * ticket was drawn once, and what was swapped out had been swapped in.
 *
 * At the end a control: the PE that has a word adds to it by a load and a store
 * while others add over one of the paths.  Additions must get lost: the paths meet.
 *
 * PE_SEED      which operations [1]
 * PE_SECONDS   for how long, without the control [1.5, and for some rounds at least]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/pe/mixed_control.h"
#include "tests/support/amo_table.h"
#include "tests/support/clock.h"
#include "tests/support/pe.h"

/* In each round all PEs together use UCX so often, and for each of that what they map. */
#define ROUND_STEPS 600u
#define DIRECT_PER_STEP 10u
#define BURST 16u
#define WORDS 16u
#define PAYLOAD 48u
/* At least, where words are changed over several paths and nobody says for how long. */
#define MIN_ROUNDS 6u
/* Which bit of a word is a PE's own, if any. */
#define OWN_BITS 32

/* What is done to a word, so that its end is known. */
enum place { SUM, PARITY, TICKET, COUNTER, SWAP, HALVES, BITS, PLACES };
enum { WIDTH_4, WIDTH_8, WIDTHS };

/* Symmetric.  Words of 4 bytes leave the upper half alone. */
struct words {
    uint64_t word[WIDTHS][WORDS][PLACES];
};
/* What one PE gave, or what is to be found: sums, parities or sums of hashes. */
static struct words *words, *given, *found;
static unsigned char *payloads;
static uint8_t *go_on;
static struct amo_type type[WIDTHS];
/* For each PE, what this PE gave in this round. */
static struct words *to;
static uint64_t seed, state, own[WIDTHS][WORDS];
/* Operations of this PE; symmetric: of all PEs, at PE 0. */
enum { MAPPED, BY_UCX, N_COUNTS };
static uint64_t n[N_COUNTS], *n_all;
static int *mapped, *unmapped, n_mapped, n_unmapped;

static uint64_t hash(uint64_t x) { return pe_random(&x); }

static uint64_t run(int w, enum amo_kind kind, enum place place, unsigned i, uint64_t value,
                    uint64_t cond, int pe)
{
    return type[w].row[kind]->run(&words->word[w][i][place], value, cond, pe) &
           amo_mask(type[w].width);
}

/* The one word of all: every path adds to it. */
static void add(int w, unsigned i, uint64_t value, int pe)
{
    static const unsigned char payload[PAYLOAD];
    uint64_t *word = &words->word[w][i][SUM];
    unsigned char *room = payloads + (size_t)pe_me * PAYLOAD;
    unsigned how = (unsigned)(value >> 40) % (w == WIDTH_8 ? 8 : 3);
    if (how == 1) value = 1;
    to[pe].word[w][i][SUM] += value;
    switch (how) {
    case 0: run(w, AMO_FETCH_ADD, SUM, i, value, 0, pe); break;
    case 1: run(w, AMO_INC, SUM, i, 0, 0, pe); break;
    case 2: run(w, AMO_ADD, SUM, i, value, 0, pe); break;
    case 3: nvshmemx_signal_op(word, value, NVSHMEM_SIGNAL_ADD, pe); break;
    default:
        nvshmem_putmem_signal(room, payload, PAYLOAD, word, value, NVSHMEM_SIGNAL_ADD, pe);
    }
}

/* An addition made of compare-and-swaps. */
static void count(int w, unsigned i, int pe)
{
    uint64_t old = run(w, AMO_FETCH, COUNTER, i, 0, 0, pe), seen;
    while ((seen = run(w, AMO_COMPARE_SWAP, COUNTER, i, old + 1, old, pe)) != old) old = seen;
    to[pe].word[w][i][COUNTER] += hash(old);
}

/* This PE's own bit of a word, which all others leave alone. */
static void turn_bit(int w, unsigned i, uint64_t x, int pe)
{
    uint64_t bit = UINT64_C(1) << pe_me % OWN_BITS, *is = &to[pe].word[w][i][BITS], before = *is;
    enum amo_kind kind = x % 3 == 0 ? AMO_FETCH_OR : x % 3 == 1 ? AMO_FETCH_AND : AMO_FETCH_XOR;
    uint64_t value = kind == AMO_FETCH_AND ? ~bit : bit;
    if (pe_me >= OWN_BITS) return;
    PE_EQUAL(run(w, kind, BITS, i, value, 0, pe) & bit, before);
    *is = amo_model(type[w].row[kind], before, value, 0) & bit;
}

static void change_word(int w, unsigned i, unsigned what, int pe)
{
    uint64_t x = pe_random(&state), value = pe_random(&state), half, seen;
    uint64_t mask = amo_mask(type[w].width), *gave = to[pe].word[w][i];
    switch (what) {
    case 0: case 1:
        gave[PARITY] ^= value & mask;
        run(w, x >> 20 & 1 ? AMO_XOR : AMO_FETCH_XOR, PARITY, i, value, 0, pe);
        break;
    case 2: case 3:
        seen = run(w, x >> 20 & 1 ? AMO_FETCH_INC : AMO_FETCH_ADD, TICKET, i, 1, 0, pe);
        gave[TICKET] += hash(seen);
        break;
    case 4: count(w, i, pe); break;
    case 5:
        gave[SWAP] += hash(value & mask);
        gave[SWAP] -= hash(run(w, AMO_SWAP, SWAP, i, value, 0, pe));
        break;
    case 6:
        half = value & mask >> 4 * type[w].width;
        run(w, AMO_SET, HALVES, i, half | half << 4 * type[w].width, 0, pe);
        seen = run(w, AMO_FETCH, HALVES, i, 0, 0, pe);
        PE_EQUAL(seen >> 4 * type[w].width, seen & mask >> 4 * type[w].width);
        break;
    case 7: turn_bit(w, i, value, pe); break;
    default: add(w, i, value, pe);
    }
}

static void change(int pe)
{
    uint64_t x = pe_random(&state);
    unsigned i = x >> 8 & 1 ? 0 : (unsigned)(x >> 9) % WORDS;
    change_word((int)(x % WIDTHS), i, x >> 16 & 15, pe);
}

/* The one word that each path adds to; and another one, another in each round. */
static void add_hot(int pe) { change_word(WIDTH_8, 0, 8, pe); }
static void change_hot(int pe)
{
    static const unsigned what[] = {0, 2, 5, 6, 7, 8};
    change_word((int)(seed % WIDTHS), 0, what[seed / WIDTHS % PE_COUNT(what)], pe);
}

/* Hashes of the first tickets. */
static uint64_t tickets(uint64_t drawn)
{
    uint64_t sum = 0;
    while (drawn > 0) sum += hash(--drawn);
    return sum;
}

/* What the words of this PE say, in the form of what was given. */
static void read_words(void)
{
    for (int w = 0; w < WIDTHS; w++) {
        for (unsigned i = 0; i < WORDS; i++) {
            uint64_t *is = words->word[w][i], *says = found->word[w][i];
            uint64_t half = is[HALVES] >> 4 * type[w].width;
            says[SUM] = is[SUM];
            says[PARITY] = is[PARITY];
            says[TICKET] = tickets(is[TICKET]);
            says[COUNTER] = tickets(is[COUNTER]);
            says[SWAP] = hash(is[SWAP]) - hash(own[w][i]);
            says[BITS] = is[BITS];
            PE_EQUAL(is[HALVES] & amo_mask(type[w].width) >> 4 * type[w].width, half);
            own[w][i] = is[SWAP];
            is[TICKET] = is[COUNTER] = is[SUM] = is[PARITY] = 0;
        }
    }
}

/* Between two barriers: what all gave is what is there. */
static void verify(void)
{
    static const char *names[] = {"sum", "parity", "ticket", "counter", "swap", "halves", "bits"};
    read_words();
    for (int w = 0; w < WIDTHS; w++) {
        for (int place = 0; place < PLACES; place++) {
            pe_step("PE_SEED=%llu, %s of %zu bytes", (unsigned long long)seed, names[place],
                    type[w].width);
            for (unsigned i = 0; place != HALVES && i < WORDS; i++) {
                uint64_t want = 0, got = found->word[w][i][place];
                for (int pe = 0; pe < pe_n; pe++) {
                    uint64_t more = given[pe].word[w][i][place];
                    want = place == PARITY || place == BITS ? want ^ more : want + more;
                }
                if (place == SUM) want &= amo_mask(type[w].width);
                PE_EQUAL(got, want);
            }
        }
    }
}

/* The bits are not given anew: they stay as they are. */
static void forget(void)
{
    for (int pe = 0; pe < pe_n; pe++)
        for (int w = 0; w < WIDTHS; w++)
            for (unsigned i = 0; i < WORDS; i++)
                memset(to[pe].word[w][i], 0, BITS * sizeof(uint64_t));
}

/* The one word of the one PE, or any of some PEs; returns how many operations. */
static unsigned change_some(const int *pes, int n_pes, int hot, unsigned burst)
{
    uint64_t x = pe_random(&state);
    if (burst == 0 || x % 2 == 0) {
        change(pes[(x >> 8) % (unsigned)n_pes]);
        return 1;
    }
    for (unsigned i = 0; i < burst; i++)
        add(x >> 1 & 7 ? WIDTH_8 : WIDTH_4, 0, x * (2 * i + 1), hot);
    return burst;
}

static bool run_round(bool another)
{
    int hot = (int)(hash(seed) % (uint64_t)pe_n);
    unsigned steps = ROUND_STEPS / (unsigned)pe_n + 1, direct = n_mapped == 0 ? 0 : DIRECT_PER_STEP;
    bool is_mapped = nvshmem_ptr(words, hot) != NULL;
    /* Bursts of those who map the one PE; the others' go by UCX. */
    unsigned near = is_mapped ? BURST : 0;
    forget();
    for (unsigned i = 0; i < steps; i++) {
        if (n_unmapped > 0) n[BY_UCX] += change_some(unmapped, n_unmapped, hot, BURST - near);
        for (unsigned j = 0; j < direct; j++)
            n[MAPPED] += change_some(mapped, n_mapped, hot, near);
    }
    n[is_mapped ? MAPPED : BY_UCX] +=
        mixed_hot(add_hot, hot, n_unmapped) + mixed_hot(change_hot, hot, n_unmapped);
    for (int pe = 0; pe < pe_n; pe++) {
        nvshmem_putmem(&given[pe_me], &to[pe], sizeof(*to), pe);
        if (pe_me == 0) nvshmem_uint8_p(go_on, another, pe);
    }
    nvshmem_barrier_all();
    verify();
    another = *go_on;
    nvshmem_barrier_all();
    return another;
}

static void prepare(void)
{
    words = pe_alloc(sizeof(*words));
    found = pe_alloc(sizeof(*found));
    given = pe_alloc(sizeof(*given) * (size_t)pe_n);
    payloads = pe_alloc((size_t)pe_n * PAYLOAD);
    go_on = pe_alloc(1);
    n_all = pe_alloc(sizeof(n));
    to = calloc((size_t)pe_n, sizeof(*to));
    mapped = calloc(2 * (size_t)pe_n, sizeof(*mapped));
    PE_NEED(to != NULL && mapped != NULL);
    unmapped = mapped + pe_n;
    for (int pe = 0; pe < pe_n; pe++) {
        if (nvshmem_ptr(words, pe) != NULL)
            mapped[n_mapped++] = pe;
        else
            unmapped[n_unmapped++] = pe;
    }
    for (size_t i = 0; i < 14; i++) {
        struct amo_type t;
        PE_NEED(amo_get_type(i, &t));
        if (strcmp(t.name, "uint32") == 0) type[WIDTH_4] = t;
        if (strcmp(t.name, "uint64") == 0) type[WIDTH_8] = t;
    }
}

int main(void)
{
    const char *seed_text = getenv("PE_SEED"), *seconds = getenv("PE_SECONDS");
    uint64_t rounds = 0, least = 1;
    double start;
    bool another = true;
    seed = seed_text != NULL ? strtoull(seed_text, NULL, 0) : 1;
    pe_start("mixed");
    prepare();
    state = seed + (uint64_t)pe_me * 1000003;
    start = now();
    if (seconds == NULL && n_mapped > 1 && n_unmapped > 0) least = MIN_ROUNDS;
    for (; another; rounds++, seed++)
        another = run_round(rounds < least ||
                            now() - start < (seconds != NULL ? atof(seconds) : 1.5));
    for (int i = 0; i < N_COUNTS; i++) nvshmem_uint64_atomic_add(&n_all[i], n[i], 0);
    nvshmem_barrier_all();
    if (pe_me == 0)
        printf("mixed: says: %llu operations mapped, %llu by UCX, %llu rounds, %.1f s\n",
               (unsigned long long)n_all[MAPPED], (unsigned long long)n_all[BY_UCX],
               (unsigned long long)rounds, now() - start);
    mixed_control();
    return pe_finish();
}
