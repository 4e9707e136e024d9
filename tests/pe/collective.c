/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives against a serial model: every type and operation, by a host
 * thread, a warp and a block, on all PEs, in reversed order, and on some.
 */
#include <anyshmem_kernel.h>
#include <string.h>

#include "tests/support/pe.h"

#define OPS 7
#define BLOCK_THREADS 48u

enum { THREAD, WARP, BLOCK, SCOPES };
enum { SUM, PROD, MIN, MAX, AND, OR, XOR };
static const size_t counts[] = {0, 1, 37, 2500};
#define NELEMS_MAX 2500u

/* How a type is used: small numbers in and out, and the routines by scope. */
struct row {
    const char *name;
    size_t size;
    bool is_unsigned;
    int ops;
    void (*put)(void *array, size_t i, long value);
    long (*get)(const void *array, size_t i);
    int (*move)(int scope, int what, nvshmem_team_t team, void *dest, const void *source,
                size_t n, int root);
    int (*reduce)(int scope, int op, bool scatter, nvshmem_team_t team, void *dest,
                  const void *source, size_t n);
};

#define MOVE(SCOPE, PREFIX, SUFFIX, CAST) \
    if (scope == SCOPE && what == 0) \
        return PREFIX##broadcast##SUFFIX(team, CAST dest, CAST source, n, root); \
    if (scope == SCOPE && what == 1) \
        return PREFIX##fcollect##SUFFIX(team, CAST dest, CAST source, n); \
    if (scope == SCOPE && what == 2) \
        return PREFIX##alltoall##SUFFIX(team, CAST dest, CAST source, n);
#define REDUCE(NAME, VERB, OP) \
    if (op == OP && !scatter) \
        return scope == THREAD ? nvshmem_##NAME##_##VERB##_reduce(team, dest, source, n) \
               : scope == WARP ? nvshmemx_##NAME##_##VERB##_reduce_warp(team, dest, source, n) \
                               : nvshmemx_##NAME##_##VERB##_reduce_block(team, dest, source, n); \
    if (op == OP) \
        return scope == THREAD ? nvshmem_##NAME##_##VERB##_reducescatter(team, dest, source, n) \
               : scope == WARP \
                   ? nvshmemx_##NAME##_##VERB##_reducescatter_warp(team, dest, source, n) \
                   : nvshmemx_##NAME##_##VERB##_reducescatter_block(team, dest, source, n);
#define ROUTINES(NAME, TYPE, MORE) \
    static int move_##NAME(int scope, int what, nvshmem_team_t team, void *dest, \
                           const void *source, size_t n, int root) \
    { \
        MOVE(THREAD, nvshmem_##NAME##_, , ) \
        MOVE(WARP, nvshmemx_##NAME##_, _warp, ) \
        MOVE(BLOCK, nvshmemx_##NAME##_, _block, ) \
        return -1; \
    } \
    static int reduce_##NAME(int scope, int op, bool scatter, nvshmem_team_t team, void *dest, \
                             const void *source, size_t n) \
    { \
        REDUCE(NAME, sum, SUM) \
        REDUCE(NAME, prod, PROD) \
        REDUCE(NAME, min, MIN) \
        REDUCE(NAME, max, MAX) \
        MORE \
        return -1; \
    }
#define BITS(NAME) REDUCE(NAME, and, AND) REDUCE(NAME, or, OR) REDUCE(NAME, xor, XOR)
#define VALUES(NAME, TYPE) \
    static void put_##NAME(void *array, size_t i, long v) { ((TYPE *)array)[i] = (TYPE)v; } \
    static long get_##NAME(const void *array, size_t i) { return (long)((const TYPE *)array)[i]; }
#define X(NAME, TYPE) ROUTINES(NAME, TYPE, BITS(NAME)) VALUES(NAME, TYPE)
NVSHMEM_INTEGER_TYPES(X)
#undef X
#define X(NAME, TYPE) ROUTINES(NAME, TYPE, ) VALUES(NAME, TYPE)
NVSHMEM_FLOAT_TYPES(X)
#undef X
ROUTINES(half, nvshmem_half_t, )
ROUTINES(bfloat16, nvshmem_bfloat16_t, )

/* A small whole number as a binary number with a fraction of `bits` bits. */
static uint16_t encode(long value, unsigned bits, unsigned bias)
{
    unsigned long size = (unsigned long)(value < 0 ? -value : value);
    unsigned exponent = 0;
    if (size == 0) return 0;
    while (size >> exponent > 1) exponent++;
    return (uint16_t)((value < 0 ? 0x8000u : 0) | (bias + exponent) << bits |
                      ((size << bits >> exponent) & ((1u << bits) - 1)));
}

static long decode(uint16_t value, unsigned bits, unsigned bias)
{
    unsigned exponent = (value & 0x7fffu) >> bits;
    unsigned long size = (value & ((1u << bits) - 1)) | 1ul << bits;
    if (exponent == 0) return 0;
    if (exponent < bias || exponent > bias + 14) return 1000000; /* not small, or not whole */
    size = size << (exponent - bias);
    if (size & ((1ul << bits) - 1)) return 1000000;
    size >>= bits;
    return value & 0x8000u ? -(long)size : (long)size;
}

#define SHORT_VALUES(NAME, BITS, BIAS) \
    static void put_##NAME(void *array, size_t i, long v) \
    { \
        ((uint16_t *)array)[i] = encode(v, BITS, BIAS); \
    } \
    static long get_##NAME(const void *array, size_t i) \
    { \
        return decode(((const uint16_t *)array)[i], BITS, BIAS); \
    }
SHORT_VALUES(half, 10, 15)
SHORT_VALUES(bfloat16, 7, 127)

static const struct row rows[] = {
#define ROW(NAME, TYPE, UNSIGNED, N) \
    {#NAME, sizeof(TYPE), UNSIGNED, N, put_##NAME, get_##NAME, move_##NAME, reduce_##NAME},
#define X(NAME, TYPE) ROW(NAME, TYPE, (TYPE)-1 > (TYPE)1, OPS)
    NVSHMEM_INTEGER_TYPES(X)
#undef X
#define X(NAME, TYPE) ROW(NAME, TYPE, false, AND)
    NVSHMEM_FLOAT_TYPES(X)
#undef X
    ROW(half, nvshmem_half_t, false, AND) ROW(bfloat16, nvshmem_bfloat16_t, false, AND)
};

/* One call; by a kernel where it is one of a warp or block. */
struct call {
    const struct row *row;
    int scope, what, op, root;
    bool reduction, scatter;
    nvshmem_team_t team;
    void *dest, *source;
    size_t n;
    int failed;
};

static int move_mem(int scope, int what, nvshmem_team_t team, void *dest, const void *source,
                    size_t n, int root)
{
    MOVE(THREAD, nvshmem_, mem, )
    MOVE(WARP, nvshmemx_, mem_warp, )
    MOVE(BLOCK, nvshmemx_, mem_block, )
    return -1;
}

static int make(const struct call *c)
{
    if (c->row == NULL)
        return move_mem(c->scope, c->what, c->team, c->dest, c->source, c->n, c->root);
    if (c->reduction)
        return c->row->reduce(c->scope, c->op, c->scatter, c->team, c->dest, c->source, c->n);
    return c->row->move(c->scope, c->what, c->team, c->dest, c->source, c->n, c->root);
}

ANYSHMEM_KERNEL(make_in_kernel)
{
    struct call *c = arg;
    if (make(c) != 0) c->failed = 1;
}

static void run(struct call *c)
{
    dim3 one = {1, 1, 1}, threads = {c->scope == WARP ? 32 : BLOCK_THREADS, 1, 1};
    const void *kernel = (const void *)make_in_kernel;
    void *arg = c, *args[] = {&arg};
    c->failed = 0;
    if (c->scope == THREAD)
        c->failed = make(c) != 0;
    else
        PE_NEED(nvshmemx_collective_launch(kernel, one, threads, args, 0, 0) == 0);
    PE_TRUE(!c->failed);
}

/* What PE `pe` of a team has in element i: -3..3. */
static long value_of(int pe, size_t i, unsigned seed)
{
    return (long)(((unsigned)pe * 5 + (unsigned)i * 3 + (unsigned)i / 7 + seed) % 7) - 3;
}

/* As the type holds it. */
static long held(const struct row *row, long value)
{
    uint64_t room = 0;
    row->put(&room, 0, value);
    return row->get(&room, 0);
}

static long combine(const struct row *row, int op, long a, long b)
{
    bool less = row->is_unsigned ? (unsigned long)a < (unsigned long)b : a < b;
    switch (op) {
    case SUM: return held(row, (long)((unsigned long)a + (unsigned long)b));
    case PROD: return held(row, (long)((unsigned long)a * (unsigned long)b));
    case MIN: return less ? a : b;
    case MAX: return less ? b : a;
    case AND: return a & b;
    case OR: return a | b;
    default: return a ^ b;
    }
}

static long reduced(const struct row *row, int op, int n_pes, size_t i, unsigned seed)
{
    long result = held(row, value_of(0, i, seed));
    for (int pe = 1; pe < n_pes; pe++)
        result = combine(row, op, result, held(row, value_of(pe, i, seed)));
    return result;
}

static long moved(const struct call *c, int me, size_t i, unsigned seed)
{
    size_t block = c->n > 0 ? i / c->n : 0, place = c->n > 0 ? i % c->n : 0;
    if (c->what == 0) return value_of(c->root, i, seed);
    if (c->what == 1) return value_of((int)block, place, seed);
    return value_of((int)block, (size_t)me * c->n + place, seed);
}

static void check(const struct call *c, int me, int n_pes, unsigned seed)
{
    const struct row *row = c->row;
    size_t n = !c->reduction && c->what > 0 ? c->n * (size_t)n_pes : c->n, wrong = 0;
    size_t first = c->scatter ? (size_t)me * c->n : 0;
    for (size_t i = 0; i < n; i++) {
        long want = c->reduction ? reduced(row, c->op, n_pes, first + i, seed)
                                 : held(row, moved(c, me, i, seed));
        wrong += row->get(c->dest, i) != want;
    }
    PE_EQUAL(wrong, 0);
    /* Nothing beyond. */
    PE_ALL((char *)c->dest + n * row->size, 16, 0x5a);
}

static void fill(const struct call *c, size_t n, int me, unsigned seed)
{
    memset(c->dest, 0x5a, (size_t)pe_n * NELEMS_MAX * 8 + 16);
    for (size_t i = 0; i < n; i++) c->row->put(c->source, i, value_of(me, i, seed));
}

static void one_call(struct call *c, bool in_place)
{
    static unsigned seed;
    int n_pes = nvshmem_team_n_pes(c->team), me = nvshmem_team_my_pe(c->team);
    void *source = c->source;
    seed++;
    if (me < 0) return;
    pe_step("%s scope %d, %s %d, n %zu, team %d", c->row->name, c->scope,
            c->reduction ? c->scatter ? "reducescatter" : "reduce" : "move",
            c->reduction ? c->op : c->what, c->n, (int)c->team);
    c->root = (int)(seed % (unsigned)n_pes);
    fill(c, c->n * (size_t)n_pes, me, seed);
    if (in_place) {
        memcpy(c->dest, c->source, c->n * c->row->size);
        c->source = c->dest;
    }
    run(c);
    c->source = source;
    check(c, me, n_pes, seed);
    /* Others' checks of dest are theirs; the next fill changes only what is mine. */
}

static void all_calls(struct call *c)
{
    c->reduction = c->scatter = false;
    for (c->what = 0; c->what < 3; c->what++) one_call(c, false);
    c->reduction = true;
    for (c->op = 0; c->op < c->row->ops; c->op++) {
        c->scatter = false;
        one_call(c, false);
        one_call(c, true);
        c->scatter = true;
        one_call(c, false);
    }
}

static void bytes(struct call c)
{
    size_t n = 777;
    pe_step("mem, scope %d", c.scope);
    memset(c.dest, 0x5a, n * (size_t)pe_n);
    c.row = NULL;
    c.n = n;
    c.root = pe_n - 1;
    pe_fill(c.source, n * (size_t)pe_n, (uint64_t)pe_me);
    c.what = 0;
    run(&c);
    PE_FILLED(c.dest, n, (uint64_t)c.root);
    c.what = 1;
    run(&c);
    for (int pe = 0; pe < pe_n; pe++) PE_FILLED((char *)c.dest + (size_t)pe * n, n, (uint64_t)pe);
    pe_fill((char *)c.source + (size_t)((pe_me + 1) % pe_n) * n, n, 1000 + (uint64_t)pe_me);
    c.what = 2;
    run(&c);
    PE_FILLED((char *)c.dest + (size_t)((pe_me + pe_n - 1) % pe_n) * n, n,
              1000 + (uint64_t)((pe_me + pe_n - 1) % pe_n));
}

/*
 * Sums that depend on their order: those of all PEs are the same, and what the PEs' numbers
 * in the team give.
 */
static void inexact(struct call c)
{
    enum { N = 64 };
    double *dest = c.dest, *source = c.source, want;
    pe_step("sums that are rounded");
    for (unsigned i = 0; i < N; i++)
        source[i] = (i + 1) * (pe_me % 2 ? -1e16 : 1e16 / 3) + pe_me + 0.1;
    PE_EQUAL(nvshmem_double_sum_reduce(c.team, dest, source, N), 0);
    for (unsigned i = 0; i < N; i++) {
        want = 0;
        for (int pe = 0; pe < pe_n; pe++) {
            double his = nvshmem_double_g(&source[i], pe);
            want = pe == 0 ? his : want + his;
        }
        PE_TRUE(memcmp(&dest[i], &want, sizeof(want)) == 0);
    }
    nvshmem_barrier_all();
}

int main(void)
{
    struct call c = {.team = NVSHMEM_TEAM_WORLD};
    const nvshmem_team_t world = NVSHMEM_TEAM_WORLD;
    nvshmem_team_t teams[3] = {world, NVSHMEM_TEAM_INVALID, NVSHMEM_TEAM_INVALID};
    pe_start("collective");
    c.dest = pe_alloc((size_t)pe_n * NELEMS_MAX * 8 + 16);
    c.source = pe_alloc((size_t)pe_n * NELEMS_MAX * 8);
    PE_EQUAL(nvshmem_team_split_strided(world, pe_n - 1, -1, pe_n, NULL, 0, &teams[1]), 0);
    PE_EQUAL(nvshmem_team_split_strided(world, 0, 2, (pe_n + 1) / 2, NULL, 0, &teams[2]), 0);
    for (c.scope = 0; c.scope < SCOPES; c.scope++) bytes(c);
    inexact(c);
    for (size_t r = 0; r < PE_COUNT(rows); r++) {
        c.row = &rows[r];
        for (c.scope = 0; c.scope < SCOPES; c.scope++) {
            c.team = teams[(r + (unsigned)c.scope) % 3];
            c.n = c.scope == THREAD ? counts[r % PE_COUNT(counts)] : 300;
            all_calls(&c);
        }
        c.scope = THREAD;
        c.team = NVSHMEM_TEAM_WORLD;
        c.n = counts[3 - r % PE_COUNT(counts)];
        all_calls(&c);
    }
    return pe_finish();
}
