/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM's deprecated collectives of active sets, against a serial model.
 *
 *   types    each reduction of each type, over all PEs
 *   sizes    blocks around the sizes at which collectives are done in another way
 *   random   long sequences of random routines of random sets.  All PEs draw the same sequence, and
 *            each makes the calls whose sets it is in: so sets without a common PE are in different
 *            calls at the same time, and those with some overlap in all ways.  PEs are late by
 *            chance
 *
 * The calls follow each other at once: sources change as soon as a call has returned.
 */
#include <complex.h>
#include <shmem.h>
#include <string.h>

#include "tests/support/pe.h"

#define BLOCK_MAX 20000u
#define GUARD 64u
#define CLEAR 0x5a
#define STEPS 3000u

struct test {
    unsigned char *dest, *source;
    /* The set, the caller's number in it, elements of a block. */
    int start, log_stride, size, me;
    size_t n;
    unsigned seed;
};

#define SET t->start, t->log_stride, t->size
static long sync_words[SHMEM_REDUCE_SYNC_SIZE] = {SHMEM_SYNC_VALUE};

static uint64_t number(const struct test *t, int pe, size_t i)
{
    return (i * 31 + (unsigned)pe * 7 + t->seed) * UINT64_C(0x9e3779b97f4a7c15);
}

static int pe_of(const struct test *t, int number) { return t->start + (number << t->log_stride); }

/* Choose a set; false if the caller is not in it. */
static bool choose(struct test *t, int start, int log_stride, int size)
{
    t->start = start;
    t->log_stride = log_stride;
    t->size = size;
    t->me = -1;
    for (int i = 0; i < size; i++)
        if (pe_of(t, i) == pe_me) t->me = i;
    return t->me >= 0;
}

static void clear(const struct test *t, size_t nbytes) { memset(t->dest, CLEAR, nbytes + GUARD); }

#define CHECK(TYPE, COUNT, STRIDE, WANT) \
    do { \
        size_t wrong = 0, count = (COUNT); \
        for (size_t i = 0; i < count; i++) \
            wrong += ((const TYPE *)t->dest)[i * (STRIDE)] != (TYPE)(WANT); \
        PE_EQUAL(wrong, 0); \
        PE_ALL(t->dest + (count > 0 ? ((count - 1) * (STRIDE) + 1) * sizeof(TYPE) : 0), GUARD, \
               CLEAR); \
    } while (0)
#define FILL(TYPE, COUNT, STRIDE) \
    do { \
        for (size_t i = 0; i < (COUNT); i++) \
            ((TYPE *)t->source)[i * (STRIDE)] = (TYPE)number(t, t->me, i); \
    } while (0)

#define MOVES(BITS) \
    static void broadcast##BITS(struct test *t) \
    { \
        typedef uint##BITS##_t type; \
        int root = (int)(t->seed % (unsigned)t->size); \
        FILL(type, t->n, 1); \
        clear(t, t->n * sizeof(type)); \
        shmem_broadcast##BITS(t->dest, t->source, t->n, root, SET, sync_words); \
        if (t->me == root) \
            PE_ALL(t->dest, t->n * sizeof(type), CLEAR); \
        else \
            CHECK(type, t->n, 1, number(t, root, i)); \
    } \
    static void fcollect##BITS(struct test *t) \
    { \
        typedef uint##BITS##_t type; \
        size_t n = t->n, all = n * (size_t)t->size; \
        FILL(type, n, 1); \
        clear(t, all * sizeof(type)); \
        shmem_fcollect##BITS(t->dest, t->source, n, SET, sync_words); \
        CHECK(type, all, 1, number(t, (int)(i / n), i % n)); \
    } \
    static void collect##BITS(struct test *t) \
    { \
        typedef uint##BITS##_t type; \
        size_t at = 0, bad = 0, mine = (t->n + (unsigned)t->me * 5) % (t->n + 1); \
        FILL(type, mine, 1); \
        clear(t, t->n * (size_t)t->size * sizeof(type)); \
        shmem_collect##BITS(t->dest, t->source, mine, SET, sync_words); \
        for (int pe = 0; pe < t->size; pe++) { \
            size_t theirs = (t->n + (unsigned)pe * 5) % (t->n + 1); \
            for (size_t i = 0; i < theirs; i++) \
                bad += ((type *)t->dest)[at + i] != (type)number(t, pe, i); \
            at += theirs; \
        } \
        PE_EQUAL(bad, 0); \
        PE_ALL(t->dest + at * sizeof(type), GUARD, CLEAR); \
    } \
    static void alltoall##BITS(struct test *t) \
    { \
        typedef uint##BITS##_t type; \
        size_t n = t->n, all = n * (size_t)t->size; \
        FILL(type, all, 1); \
        clear(t, all * sizeof(type)); \
        shmem_alltoall##BITS(t->dest, t->source, n, SET, sync_words); \
        CHECK(type, all, 1, number(t, (int)(i / n), (size_t)t->me * n + i % n)); \
    } \
    static void alltoalls##BITS(struct test *t) \
    { \
        typedef uint##BITS##_t type; \
        size_t n = t->n % 500, all = n * (size_t)t->size; \
        ptrdiff_t dst = 1 + t->seed % 3, sst = 1 + t->seed / 3 % 3; \
        FILL(type, all, (size_t)sst); \
        clear(t, all * (size_t)dst * sizeof(type)); \
        shmem_alltoalls##BITS(t->dest, t->source, dst, sst, n, SET, sync_words); \
        CHECK(type, all, (size_t)dst, number(t, (int)(i / n), (size_t)t->me * n + i % n)); \
    }
MOVES(32)
MOVES(64)

/* Whole numbers that are small, so that no product is rounded; every second one in place. */
#define VALUE_OF_REAL(TYPE, v) ((TYPE)((v) % 3 + 1))
#define VALUE_OF_COMPLEX(TYPE, v) ((TYPE)((double)((v) % 3) - 1 + (2 - (double)((v) % 3)) * I))
#define REDUCE(NAME, TYPE, OP, VALUE, RESULT) \
    static void NAME##_##OP(struct test *t) \
    { \
        TYPE *dest = (TYPE *)(void *)t->dest; \
        TYPE *source = t->seed % 2 == 0 ? dest : (TYPE *)(void *)t->source, work[1]; \
        size_t bad = 0; \
        clear(t, t->n * sizeof(TYPE)); \
        for (size_t i = 0; i < t->n; i++) source[i] = VALUE(TYPE, number(t, t->me, i) >> 40); \
        shmem_##NAME##_##OP##_to_all(dest, source, (int)t->n, SET, work, sync_words); \
        for (size_t i = 0; i < t->n; i++) { \
            TYPE a = VALUE(TYPE, number(t, 0, i) >> 40); \
            for (int pe = 1; pe < t->size; pe++) { \
                TYPE b = VALUE(TYPE, number(t, pe, i) >> 40); \
                a = (TYPE)(RESULT); \
            } \
            bad += dest[i] != a; \
        } \
        PE_EQUAL(bad, 0); \
        PE_ALL(t->dest + t->n * sizeof(TYPE), GUARD, CLEAR); \
    }
#define SUMS(NAME, TYPE, VALUE) \
    REDUCE(NAME, TYPE, sum, VALUE, a + b) \
    REDUCE(NAME, TYPE, prod, VALUE, a * b)
#define ORDER(NAME, TYPE) \
    SUMS(NAME, TYPE, VALUE_OF_REAL) \
    REDUCE(NAME, TYPE, min, VALUE_OF_REAL, b < a ? b : a) \
    REDUCE(NAME, TYPE, max, VALUE_OF_REAL, b > a ? b : a)
SHMEM_TO_ALL_TYPES(ORDER)
#define COMPLEX(NAME, TYPE) SUMS(NAME, TYPE, VALUE_OF_COMPLEX)
SHMEM_COMPLEX_TYPES(COMPLEX)
#define BITWISE(NAME, TYPE) \
    REDUCE(NAME, TYPE, and, VALUE_OF_REAL, a & b) \
    REDUCE(NAME, TYPE, or, VALUE_OF_REAL, a | b) \
    REDUCE(NAME, TYPE, xor, VALUE_OF_REAL, a ^ b)
SHMEM_TO_ALL_BITWISE_TYPES(BITWISE)

/* A barrier completes a put to the next PE of the set; sync orders what a PE wrote itself. */
static void barrier(struct test *t)
{
    long *word = (long *)(void *)t->dest;
    int next = (t->me + 1) % t->size, before = (t->me + t->size - 1) % t->size;
    shmem_sync(SET, sync_words);
    shmem_long_p(word, (long)t->seed * 64 + t->me, pe_of(t, next));
    shmem_barrier(SET, sync_words);
    PE_EQUAL(*(volatile long *)word, (long)t->seed * 64 + before);
    shmem_sync(SET, NULL);
}

/* The first rows are those of random calls, too. */
#define MOVES_ROWS(BITS) \
    {"broadcast", BITS / 8, broadcast##BITS}, {"fcollect", BITS / 8, fcollect##BITS}, \
    {"collect", BITS / 8, collect##BITS}, {"alltoall", BITS / 8, alltoall##BITS}, \
    {"alltoalls", BITS / 8, alltoalls##BITS},
static const struct {
    const char *name;
    size_t size;
    void (*run)(struct test *t);
} cases[] = {
    {"barrier", 8, barrier},
    MOVES_ROWS(32)
    MOVES_ROWS(64)
#define SHMEM_REDUCTION(NAME, TYPE, VERB, OP) {#NAME " " #VERB, sizeof(TYPE), NAME##_##VERB},
#define SHMEM_COMPLEX_REDUCTION SHMEM_REDUCTION
    SHMEM_TO_ALL_REDUCTIONS
#undef SHMEM_COMPLEX_REDUCTION
#undef SHMEM_REDUCTION
};

static void run(struct test *t, size_t which, size_t n)
{
    t->n = n;
    pe_step("%s of %zu, size %zu: PE_start %d, logPE_stride %d, PE_size %d, seed %u",
            cases[which].name, n, cases[which].size, t->start, t->log_stride, t->size, t->seed);
    cases[which].run(t);
}

static void random_calls(struct test *t)
{
    uint64_t state = 3;
    for (unsigned step = 0; step < STEPS; step++) {
        uint64_t r = pe_random(&state), q = pe_random(&state);
        int start = (int)(r % (unsigned)pe_n), log_stride = (int)((r >> 8) % 3);
        int most = (pe_n - 1 - start) / (1 << log_stride) + 1;
        size_t which = (size_t)(r >> 20) % PE_COUNT(cases);
        size_t n = (size_t)(q >> 20) % (q % 16 == 0 ? BLOCK_MAX / cases[which].size : 60);
        t->seed = step;
        if (q >> 8 & 1) which %= 11;
        if (n > BLOCK_MAX / cases[which].size) n = 60;
        if (!choose(t, start, log_stride, 1 + (int)((r >> 40) % (unsigned)most))) continue;
        if ((q >> 16) % 8 == (unsigned)pe_me && step % 4 == 0) pe_sleep_us(200);
        run(t, which, n);
        if (r >> 58 == 1) shmem_quiet();
    }
}

int main(void)
{
    struct test test = {.seed = 1}, *t = &test;
    size_t room;
    pe_start("shmem_active_set");
    room = (size_t)pe_n * BLOCK_MAX * 4 + GUARD;
    t->dest = pe_alloc(room);
    t->source = pe_alloc(room);
    (void)choose(t, 0, 0, pe_n);
    for (size_t which = 0; which < PE_COUNT(cases); which++) {
        run(t, which, 0);
        for (size_t n = 1; n < BLOCK_MAX / cases[which].size; n = n * 9 + 1, t->seed++)
            run(t, which, n);
    }
    random_calls(t);
    return pe_finish();
}
