/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM's collectives of teams, or Intel SHMEM's (ishmem_collective.c), against a serial model,
 * in the arithmetic of each type: each routine once for each of its types, and some types with
 * blocks around the sizes at which a collective is done in another way.  The calls follow each
 * other at once: sources change, and dests are cleared, as soon as a call has returned.
 */
#include <complex.h>
#include <shmem.h>
#include <string.h>

#include "tests/support/pe.h"

/* A routine for t->team. */
#if !defined(PROGRAM)
#if defined(GENERIC)
#define CALL(NAME, ROUTINE, ...) shmem_##ROUTINE(t->team, __VA_ARGS__)
#define PROGRAM "shmem_collective_generic"
#define BITWISE_TYPES(X) SHMEM_REDUCE_BITWISE_TYPES(X) X(longlong, long long)
#else
#define CALL(NAME, ROUTINE, ...) shmem_##NAME##_##ROUTINE(t->team, __VA_ARGS__)
#define PROGRAM "shmem_collective"
#define BITWISE_TYPES SHMEM_REDUCE_BITWISE_TYPES
#endif
#define CALL_MEM(ROUTINE, ...) shmem_##ROUTINE(t->team, __VA_ARGS__)
#define TEAM(ROUTINE) shmem_team_##ROUTINE
#define NO_TEAM SHMEM_TEAM_INVALID
#define WORLD SHMEM_TEAM_WORLD
#define RMA_TYPES SHMEM_RMA_TYPES
#define COMPLEX_TYPES SHMEM_COMPLEX_TYPES
#define HAS_STRIDES 1
#define RUN_EACH each
#endif

#define BLOCK_MAX 140000u
/* A PE's part of so many bytes takes several rounds of a team's scratch memory. */
#define ROUNDS_BYTES 1500000u
#define GUARD 64u
#define CLEAR 0x5a
#define TEAMS 6

struct test {
    unsigned char *dest, *source;
    size_t room;
    /* The team, the caller's number in it, its size, elements of a block. */
    TEAM(t) team;
    int me, n_pes;
    size_t n;
    unsigned seed;
};

/* A small number for element i of PE `pe` of the team. */
static int small(const struct test *t, int pe, size_t i)
{
    uint64_t x = (i * 31 + (unsigned)pe * 7 + t->seed) * UINT64_C(0x9e3779b97f4a7c15);
    return (int)(x >> 40) % 3 + 1;
}

static void clear(const struct test *t, size_t nbytes) { memset(t->dest, CLEAR, nbytes + GUARD); }

static void check_guard(const struct test *t, size_t nbytes)
{
    PE_ALL(t->dest + nbytes, GUARD, CLEAR);
}

/* Real numbers, and complex ones whose parts differ. */
#define VALUE_OF_REAL(TYPE, v) ((TYPE)(v))
#define VALUE_OF_COMPLEX(TYPE, v) ((TYPE)((v) - 2 + (3 - (v)) * I))

#define VALUES(NAME, TYPE, VALUE) \
    static TYPE value_##NAME(const struct test *t, int pe, size_t i) \
    { \
        int v = small(t, pe, i); \
        return VALUE(TYPE, v); \
    } \
    static void fill_##NAME(const struct test *t, size_t n, size_t stride) \
    { \
        for (size_t i = 0; i < n; i++) \
            ((TYPE *)t->source)[i * stride] = value_##NAME(t, t->me, i); \
    }

/* dest must have `n` elements, of which element i is WANT. */
#define CHECK(TYPE, COUNT, STRIDE, WANT) \
    do { \
        size_t wrong = 0, count = (COUNT); \
        for (size_t i = 0; i < count; i++) \
            wrong += ((const TYPE *)t->dest)[i * (STRIDE)] != (WANT); \
        PE_EQUAL(wrong, 0); \
    } while (0)

#define MOVES(NAME, TYPE) \
    VALUES(NAME, TYPE, VALUE_OF_REAL) \
    static void moves_##NAME(struct test *t) \
    { \
        TYPE *dest = (TYPE *)(void *)t->dest; \
        TYPE *source = (TYPE *)(void *)t->source; \
        size_t n = t->n, all = n * (size_t)t->n_pes, at = 0, mine; \
        int root = (int)(t->seed % (unsigned)t->n_pes); \
        pe_step("%s: broadcast of %zu, team of %d", #NAME, n, t->n_pes); \
        fill_##NAME(t, n, 1); \
        clear(t, n * sizeof(TYPE)); \
        PE_EQUAL(CALL(NAME, broadcast, dest, source, n, root), 0); \
        CHECK(TYPE, n, 1, value_##NAME(t, root, i)); \
        check_guard(t, n * sizeof(TYPE)); \
        pe_step("%s: fcollect of %zu, team of %d", #NAME, n, t->n_pes); \
        t->seed++; \
        fill_##NAME(t, n, 1); \
        clear(t, all * sizeof(TYPE)); \
        PE_EQUAL(CALL(NAME, fcollect, dest, source, n), 0); \
        CHECK(TYPE, all, 1, value_##NAME(t, (int)(i / n), i % n)); \
        check_guard(t, all * sizeof(TYPE)); \
        pe_step("%s: alltoall of %zu, team of %d", #NAME, n, t->n_pes); \
        t->seed++; \
        fill_##NAME(t, all, 1); \
        clear(t, all * sizeof(TYPE)); \
        PE_EQUAL(CALL(NAME, alltoall, dest, source, n), 0); \
        CHECK(TYPE, all, 1, value_##NAME(t, (int)(i / n), (size_t)t->me * n + i % n)); \
        check_guard(t, all * sizeof(TYPE)); \
        pe_step("%s: collect of about %zu, team of %d", #NAME, n, t->n_pes); \
        t->seed++; \
        mine = (n + (unsigned)t->me * 5) % (n + 1); \
        fill_##NAME(t, mine, 1); \
        clear(t, all * sizeof(TYPE)); \
        PE_EQUAL(CALL(NAME, collect, dest, source, mine), 0); \
        for (int pe = 0; pe < t->n_pes; pe++) { \
            size_t theirs = (n + (unsigned)pe * 5) % (n + 1), bad = 0; \
            for (size_t i = 0; i < theirs; i++) bad += dest[at + i] != value_##NAME(t, pe, i); \
            PE_EQUAL(bad, 0); \
            at += theirs; \
        } \
        check_guard(t, at * sizeof(TYPE)); \
        STRIDED_CALLS(NAME) \
    }
#define STRIDED(NAME, TYPE) \
    static TYPE value_##NAME(const struct test *t, int pe, size_t i); \
    static void fill_##NAME(const struct test *t, size_t n, size_t stride); \
    static void strided_##NAME(struct test *t, ptrdiff_t dst, ptrdiff_t sst) \
    { \
        TYPE *dest = (TYPE *)(void *)t->dest; \
        TYPE *source = (TYPE *)(void *)t->source; \
        size_t n = t->n, all = n * (size_t)t->n_pes, bytes, gaps = 0; \
        if (all * 3 * sizeof(TYPE) + GUARD > t->room || n > 500) return; \
        bytes = all > 0 ? ((all - 1) * (size_t)dst + 1) * sizeof(TYPE) : 0; \
        pe_step("%s: alltoalls of %zu, %d and %d, team of %d", #NAME, n, (int)dst, (int)sst, \
                t->n_pes); \
        t->seed++; \
        fill_##NAME(t, all, (size_t)sst); \
        clear(t, bytes); \
        PE_EQUAL(CALL(NAME, alltoalls, dest, source, dst, sst, n), 0); \
        CHECK(TYPE, all, (size_t)dst, \
              value_##NAME(t, (int)(i / n), (size_t)t->me * n + i % n)); \
        for (size_t i = 0; i < bytes; i++) \
            gaps += i / sizeof(TYPE) % (size_t)dst != 0 && t->dest[i] != CLEAR; \
        PE_EQUAL(gaps, 0); \
        check_guard(t, bytes); \
    }
#if HAS_STRIDES
RMA_TYPES(STRIDED)
#define STRIDED_CALLS(NAME) \
    strided_##NAME(t, 1, 1); \
    strided_##NAME(t, 1, 3); \
    strided_##NAME(t, 2, 1); \
    strided_##NAME(t, 3, 2);
#else
#define STRIDED_CALLS(NAME)
#endif
RMA_TYPES(MOVES)
#define VALUES_OF_COMPLEX(NAME, TYPE) VALUES(NAME, TYPE, VALUE_OF_COMPLEX)
COMPLEX_TYPES(VALUES_OF_COMPLEX)

/* Every second one in place. */
#define REDUCE(NAME, TYPE, ROUTINE, FIRST, RESULT, LAST) \
    { \
        TYPE *dest = (TYPE *)(void *)t->dest; \
        TYPE *source = (TYPE *)(void *)t->source; \
        unsigned char *kept = t->source; \
        size_t bad = 0; \
        pe_step("%s: %s of %zu, team of %d", #NAME, #ROUTINE, t->n, t->n_pes); \
        clear(t, t->n * sizeof(TYPE)); \
        if (++t->seed % 2 == 0) source = dest, t->source = t->dest; \
        fill_##NAME(t, t->n, 1); \
        t->source = kept; \
        PE_EQUAL(CALL(NAME, ROUTINE, dest, source, t->n), 0); \
        for (size_t i = 0; i < t->n; i++) { \
            TYPE a = (FIRST) < 0 ? (TYPE)0 : value_##NAME(t, 0, i); \
            for (int pe = 1; pe <= (LAST); pe++) { \
                TYPE b = value_##NAME(t, pe, i); \
                a = (TYPE)(RESULT); \
            } \
            bad += dest[i] != a; \
        } \
        PE_EQUAL(bad, 0); \
        check_guard(t, t->n * sizeof(TYPE)); \
    }
#define SUMS(NAME, TYPE) \
    REDUCE(NAME, TYPE, sum_reduce, 0, a + b, t->n_pes - 1) \
    REDUCE(NAME, TYPE, prod_reduce, 0, a * b, t->n_pes - 1) \
    REDUCE(NAME, TYPE, sum_inscan, 0, a + b, t->me) \
    REDUCE(NAME, TYPE, sum_exscan, t->me - 1, a + b, t->me - 1)
#define SUMS_OF_REAL(NAME, TYPE) \
    static void reduce_##NAME(struct test *t) \
    { \
        SUMS(NAME, TYPE) \
        REDUCE(NAME, TYPE, min_reduce, 0, b < a ? b : a, t->n_pes - 1) \
        REDUCE(NAME, TYPE, max_reduce, 0, b > a ? b : a, t->n_pes - 1) \
    }
RMA_TYPES(SUMS_OF_REAL)
#define SUMS_OF_COMPLEX(NAME, TYPE) \
    static void reduce_##NAME(struct test *t) { SUMS(NAME, TYPE) }
COMPLEX_TYPES(SUMS_OF_COMPLEX)
#define BITS(NAME, TYPE) \
    static void bits_##NAME(struct test *t) \
    { \
        REDUCE(NAME, TYPE, and_reduce, 0, a & b, t->n_pes - 1) \
        REDUCE(NAME, TYPE, or_reduce, 0, a | b, t->n_pes - 1) \
        REDUCE(NAME, TYPE, xor_reduce, 0, a ^ b, t->n_pes - 1) \
    }
BITWISE_TYPES(BITS)

/* All routines of each kind, for each of its types. */
static const struct {
    const char *name;
    size_t size;
    void (*run)(struct test *t);
} cases[] = {
#define X(NAME, TYPE) {#NAME, sizeof(TYPE), moves_##NAME}, {#NAME, sizeof(TYPE), reduce_##NAME},
    RMA_TYPES(X)
#undef X
#define X(NAME, TYPE) {#NAME, sizeof(TYPE), reduce_##NAME},
    COMPLEX_TYPES(X)
#undef X
#define X(NAME, TYPE) {#NAME, sizeof(TYPE), bits_##NAME},
    BITWISE_TYPES(X)
#undef X
};

/* Bytes have no generic name. */
static void bytes(struct test *t, size_t n)
{
    size_t all = n * (size_t)t->n_pes;
    pe_step("bytes: %zu", n);
    t->n = n;
    t->seed++;
    fill_uchar(t, all * 2, 1);
    clear(t, all);
    PE_EQUAL(CALL_MEM(alltoallmem, t->dest, t->source, n), 0);
    CHECK(unsigned char, all, 1, value_uchar(t, (int)(i / n), (size_t)t->me * n + i % n));
    clear(t, all);
    PE_EQUAL(CALL_MEM(fcollectmem, t->dest, t->source, n), 0);
    CHECK(unsigned char, all, 1, value_uchar(t, (int)(i / n), i % n));
    clear(t, n);
    PE_EQUAL(CALL_MEM(broadcastmem, t->dest, t->source, n, t->n_pes - 1), 0);
    CHECK(unsigned char, n, 1, value_uchar(t, t->n_pes - 1, i));
    check_guard(t, n);
    clear(t, all);
    PE_EQUAL(CALL_MEM(collectmem, t->dest, t->source, t->me == 0 ? 0 : n), 0);
    CHECK(unsigned char, all - n, 1, value_uchar(t, (int)(i / n) + 1, i % n));
    check_guard(t, all - n);
    clear(t, 2 * all);
#if HAS_STRIDES
    PE_EQUAL(CALL_MEM(alltoallsmem, t->dest, t->source, 2, 2, n), 0);
    CHECK(unsigned char, all, 2,
          value_uchar(t, (int)(i / n), ((size_t)t->me * n + i % n) * 2));
#endif
}

/* Where nobody gives anything, addresses need not be symmetric. */
static void nothing(struct test *t)
{
    char local = 0;
    pe_step("nothing at NULL and in private memory");
    PE_EQUAL(CALL_MEM(collectmem, NULL, NULL, 0), 0);
    PE_EQUAL(CALL_MEM(collectmem, &local, &local, 0), 0);
    PE_EQUAL(CALL_MEM(fcollectmem, NULL, NULL, 0), 0);
    PE_EQUAL(CALL_MEM(alltoallmem, NULL, NULL, 0), 0);
    PE_EQUAL(CALL_MEM(broadcastmem, NULL, NULL, 0, 0), 0);
}

static bool choose(struct test *t, TEAM(t) team)
{
    t->team = team;
    t->me = TEAM(my_pe)(team);
    t->n_pes = TEAM(n_pes)(team);
    return team != NO_TEAM;
}

/* Each routine of each type once with a few elements, and the empty call. */
static void each(struct test *t)
{
    for (size_t i = 0; i < PE_COUNT(cases); i++) {
        t->n = i % 7 == 6 ? 0 : i % 5 * 3 + 1;
        cases[i].run(t);
    }
    bytes(t, 1);
    bytes(t, 777);
    /* What a PE copies twice if others read it, and what goes with the size of a collect. */
    for (size_t n = 511; n <= 513; n++) bytes(t, n);
    for (size_t n = 1023; n <= 1025; n++) bytes(t, n);
    nothing(t);
}

/* Some types, with blocks around each limit of device/routine/share.h and collective.h. */
static void sizes(struct test *t)
{
    static const size_t limits[] = {16384, 32768, 65536, 131072};
    static const char names[] = " long int8 longdouble complexd ";
    for (size_t i = 0; i < PE_COUNT(cases); i++) {
        char name[32] = " ";
        strcat(strcat(name, cases[i].name), " ");
        if (strstr(names, name) == NULL) continue;
        for (size_t k = 0; k < PE_COUNT(limits); k++) {
            for (size_t divided = 1; divided <= (size_t)t->n_pes;
                 divided += t->n_pes > 1 ? (size_t)t->n_pes - 1 : 1) {
                size_t n = limits[k] / divided / cases[i].size;
                for (t->n = n - 1; t->n <= n + 1; t->n += 2)
                    if (t->n * cases[i].size <= BLOCK_MAX) cases[i].run(t);
            }
        }
    }
}

/* All PEs in reversed order, every second one, rows and columns of a table, a reversed team of a
 * team. */
static void make_teams(TEAM(t) *team)
{
    const TEAM(t) world = WORLD;
    int half = (pe_n + 1) / 2;
    for (int i = 0; i < TEAMS; i++) team[i] = NO_TEAM;
    team[0] = world;
    PE_EQUAL(TEAM(split_strided)(world, pe_n - 1, -1, pe_n, NULL, 0, &team[1]), 0);
    PE_EQUAL(TEAM(split_strided)(world, 0, 2, half, NULL, 0, &team[2]), 0);
    PE_EQUAL(TEAM(split_2d)(world, half, NULL, 0, &team[3], NULL, 0, &team[4]), 0);
    if (team[2] != NO_TEAM)
        PE_EQUAL(TEAM(split_strided)(team[2], half - 1, -1, half, NULL, 0, &team[5]), 0);
}

static void rounds(struct test *t)
{
    t->n = ROUNDS_BYTES / sizeof(long);
    reduce_long(t);
}

int main(void)
{
    struct test t = {.seed = 1};
    TEAM(t) team[TEAMS];
    pe_start(PROGRAM);
    t.room = (size_t)pe_n * BLOCK_MAX + ROUNDS_BYTES + GUARD;
    t.dest = pe_alloc(t.room);
    t.source = pe_alloc(t.room);
    make_teams(team);
    for (int i = 0; i < TEAMS; i++) {
        /* In a team all PEs must have the same seeds. */
        t.seed = (unsigned)i * 1000;
        if (choose(&t, team[i])) RUN_EACH(&t);
    }
    for (int i = 0; i < 2; i++) {
        t.seed = (unsigned)i * 1000;
        if (choose(&t, team[i])) sizes(&t);
    }
    t.seed = 1;
    if (choose(&t, WORLD)) rounds(&t);
    return pe_finish();
}
