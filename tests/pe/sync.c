/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait_until, wait and test of all types and comparisons, in each type's own
 * width and signedness; and waits that another PE ends later.
 */
#include "tests/support/compare_model.h"
#include "tests/support/family.h"
#include "tests/support/pe.h"

/* shmem_sync.c is this file with other names. */
#if !defined(PROGRAM)
#define PROGRAM "sync"
#endif

/* As bits of 8 bytes; a narrower type takes the low ones: both ends of both signs. */
static const uint64_t values[] = {
    0, 1, UINT64_MAX, UINT64_MAX - 1, (uint64_t)INT64_MIN, INT64_MAX,
    UINT64_C(0x80000000), UINT64_C(0x7fffffff), UINT64_C(0x100000000), 0x8000, 0x7fff, 0xffff};
static const int comparisons[] = {NVSHMEM_CMP_EQ, NVSHMEM_CMP_NE, NVSHMEM_CMP_GT,
                                  NVSHMEM_CMP_LE, NVSHMEM_CMP_LT, NVSHMEM_CMP_GE};

struct sync_row {
    const char *name;
    size_t width;
    int (*test)(void *ivar, int cmp, uint64_t value);
    void (*wait_until)(void *ivar, int cmp, uint64_t value);
    void (*wait)(void *ivar, uint64_t value);
    /* What C says: bit `cmp` is set if a cmp b. */
    unsigned (*model)(uint64_t a, uint64_t b);
    void (*p)(void *dest, uint64_t value, int pe);
    /* p again for the two types without atomics. */
    void (*set)(void *dest, uint64_t value, int pe);
};

#define X(NAME, TYPE) \
    static int NAME##_test(void *ivar, int cmp, uint64_t value) \
    { \
        return FAMILY_TYPED(NAME, test)((TYPE *)ivar, cmp, (TYPE)value); \
    } \
    static void NAME##_wait_until(void *ivar, int cmp, uint64_t value) \
    { \
        FAMILY_TYPED(NAME, wait_until)((TYPE *)ivar, cmp, (TYPE)value); \
    } \
    static void NAME##_wait(void *ivar, uint64_t value) \
    { \
        FAMILY_WAIT(NAME)((TYPE *)ivar, (TYPE)value); \
    } \
    COMPARE_MODEL(NAME, TYPE) \
    static void NAME##_p(void *dest, uint64_t value, int pe) \
    { \
        FAMILY_TYPED(NAME, p)((TYPE *)dest, (TYPE)value, pe); \
    }
NVSHMEM_SYNC_TYPES(X)
#undef X
#define X(NAME, TYPE) \
    static void NAME##_set(void *dest, uint64_t value, int pe) \
    { \
        FAMILY_TYPED(NAME, atomic_set)((TYPE *)dest, (TYPE)value, pe); \
    }
NVSHMEM_AMO_TYPES(X)
#undef X

#define ROW(NAME, TYPE, SET) \
    {#NAME, sizeof(TYPE), NAME##_test, NAME##_wait_until, NAME##_wait, NAME##_model, NAME##_p, SET},
static const struct sync_row rows[] = {
#define X(NAME, TYPE) ROW(NAME, TYPE, NAME##_set)
    NVSHMEM_AMO_TYPES(X)
#undef X
    ROW(short, short, short_p)
    ROW(ushort, unsigned short, ushort_p)
};

/* A variable between bytes that no comparison may look at. */
struct cell {
    unsigned char before[8], variable[8], after[8];
};

static void set_cell(struct cell *cell, size_t width, uint64_t bits)
{
    /* Beside a narrow variable stands the opposite, which would turn a result. */
    pe_store_bits(cell->before, 8, ~bits);
    pe_store_bits(cell->variable, 8, ~bits);
    pe_store_bits(cell->after, 8, ~bits);
    pe_store_bits(cell->variable, width, bits);
}

static uint64_t low_bits(uint64_t bits, size_t width)
{
    return width == 8 ? bits : bits & ((UINT64_C(1) << 8 * width) - 1);
}

/* Every pair of values with every comparison, without any other PE. */
static void compare_all(const struct sync_row *row, struct cell *cell)
{
    for (size_t i = 0; i < PE_COUNT(values) * PE_COUNT(values); i++) {
        uint64_t a = values[i / PE_COUNT(values)], b = values[i % PE_COUNT(values)];
        unsigned met = row->model(a, b);
        set_cell(cell, row->width, a);
        for (size_t c = 0; c < PE_COUNT(comparisons); c++) {
            int cmp = comparisons[c];
            pe_step("%s: 0x%llx cmp %d 0x%llx", row->name, (unsigned long long)a, cmp,
                    (unsigned long long)b);
            PE_EQUAL(row->test(cell->variable, cmp, b), met >> cmp & 1);
            /* A wait for what is so returns at once: the watchdog looks after that. */
            if (met >> cmp & 1) row->wait_until(cell->variable, cmp, b);
        }
        if (met >> NVSHMEM_CMP_NE & 1) row->wait(cell->variable, b);
        PE_EQUAL(pe_load_bits(cell->before, 8), ~a);
        PE_EQUAL(pe_load_bits(cell->after, 8), ~a);
    }
}

/* A value that meets the comparison with b, or one that does not. */
static uint64_t choose(const struct sync_row *row, int cmp, bool wanted, uint64_t b,
                       uint64_t *state)
{
    for (;;) {
        uint64_t a = values[pe_random(state) % PE_COUNT(values)];
        if ((row->model(a, b) >> cmp & 1) == wanted) return a;
    }
}

/*
 * A wait that the PE before this one ends, by p or by an atomic set.  All PEs
 * choose the same values.  `form`: 0 wait_until, 1 test in a loop, 2 wait.
 */
static void wait_for_neighbour(const struct sync_row *row, struct cell *cell, int cmp, int form,
                               bool by_set)
{
    uint64_t state = (uint64_t)(row - rows) * 64 + (uint64_t)cmp * 8 + (uint64_t)form;
    /* In every type some values are above these and some are below. */
    uint64_t b = cmp == NVSHMEM_CMP_GT || cmp == NVSHMEM_CMP_GE ? 1 : 0x7ffe;
    uint64_t early, late;
    if (cmp == NVSHMEM_CMP_EQ || cmp == NVSHMEM_CMP_NE) b = values[state % 3];
    early = choose(row, cmp, false, b, &state);
    late = choose(row, cmp, true, b, &state);
    pe_step("%s: wait for 0x%llx cmp %d 0x%llx, form %d", row->name, (unsigned long long)late, cmp,
            (unsigned long long)b, form);
    set_cell(cell, row->width, early);
    nvshmem_barrier_all();
    PE_EQUAL(row->test(cell->variable, cmp, b), 0);
    /* Some PEs send at once, some when the other has waited for a while. */
    if ((pe_me + cmp) % 3 == 0) pe_sleep_us(300);
    nvshmem_sync_all();
    (by_set ? row->set : row->p)(cell->variable, late, (pe_me + 1) % pe_n);
    switch (form) {
    case 0: row->wait_until(cell->variable, cmp, b); break;
    case 1:
        while (!row->test(cell->variable, cmp, b)) continue;
        break;
    default: row->wait(cell->variable, early); break;
    }
    PE_EQUAL(pe_load_bits(cell->variable, row->width), low_bits(late, row->width));
    PE_EQUAL(pe_load_bits(cell->before, 8), ~early);
    PE_EQUAL(pe_load_bits(cell->after, 8), ~early);
    nvshmem_barrier_all();
}

static void wait_all(const struct sync_row *row, struct cell *cell)
{
    for (size_t c = 0; c < PE_COUNT(comparisons); c++) {
        wait_for_neighbour(row, cell, comparisons[c], 0, false);
        wait_for_neighbour(row, cell, comparisons[c], 0, true);
        wait_for_neighbour(row, cell, comparisons[c], 1, false);
    }
    wait_for_neighbour(row, cell, NVSHMEM_CMP_NE, 2, true);
}

int main(void)
{
    struct cell *cell;
    pe_start(PROGRAM);
    cell = pe_alloc(sizeof(*cell));
    PE_EQUAL(PE_COUNT(rows), 14);
    for (size_t i = 0; i < PE_COUNT(rows); i++) {
        compare_all(&rows[i], cell);
        wait_all(&rows[i], cell);
    }
    return pe_finish();
}
