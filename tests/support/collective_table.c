/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/collective_table.h"

#include <anyshmem_kernel.h>
#include <string.h>

#include "tests/support/pe.h"

#define BLOCK_THREADS 48u
#define CLEAR 0x5a

#define MOVE(FORM, PREFIX, SUFFIX, ...) \
    if (c->form == FORM && c->kind == COLLECTIVE_BROADCAST) \
        return PREFIX##broadcast##SUFFIX(c->team, c->dest, c->source, c->n, c->root __VA_ARGS__); \
    if (c->form == FORM && c->kind == COLLECTIVE_FCOLLECT) \
        return PREFIX##fcollect##SUFFIX(c->team, c->dest, c->source, c->n __VA_ARGS__); \
    if (c->form == FORM && c->kind == COLLECTIVE_ALLTOALL) \
        return PREFIX##alltoall##SUFFIX(c->team, c->dest, c->source, c->n __VA_ARGS__);
#define REDUCTION(FORM, ROUTINE, SUFFIX, ...) \
    if (c->form == FORM && c->kind == COLLECTIVE_REDUCE) \
        return ROUTINE##_reduce##SUFFIX(c->team, c->dest, c->source, c->n __VA_ARGS__); \
    if (c->form == FORM && c->kind == COLLECTIVE_REDUCESCATTER) \
        return ROUTINE##_reducescatter##SUFFIX(c->team, c->dest, c->source, c->n __VA_ARGS__);
#define REDUCE(NAME, TYPE, VERB, OP) \
    if (c->op == COLLECTIVE_##OP) { \
        REDUCTION(COLLECTIVE_THREAD, nvshmem_##NAME##_##VERB, , ) \
        REDUCTION(COLLECTIVE_WARP, nvshmemx_##NAME##_##VERB, _warp, ) \
        REDUCTION(COLLECTIVE_BLOCK, nvshmemx_##NAME##_##VERB, _block, ) \
        REDUCTION(COLLECTIVE_STREAM, nvshmemx_##NAME##_##VERB, _on_stream, , c->stream) \
    }
#define ROUTINES(NAME, TYPE, MORE) \
    static int move_##NAME(const struct collective_call *c) \
    { \
        MOVE(COLLECTIVE_THREAD, nvshmem_##NAME##_, , ) \
        MOVE(COLLECTIVE_WARP, nvshmemx_##NAME##_, _warp, ) \
        MOVE(COLLECTIVE_BLOCK, nvshmemx_##NAME##_, _block, ) \
        MOVE(COLLECTIVE_STREAM, nvshmemx_##NAME##_, _on_stream, , c->stream) \
        return -1; \
    } \
    static int reduce_##NAME(const struct collective_call *c) \
    { \
        NVSHMEM_ARITHMETIC_OPS(REDUCE, NAME, TYPE) \
        MORE \
        return -1; \
    }
#define VALUES(NAME, TYPE) \
    static void put_##NAME(void *array, size_t i, long v) { ((TYPE *)array)[i] = (TYPE)v; } \
    static long get_##NAME(const void *array, size_t i) { return (long)((const TYPE *)array)[i]; }
#define X(NAME, TYPE) \
    ROUTINES(NAME, TYPE, NVSHMEM_BITWISE_OPS(REDUCE, NAME, TYPE)) \
    VALUES(NAME, TYPE)
NVSHMEM_INTEGER_TYPES(X)
#undef X
#define X(NAME, TYPE) ROUTINES(NAME, TYPE, ) VALUES(NAME, TYPE)
NVSHMEM_FLOAT_TYPES(X)
#undef X
ROUTINES(half, nvshmem_half_t, )
ROUTINES(bfloat16, nvshmem_bfloat16_t, )

static int move_mem(const struct collective_call *c)
{
    MOVE(COLLECTIVE_THREAD, nvshmem_, mem, )
    MOVE(COLLECTIVE_WARP, nvshmemx_, mem_warp, )
    MOVE(COLLECTIVE_BLOCK, nvshmemx_, mem_block, )
    MOVE(COLLECTIVE_STREAM, nvshmemx_, mem_on_stream, , c->stream)
    return -1;
}

static int reduce_mem(const struct collective_call *c)
{
    (void)c;
    return -1;
}

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

const struct collective_row collective_rows[] = {
#define ROW(NAME, TYPE, UNSIGNED, N) \
    {#NAME, sizeof(TYPE), UNSIGNED, N, put_##NAME, get_##NAME, move_##NAME, reduce_##NAME},
#define X(NAME, TYPE) ROW(NAME, TYPE, (TYPE)-1 > (TYPE)1, COLLECTIVE_OPS)
    NVSHMEM_INTEGER_TYPES(X)
#undef X
#define X(NAME, TYPE) ROW(NAME, TYPE, false, COLLECTIVE_AND)
    NVSHMEM_FLOAT_TYPES(X)
#undef X
    ROW(half, nvshmem_half_t, false, COLLECTIVE_AND)
    ROW(bfloat16, nvshmem_bfloat16_t, false, COLLECTIVE_AND)
#undef ROW
    {"mem", 1, true, 0, put_uchar, get_uchar, move_mem, reduce_mem},
};
const size_t collective_n_rows = PE_COUNT(collective_rows);

const struct collective_row *collective_row_of(const char *name, size_t length)
{
    size_t r = 0;
    while (r + 1 < collective_n_rows && (strlen(collective_rows[r].name) != length ||
                                         memcmp(collective_rows[r].name, name, length) != 0))
        r++;
    return &collective_rows[r];
}

int collective_make(const struct collective_call *c)
{
    return c->kind < COLLECTIVE_REDUCE ? c->row->move(c) : c->row->reduce(c);
}

struct kernel_call {
    const struct collective_call *call;
    int failed;
};

ANYSHMEM_KERNEL(make_in_kernel)
{
    struct kernel_call *k = arg;
    if (collective_make(k->call) != 0) k->failed = 1;
}

static void run_in_kernel(const struct collective_call *c)
{
    struct kernel_call k = {c, 0};
    dim3 one = {1, 1, 1}, threads = {c->form == COLLECTIVE_WARP ? 32 : BLOCK_THREADS, 1, 1};
    const void *kernel = (const void *)make_in_kernel;
    void *arg = &k, *args[] = {&arg};
    PE_NEED(nvshmemx_collective_launch(kernel, one, threads, args, 0, 0) == 0);
    PE_TRUE(!k.failed);
}

void collective_run(const struct collective_call *c)
{
    if (c->form == COLLECTIVE_WARP || c->form == COLLECTIVE_BLOCK) {
        run_in_kernel(c);
    } else {
        PE_EQUAL(collective_make(c), 0);
        if (c->form == COLLECTIVE_STREAM) PE_EQUAL(anyshmemx_stream_synchronize(c->stream), 0);
    }
}

size_t collective_dest_bytes(const struct collective_call *c)
{
    bool blocks = c->kind == COLLECTIVE_FCOLLECT || c->kind == COLLECTIVE_ALLTOALL;
    return c->n * c->row->size * (blocks ? (size_t)nvshmem_team_n_pes(c->team) : 1);
}

size_t collective_source_bytes(const struct collective_call *c)
{
    bool blocks = c->kind == COLLECTIVE_ALLTOALL || c->kind == COLLECTIVE_REDUCESCATTER;
    return c->n * c->row->size * (blocks ? (size_t)nvshmem_team_n_pes(c->team) : 1);
}

/* -3..3. */
long collective_value(int pe, size_t i, unsigned seed)
{
    return (long)(((unsigned)pe * 5 + (unsigned)i * 3 + (unsigned)i / 7 + seed) % 7) - 3;
}

/* As the type holds it. */
static long held(const struct collective_row *row, long value)
{
    uint64_t room = 0;
    row->put(&room, 0, value);
    return row->get(&room, 0);
}

static long combine(const struct collective_row *row, enum collective_op op, long a, long b)
{
    bool less = row->is_unsigned ? (unsigned long)a < (unsigned long)b : a < b;
    switch (op) {
    case COLLECTIVE_SUM: return held(row, (long)((unsigned long)a + (unsigned long)b));
    case COLLECTIVE_PROD: return held(row, (long)((unsigned long)a * (unsigned long)b));
    case COLLECTIVE_MIN: return less ? a : b;
    case COLLECTIVE_MAX: return less ? b : a;
    case COLLECTIVE_AND: return a & b;
    case COLLECTIVE_OR: return a | b;
    default: return a ^ b;
    }
}

static long reduced(const struct collective_call *c, int n_pes, size_t i, unsigned seed)
{
    long result = held(c->row, collective_value(0, i, seed));
    for (int pe = 1; pe < n_pes; pe++)
        result = combine(c->row, c->op, result, held(c->row, collective_value(pe, i, seed)));
    return result;
}

/* What PE `me` gets in element i. */
static long expected(const struct collective_call *c, int me, size_t i, unsigned seed)
{
    size_t block = i / c->n, place = i % c->n, mine = (size_t)me * c->n;
    int n_pes = nvshmem_team_n_pes(c->team);
    switch (c->kind) {
    case COLLECTIVE_BROADCAST: return held(c->row, collective_value(c->root, i, seed));
    case COLLECTIVE_FCOLLECT: return held(c->row, collective_value((int)block, place, seed));
    case COLLECTIVE_ALLTOALL: return held(c->row, collective_value((int)block, mine + place, seed));
    case COLLECTIVE_REDUCE: return reduced(c, n_pes, i, seed);
    default: return reduced(c, n_pes, mine + i, seed);
    }
}

void collective_fill(const struct collective_call *c, void *source, unsigned seed)
{
    size_t n = collective_source_bytes(c) / c->row->size;
    int me = nvshmem_team_my_pe(c->team);
    for (size_t i = 0; i < n; i++) c->row->put(source, i, collective_value(me, i, seed));
}

void collective_clear(const struct collective_call *c)
{
    memset(c->dest, CLEAR, collective_dest_bytes(c) + COLLECTIVE_GUARD);
}

size_t collective_wrong(const struct collective_call *c, const void *dest, int me, unsigned seed)
{
    size_t n = collective_dest_bytes(c) / c->row->size, wrong = 0;
    for (size_t i = 0; i < n; i++) wrong += c->row->get(dest, i) != expected(c, me, i, seed);
    return wrong;
}

void collective_check(const struct collective_call *c, unsigned seed)
{
    PE_EQUAL(collective_wrong(c, c->dest, nvshmem_team_my_pe(c->team), seed), 0);
    PE_ALL((char *)c->dest + collective_dest_bytes(c), COLLECTIVE_GUARD, CLEAR);
}
