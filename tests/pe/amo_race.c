/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All PEs on one variable at once: sums are exact, tickets unique, swapped values
 * neither lost nor doubled, bits of others untouched, no value torn.
 */
#include <string.h>

#include "tests/support/amo_table.h"
#include "tests/support/pe.h"

/*
 * Operations of one PE in each race: where they are a few nanoseconds long it
 * takes many until two PEs collide.
 */
#define ROUNDS_DIRECT 20000u
#define ROUNDS_CHANNEL 100u

/* The race that is run: a type, and one variable of it on one PE. */
static struct {
    struct amo_type type;
    int owner;
    void *word;
    uint64_t mask;
    /* Operations of this PE, and of all PEs together. */
    unsigned rounds;
    uint64_t all_rounds;
} race;

/* In symmetric memory. */
static uint8_t *tickets;
static uint64_t *sums;
/* Operations of each PE: many of those that map the owner's memory. */
static uint64_t *rounds_of;

static uint64_t amo(enum amo_kind kind, uint64_t value)
{
    return race.type.row[kind]->run(race.word, value, 0, race.owner);
}

/* PEs on the owner's host may do more than others; all tell all. */
static void count_rounds(void)
{
    race.rounds = nvshmem_ptr(race.word, race.owner) != NULL ? ROUNDS_DIRECT : ROUNDS_CHANNEL;
    race.all_rounds = 0;
    for (int pe = 0; pe < pe_n; pe++) nvshmem_uint64_p(&rounds_of[pe_me], race.rounds, pe);
    nvshmem_barrier_all();
    for (int pe = 0; pe < pe_n; pe++) race.all_rounds += rounds_of[pe];
}

/* Every PE begins with the same value in the word. */
static void begin(const char *what, uint64_t value)
{
    pe_step("%s: %s on PE %d", race.type.name, what, race.owner);
    pe_store_bits(race.word, race.type.width, value);
    nvshmem_barrier_all();
}

static uint64_t word_bits(void)
{
    return pe_load_bits(race.word, race.type.width);
}

/* An addition made of compare-and-swaps; returns the number that it replaced. */
static uint64_t increment_by_swapping(void)
{
    uint64_t old = amo(AMO_FETCH, 0), seen;
    for (;;) {
        seen = race.type.row[AMO_COMPARE_SWAP]->run(race.word, old + 1, old, race.owner);
        if (seen == old) return old;
        old = seen;
    }
}

static void draw(uint64_t ticket)
{
    if (PE_TRUE(ticket < 3 * race.all_rounds))
        nvshmem_uint8_p(&tickets[ticket], 1, race.owner);
}

/* Each PE adds 1 in three ways and notes the number that it drew. */
static void race_tickets(void)
{
    size_t n = 3 * (size_t)race.all_rounds;
    memset(tickets, 0, n);
    begin("tickets", 0);
    for (unsigned i = 0; i < race.rounds; i++) {
        draw(amo(AMO_FETCH_ADD, 1));
        draw(amo(AMO_FETCH_INC, 0));
        draw(increment_by_swapping());
    }
    nvshmem_barrier_all();
    PE_EQUAL(amo(AMO_FETCH, 0), n);
    if (pe_me == race.owner) {
        /* As many draws as numbers and each number drawn: none was drawn twice. */
        PE_EQUAL(word_bits(), n);
        PE_ALL(tickets, n, 1);
    }
    nvshmem_barrier_all();
}

/* Additions that return nothing, across zero. */
static void race_sum(void)
{
    uint64_t want = (uint64_t)-5;
    for (int pe = 0; pe < pe_n; pe++) want += rounds_of[pe] * (unsigned)(pe + 1);
    begin("sum", (uint64_t)-5);
    for (unsigned i = 0; i < race.rounds; i++) {
        amo(AMO_ADD, (uint64_t)pe_me + 1);
        amo(AMO_INC, 0);
        amo(AMO_ADD, (uint64_t)-1);
    }
    nvshmem_barrier_all();
    if (pe_me == race.owner) PE_EQUAL(word_bits(), want & race.mask);
    nvshmem_barrier_all();
}

/* What was swapped in is what was swapped out and what is left. */
static void race_swap(void)
{
    uint64_t sum = 0, want = 0, total;
    begin("swap", 0);
    for (unsigned i = 0; i < race.rounds; i++)
        sum += amo(AMO_SWAP, (unsigned)pe_me * ROUNDS_DIRECT + i);
    nvshmem_uint64_p(&sums[pe_me], sum, race.owner);
    nvshmem_barrier_all();
    total = word_bits();
    for (int pe = 0; pe < pe_n; pe++) {
        uint64_t n = rounds_of[pe];
        total += sums[pe];
        want += n * (unsigned)pe * ROUNDS_DIRECT + n * (n - 1) / 2;
    }
    if (pe_me == race.owner) PE_EQUAL(total, want);
    nvshmem_barrier_all();
}

/* Nobody sees a value that nobody set: both halves of each are the same. */
static void race_set(void)
{
    unsigned half = 4 * (unsigned)race.type.width;
    begin("set", 0);
    for (unsigned i = 0; i < race.rounds; i++) {
        uint64_t seen, low = ((unsigned)pe_me * ROUNDS_DIRECT + i) & ((UINT64_C(1) << half) - 1);
        amo(AMO_SET, low << half | low);
        seen = amo(AMO_FETCH, 0);
        PE_EQUAL(seen >> half, seen & ((UINT64_C(1) << half) - 1));
    }
    nvshmem_barrier_all();
}

/* The bits that belong to a PE; at most 8 PEs have bits of their own. */
static uint64_t bits_of(int pe)
{
    return UINT64_C(0x0101010101010101) << pe & race.mask;
}

/*
 * Each PE turns its bits on, off and over while the others do the same with
 * theirs, and always finds its own as it left them.
 */
static void race_bits(void)
{
    uint64_t mine = bits_of(pe_me), want = 0;
    begin("bits", 0);
    for (unsigned i = 0; i < race.rounds; i++) {
        PE_EQUAL(amo(AMO_FETCH_OR, mine) & mine, 0);
        PE_EQUAL(amo(AMO_FETCH_AND, ~mine) & mine, mine);
        PE_EQUAL(amo(AMO_FETCH_XOR, mine) & mine, 0);
        PE_EQUAL(amo(AMO_FETCH, 0) & mine, mine);
        amo(AMO_AND, ~mine);
        nvshmem_fence();
        PE_EQUAL(amo(AMO_FETCH, 0) & mine, 0);
        amo(AMO_OR, mine);
        nvshmem_fence();
        PE_EQUAL(amo(AMO_FETCH, 0) & mine, mine);
        amo(AMO_XOR, mine);
        nvshmem_fence();
    }
    amo(AMO_OR, mine);
    nvshmem_barrier_all();
    for (int pe = 0; pe < pe_n; pe++) want |= bits_of(pe);
    if (pe_me == race.owner) PE_EQUAL(word_bits(), want);
    nvshmem_barrier_all();
}

int main(void)
{
    pe_start("amo_race");
    PE_NEED(pe_n <= 8);
    race.word = pe_alloc(64);
    tickets = pe_alloc(3 * (size_t)ROUNDS_DIRECT * (size_t)pe_n);
    sums = pe_alloc(sizeof(*sums) * (size_t)pe_n);
    rounds_of = pe_alloc(sizeof(*rounds_of) * (size_t)pe_n);
    for (size_t i = 0; amo_get_type(i, &race.type); i++) {
        race.owner = (int)i % pe_n;
        race.mask = amo_mask(race.type.width);
        count_rounds();
        race_set();
        if (race.type.row[AMO_ADD] != NULL) {
            race_tickets();
            race_sum();
            race_swap();
        }
        if (race.type.row[AMO_XOR] != NULL) race_bits();
    }
    return pe_finish();
}
