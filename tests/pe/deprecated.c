/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The old names of atomics, with and without a type in them, against the serial
 * model; on the host and in a kernel.
 *
 * deprecated_cxx.cc is this file as C++, where the names without a type are
 * overloads; shmem_deprecated.c has OpenSHMEM's names, which are for the host alone.
 */
#include <anyshmem_kernel.h>

#include "tests/support/amo_table.h"
#include "tests/support/pe.h"

#if defined(SHMEM_H)
#define NAME_OF(ROUTINE) shmem_##ROUTINE
#define LABEL_OF(ROUTINE) "shmem_" ROUTINE
#define PROGRAM "shmem_deprecated"
#else
#define NAME_OF(ROUTINE) nvshmem_##ROUTINE
#define LABEL_OF(ROUTINE) "nvshmem_" ROUTINE
#define PROGRAM "deprecated"
#endif
#if defined(__cplusplus)
#define PROGRAM_NAME PROGRAM "_cxx"
#else
#define PROGRAM_NAME PROGRAM
#endif

/* As bits; a narrower type takes the low ones.  Numbers of both signs, above
 * 2^32, and floating-point numbers that are none, quiet and signaling. */
static const uint64_t values[] = {
    0, 1, UINT64_MAX, UINT64_C(0x100000005), UINT64_C(0x8000000000000000),
    UINT64_C(0xfffffffe7fffffff), UINT64_C(0x7ff4000000000abc), UINT64_C(0xfff8dead7fa00b01),
    UINT64_C(0x12345678ffc12345)};
#define VALUES PE_COUNT(values)

/* Parts of a wrapper: `call` uses variable, value, cond and pe. */
#define WRAPPER(NAME, TYPE, LABEL) \
    static uint64_t NAME##_##LABEL(void *dest, uint64_t value_bits, uint64_t cond_bits, int pe) \
    { \
        TYPE *variable = (TYPE *)dest, value, cond; \
        pe_store_bits(&value, sizeof(value), value_bits); \
        pe_store_bits(&cond, sizeof(cond), cond_bits); \
        (void)cond;
#define UPDATES(NAME, TYPE, LABEL, call) \
    WRAPPER(NAME, TYPE, LABEL) \
        call; \
        return 0; \
    }
#define RETURNS(NAME, TYPE, LABEL, call) \
    WRAPPER(NAME, TYPE, LABEL) \
        value = call; \
        return pe_load_bits(&value, sizeof(value)); \
    }
#define BOTH(FORM, NAME, TYPE, ROUTINE, ARGUMENTS) \
    FORM(NAME, TYPE, named_##ROUTINE, NAME_OF(NAME##_##ROUTINE) ARGUMENTS) \
    FORM(NAME, TYPE, generic_##ROUTINE, NAME_OF(ROUTINE) ARGUMENTS)

#define X(NAME, TYPE) \
    BOTH(RETURNS, NAME, TYPE, fetch, (variable, pe)) \
    BOTH(UPDATES, NAME, TYPE, set, (variable, value, pe)) \
    BOTH(RETURNS, NAME, TYPE, swap, (variable, value, pe))
NVSHMEM_DEPRECATED_EXTENDED_TYPES(X)
#undef X
#define X(NAME, TYPE) \
    BOTH(RETURNS, NAME, TYPE, cswap, (variable, cond, value, pe)) \
    BOTH(RETURNS, NAME, TYPE, finc, (variable, pe)) \
    BOTH(UPDATES, NAME, TYPE, inc, (variable, pe)) \
    BOTH(RETURNS, NAME, TYPE, fadd, (variable, value, pe)) \
    BOTH(UPDATES, NAME, TYPE, add, (variable, value, pe))
NVSHMEM_DEPRECATED_AMO_TYPES(X)
#undef X

#define ROWS(NAME, TYPE, ROUTINE, KIND) \
    {LABEL_OF(#NAME "_" #ROUTINE), #NAME, sizeof(TYPE), AMO_##KIND, NAME##_named_##ROUTINE}, \
    {LABEL_OF(#ROUTINE), #NAME, sizeof(TYPE), AMO_##KIND, NAME##_generic_##ROUTINE},
static const struct amo_row rows[] = {
#define X(NAME, TYPE) \
    ROWS(NAME, TYPE, fetch, FETCH) \
    ROWS(NAME, TYPE, set, SET) \
    ROWS(NAME, TYPE, swap, SWAP)
    NVSHMEM_DEPRECATED_EXTENDED_TYPES(X)
#undef X
#define X(NAME, TYPE) \
    ROWS(NAME, TYPE, cswap, COMPARE_SWAP) \
    ROWS(NAME, TYPE, finc, FETCH_INC) \
    ROWS(NAME, TYPE, inc, INC) \
    ROWS(NAME, TYPE, fadd, FETCH_ADD) \
    ROWS(NAME, TYPE, add, ADD)
    NVSHMEM_DEPRECATED_AMO_TYPES(X)
#undef X
};

/* A variable between bytes that no atomic may touch. */
struct cell {
    uint64_t before, variable, after;
};

/* One operation on the cell with the caller's number at `to`. */
static void run_row(const struct amo_row *row, struct cell *cell, uint64_t start, uint64_t value,
                    uint64_t cond, int to)
{
    uint64_t mask = amo_mask(row->width), old;
    struct cell now = {~start, 0, ~start};
    /* What a narrow type leaves of the word stays. */
    uint64_t rest = UINT64_C(0x5a5a5a5a5a5a5a5a) & ~mask;
    unsigned char *variable = (unsigned char *)&cell->variable;
    pe_store_bits(&now.variable, 8, rest);
    pe_store_bits(&now.variable, row->width, start & mask);
    nvshmem_putmem(cell, &now, sizeof(now), to);
    nvshmem_quiet();
    old = row->run(variable, value, cond, to);
    nvshmem_quiet();
    nvshmem_getmem(&now, cell, sizeof(now), to);
    if (amo_returns(row->kind)) PE_EQUAL(old, start & mask);
    PE_EQUAL(pe_load_bits(&now.variable, row->width), amo_model(row, start, value, cond));
    pe_store_bits(&now.variable, row->width, 0);
    pe_store_bits(&old, 8, rest);
    PE_EQUAL(now.variable, old);
    PE_EQUAL(now.before, ~start);
    PE_EQUAL(now.after, ~start);
}

static void run_all(struct cell *cell, unsigned step, int to)
{
    for (size_t i = 0; i < PE_COUNT(rows); i++) {
        for (size_t v = 0; v < VALUES * VALUES; v += step) {
            uint64_t start = values[v % VALUES], value = values[v / VALUES];
            run_row(&rows[i], cell, start, value, v % 2 ? start : value, to);
        }
    }
}

#define THREADS 33u
static struct cell *cells;

static struct cell *own_cell(unsigned thread)
{
    return &cells[(size_t)pe_me * THREADS + thread];
}

#if !defined(SHMEM_H)
#define FURTHER launch
ANYSHMEM_KERNEL(kernel_all)
{
    (void)arg;
    run_all(own_cell(threadIdx.x), 7, (pe_me + 1) % pe_n);
}

static void launch(void)
{
    void *argument = NULL;
    void *arguments[] = {&argument};
    const void *function;
    void (*kernel)(void *) = kernel_all;
    dim3 grid = {1, 1, 1}, block = {THREADS, 1, 1};
    __builtin_memcpy(&function, &kernel, sizeof(function));
    pe_step("in a kernel");
    PE_NEED(nvshmemx_collective_launch(function, grid, block, arguments, 0, 0) == 0);
}
#endif

int main(void)
{
    pe_start(PROGRAM_NAME);
    cells = (struct cell *)pe_alloc(sizeof(*cells) * (size_t)pe_n * THREADS);
    /* 5 types of 3 routines, 3 types of 5; each with and without the type. */
    PE_EQUAL(PE_COUNT(rows), 2 * (5 * 3 + 3 * 5));
    for (size_t i = 0; i < PE_COUNT(rows); i++) PE_TRUE(rows[i].run != NULL);
    pe_step("on the next PE");
    run_all(own_cell(0), 1, (pe_me + 1) % pe_n);
    pe_step("on the PE itself");
    run_all(own_cell(0), 2, pe_me);
    FURTHER();
    return pe_finish();
}
