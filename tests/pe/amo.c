/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every atomic memory operation of every type against a serial model: each pair
 * of boundary values, each PE on each PE, memory and returned value bit by bit,
 * the neighbouring bytes intact.
 */
#include <stdlib.h>

#include "tests/support/amo_table.h"
#include "tests/support/family.h"
#include "tests/support/pe.h"

/* ishmem_amo.c is this file with other names. */
#if !defined(PROGRAM)
#define PROGRAM "amo"
#endif

/*
 * As bits: numbers at the borders of both widths and of their signs, one that
 * needs both halves, -0.0 and NaNs with a payload, quiet and signaling.
 */
static const uint64_t values8[] = {
    0, 1, UINT64_MAX, (uint64_t)INT64_MIN, INT64_MAX, UINT64_C(0x100000000), UINT32_MAX,
    UINT64_C(0xffffffff00000000), UINT64_C(0x123456789abcdef0), UINT64_C(0x7ff8dead0000beef),
    UINT64_C(0x7ff0000000000001), UINT64_C(0x8000000080000000)};
static const uint64_t values4[] = {
    0, 1, UINT32_MAX, 0x80000000u, INT32_MAX, 0x10000u, 0xffffu, 0xffff0000u, 0x12345678u,
    0x7fc0beefu, 0x7f800001u, 0x80008000u};
static const uint64_t values1[] = {0,    1,    0xff, 0x80, 0x7f, 0x0f,
                                   0xf0, 0x55, 0xaa, 0x12, 0xfe, 0x81};
#define VALUES PE_COUNT(values8)
#define PAIRS (VALUES * VALUES)
#define GUARD UINT64_C(0xe7e6e5e4e3e2e1e0)

_Static_assert(PE_COUNT(values4) == VALUES && PE_COUNT(values1) == VALUES,
               "all widths have as many values");

/* A variable of 1, 4 or 8 bytes with other bytes on both sides. */
struct cell {
    uint64_t before;
    unsigned char variable[8];
    uint64_t after;
};

/* One operation: which row, on which pair of values. */
struct trial {
    const struct amo_row *row;
    uint64_t initial, value, cond;
    /* Where in the cell a variable of 1 or 4 bytes lies. */
    size_t shift;
};

static size_t n_trials, stride;

static struct trial trial_of(size_t number)
{
    size_t index = number * stride + (size_t)(number % stride);
    size_t pair = index % PAIRS;
    struct trial t = {.row = &amo_rows[index / PAIRS % amo_n_rows]};
    const uint64_t *values = t.row->width == 8 ? values8 : t.row->width == 4 ? values4 : values1;
    t.initial = values[pair / VALUES];
    t.value = values[pair % VALUES];
    /* Half of the compare-and-swaps meet their condition. */
    t.cond = pair & 1 ? t.initial : values[(pair + 3) % VALUES];
    t.shift = t.row->width == 1 ? pair / 3 % 8 : t.row->width == 4 ? pair / 3 % 2 * 4 : 0;
    return t;
}

static void prepare(struct cell *cells)
{
    for (size_t i = 0; i < n_trials * (size_t)pe_n; i++) {
        struct trial t = trial_of(i % n_trials);
        cells[i].before = cells[i].after = GUARD;
        pe_store_bits(cells[i].variable, 8, GUARD);
        pe_store_bits(cells[i].variable + t.shift, t.row->width, t.initial);
    }
    FAMILY_BARRIER_ALL();
}

static void operate(struct cell *cells, int pe)
{
    for (size_t i = 0; i < n_trials; i++) {
        struct trial t = trial_of(i);
        struct cell *cell = &cells[n_trials * (size_t)pe_me + i];
        uint64_t got;
        pe_step("%s on PE %d: 0x%llx with 0x%llx, cond 0x%llx", t.row->name, pe,
                (unsigned long long)t.initial, (unsigned long long)t.value,
                (unsigned long long)t.cond);
        got = t.row->run(cell->variable + t.shift, t.value, t.cond, pe);
        if (amo_returns(t.row->kind)) PE_EQUAL(got, t.initial);
    }
}

static void check(const struct cell *cells, int from)
{
    for (size_t i = 0; i < n_trials; i++) {
        struct trial t = trial_of(i);
        const struct cell *cell = &cells[n_trials * (size_t)from + i];
        struct cell want = {.before = GUARD};
        pe_step("%s from PE %d: 0x%llx with 0x%llx, cond 0x%llx", t.row->name, from,
                (unsigned long long)t.initial, (unsigned long long)t.value,
                (unsigned long long)t.cond);
        pe_store_bits(want.variable, 8, GUARD);
        pe_store_bits(want.variable + t.shift, t.row->width,
                      amo_model(t.row, t.initial, t.value, t.cond));
        PE_EQUAL(pe_load_bits(cell->variable, 8), pe_load_bits(want.variable, 8));
        PE_EQUAL(cell->before, GUARD);
        PE_EQUAL(cell->after, GUARD);
    }
}

/* All pairs between two PEs; a sample between more, for each trial is a round trip. */
static void choose_trials(void)
{
    size_t all = amo_n_rows * PAIRS;
    stride = pe_n <= 2 ? 1 : (size_t)pe_n * (pe_n <= 4 ? 1 : 2) + 1;
    n_trials = all / stride;
}

#define COUNT(NAME, TYPE) +1

int main(void)
{
    struct cell *cells;
    pe_start(PROGRAM);
    PE_EQUAL(amo_n_rows, 14 * 3 + 12 * 5 + 7 * 6 + (0 FAMILY_BYTE_TYPES(COUNT)) * 14);
    choose_trials();
    cells = pe_alloc(sizeof(*cells) * n_trials * (size_t)pe_n);
    prepare(cells);
    for (int i = 0; i < pe_n; i++) operate(cells, (pe_me + i) % pe_n);
    FAMILY_BARRIER_ALL();
    for (int from = 0; from < pe_n; from++) check(cells, from);
    return pe_finish();
}
