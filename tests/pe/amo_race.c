/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All PEs on one variable at once: sums are exact, tickets unique, swapped values
 * neither lost nor doubled, bits of others untouched, no value torn.
 */
#include <stdlib.h>

#include "tests/support/pe.h"

/* Operations of one PE in each race. */
#define ROUNDS 200u

/* Races of a type; each is run with its variable on another PE. */
struct race {
    const char *name;
    void (*add)(void *variable, uint8_t *tickets, int owner);
    void (*swap)(void *variable, uint64_t *ret_sum, int owner);
    uint64_t (*fetch)(const void *variable, int owner);
    size_t width;
};

/*
 * Each PE adds 1 in five ways.  What fetch_add and fetch_inc return are tickets:
 * the owner counts how often each was drawn.
 */
#define X(NAME, TYPE) \
    static void NAME##_race_add(void *variable, uint8_t *tickets, int owner) \
    { \
        TYPE *word = (TYPE *)variable, old, seen; \
        for (unsigned i = 0; i < ROUNDS; i++) { \
            nvshmem_uint8_p(&tickets[nvshmem_##NAME##_atomic_fetch_add(word, 1, owner)], 1, owner); \
            nvshmem_uint8_p(&tickets[nvshmem_##NAME##_atomic_fetch_inc(word, owner)], 1, owner); \
            old = nvshmem_##NAME##_atomic_fetch(word, owner); \
            while ((seen = nvshmem_##NAME##_atomic_compare_swap(word, old, old + 1, owner)) != \
                   old) \
                old = seen; \
            nvshmem_uint8_p(&tickets[old], 1, owner); \
        } \
    } \
    static void NAME##_race_swap(void *variable, uint64_t *ret_sum, int owner) \
    { \
        TYPE *word = (TYPE *)variable; \
        for (unsigned i = 1; i <= ROUNDS; i++) \
            *ret_sum += (uint64_t)nvshmem_##NAME##_atomic_swap( \
                word, (TYPE)((unsigned)pe_me * ROUNDS + i), owner); \
    } \
    static uint64_t NAME##_race_fetch(const void *variable, int owner) \
    { \
        return (uint64_t)nvshmem_##NAME##_atomic_fetch((const TYPE *)variable, owner); \
    }
NVSHMEM_AMO_TYPES(X)
#undef X

static const struct race races[] = {
#define X(NAME, TYPE) \
    {#NAME, NAME##_race_add, NAME##_race_swap, NAME##_race_fetch, sizeof(TYPE)},
    NVSHMEM_AMO_TYPES(X)
#undef X
};

/* Unfetched adds: the sum after a barrier, in the owner's memory. */
#define X(NAME, TYPE) \
    static void NAME##_race_sum(TYPE *word, int owner) \
    { \
        *word = (TYPE)-5; \
        nvshmem_barrier_all(); \
        for (unsigned i = 0; i < ROUNDS; i++) { \
            nvshmem_##NAME##_atomic_add(word, (TYPE)(pe_me + 1), owner); \
            nvshmem_##NAME##_atomic_inc(word, owner); \
            nvshmem_##NAME##_atomic_add(word, (TYPE)-1, owner); \
        } \
        nvshmem_barrier_all(); \
        pe_step(#NAME ": sum on PE %d", owner); \
        if (pe_me == owner) PE_EQUAL(*word, (TYPE)(ROUNDS * (pe_n * (pe_n + 1) / 2) - 5)); \
        nvshmem_barrier_all(); \
    }
NVSHMEM_AMO_TYPES(X)
#undef X

/*
 * Each PE owns some bits.  It turns them on, off and over while the others do
 * the same with theirs, and always finds its own as it left them.
 */
#define X(NAME, TYPE) \
    static void NAME##_race_bits(TYPE *word, int owner) \
    { \
        TYPE mine = (TYPE)((TYPE)0x01010101 << pe_me % 8); \
        *word = 0; \
        nvshmem_barrier_all(); \
        for (unsigned i = 0; i < ROUNDS; i++) { \
            PE_EQUAL(nvshmem_##NAME##_atomic_fetch_or(word, mine, owner) & mine, 0); \
            PE_EQUAL(nvshmem_##NAME##_atomic_fetch_and(word, (TYPE)~mine, owner) & mine, mine); \
            PE_EQUAL(nvshmem_##NAME##_atomic_fetch_xor(word, mine, owner) & mine, 0); \
            nvshmem_##NAME##_atomic_and(word, (TYPE)~mine, owner); \
            nvshmem_fence(); \
            nvshmem_##NAME##_atomic_or(word, mine, owner); \
            nvshmem_fence(); \
            PE_EQUAL(nvshmem_##NAME##_atomic_fetch(word, owner) & mine, mine); \
            nvshmem_##NAME##_atomic_xor(word, mine, owner); \
            nvshmem_fence(); \
        } \
        nvshmem_##NAME##_atomic_or(word, mine, owner); \
        nvshmem_barrier_all(); \
        if (pe_me == owner) { \
            TYPE want = 0; \
            for (int pe = 0; pe < pe_n && pe < 8; pe++) \
                want = (TYPE)(want | (TYPE)((TYPE)0x01010101 << pe)); \
            PE_EQUAL(*word, want); \
        } \
        nvshmem_barrier_all(); \
    }
NVSHMEM_BITWISE_TYPES(X)
#undef X

/* Nobody sees a value that nobody set: both halves of each are the same. */
#define X(NAME, TYPE) \
    static void NAME##_race_set(TYPE *word, int owner) \
    { \
        unsigned half = 4 * sizeof(TYPE); \
        uint64_t low = (UINT64_C(1) << half) - 1, bits; \
        TYPE value; \
        pe_store_bits(word, sizeof(TYPE), 0); \
        nvshmem_barrier_all(); \
        for (unsigned i = 0; i < ROUNDS; i++) { \
            bits = ((unsigned)pe_me * ROUNDS + i) & low; \
            pe_store_bits(&value, sizeof(TYPE), bits << half | bits); \
            nvshmem_##NAME##_atomic_set(word, value, owner); \
            value = nvshmem_##NAME##_atomic_fetch(word, owner); \
            bits = pe_load_bits(&value, sizeof(TYPE)); \
            PE_EQUAL(bits >> half, bits & low); \
        } \
        nvshmem_barrier_all(); \
    }
NVSHMEM_EXTENDED_AMO_TYPES(X)
#undef X

static void race_add(const struct race *race, void *word, uint8_t *tickets, int owner)
{
    size_t n = 3 * (size_t)ROUNDS * (size_t)pe_n;
    pe_step("%s: tickets on PE %d", race->name, owner);
    pe_store_bits(word, race->width, 0);
    for (size_t i = 0; i < n; i++) tickets[i] = 0;
    nvshmem_barrier_all();
    race->add(word, tickets, owner);
    nvshmem_barrier_all();
    if (pe_me == owner) {
        /* As many tickets as numbers, each number drawn: none was drawn twice. */
        PE_EQUAL(pe_load_bits(word, race->width), n);
        PE_ALL(tickets, n, 1);
    }
    PE_EQUAL(race->fetch(word, owner), n);
    nvshmem_barrier_all();
}

/* What was swapped in is what was swapped out and what is left. */
static void race_swap(const struct race *race, void *word, uint64_t *sums, int owner)
{
    uint64_t n = (uint64_t)ROUNDS * (uint64_t)pe_n, sum = 0, total;
    pe_step("%s: swap on PE %d", race->name, owner);
    pe_store_bits(word, race->width, 0);
    nvshmem_barrier_all();
    race->swap(word, &sum, owner);
    nvshmem_uint64_p(&sums[pe_me], sum, owner);
    nvshmem_barrier_all();
    total = pe_load_bits(word, race->width);
    for (int pe = 0; pe < pe_n; pe++) total += sums[pe];
    if (pe_me == owner) PE_EQUAL(total, n * (n + 1) / 2);
    nvshmem_barrier_all();
}

int main(void)
{
    void *word;
    uint8_t *tickets;
    uint64_t *sums;
    int owner = 0;
    pe_start("amo_race");
    word = pe_alloc(64);
    tickets = pe_alloc(3 * (size_t)ROUNDS * (size_t)pe_n + 1);
    sums = pe_alloc(sizeof(*sums) * (size_t)pe_n);
    for (size_t i = 0; i < PE_COUNT(races); i++, owner = (owner + 1) % pe_n) {
        race_add(&races[i], word, tickets, owner);
        race_swap(&races[i], word, sums, owner);
    }
    pe_step("sums");
#define X(NAME, TYPE) NAME##_race_sum((TYPE *)word, owner++ % pe_n);
    NVSHMEM_AMO_TYPES(X)
#undef X
    pe_step("bits");
#define X(NAME, TYPE) NAME##_race_bits((TYPE *)word, owner++ % pe_n);
    NVSHMEM_BITWISE_TYPES(X)
#undef X
    pe_step("set");
#define X(NAME, TYPE) NAME##_race_set((TYPE *)word, owner++ % pe_n);
    NVSHMEM_EXTENDED_AMO_TYPES(X)
#undef X
    return pe_finish();
}
