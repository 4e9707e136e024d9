/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * put, get, p and g of all types and sizes, between all PEs: the right number
 * of bytes at the right place, and nothing beside it.
 */
#include "tests/support/family.h"
#include "tests/support/pe.h"
#include "tests/support/rma_table.h"

/* ishmem_rma.c is this file with other names. */
#if !defined(PROGRAM)
#define PROGRAM "rma_types"
#define TYPES 25
#endif

#define GUARD 64u
#define GUARD_BYTE 0xee
/* Elements of one copy; the largest element has 16 bytes. */
#define ELEMENTS 23u
#define CELL (2 * GUARD + ELEMENTS * 16)

static uint64_t seed_of(int from, int to, size_t row)
{
    return ((uint64_t)from * 1009 + (uint64_t)to) * 1009 + row;
}

/* In each PE's memory: one cell for each PE that writes to it and each row. */
static unsigned char *cell(unsigned char *cells, size_t row, int pe)
{
    return cells + ((size_t)pe * rma_n_rows + row) * CELL;
}

static void clear(unsigned char *cells)
{
    for (size_t i = 0; i < CELL * rma_n_rows * (size_t)pe_n; i++) cells[i] = GUARD_BYTE;
    FAMILY_BARRIER_ALL();
}

static void check_cell(const unsigned char *at, size_t nbytes, uint64_t seed)
{
    PE_ALL(at, GUARD, GUARD_BYTE);
    PE_FILLED(at + GUARD, nbytes, seed);
    PE_ALL(at + GUARD + nbytes, CELL - GUARD - nbytes, GUARD_BYTE);
}

static void check_all(unsigned char *cells, size_t nelems)
{
    for (int from = 0; from < pe_n; from++)
        for (size_t row = 0; row < rma_n_rows; row++) {
            pe_step("%s: %zu elements from PE %d", rma_rows[row].name, nelems, from);
            check_cell(cell(cells, row, from), nelems * rma_rows[row].size,
                       seed_of(from, pe_me, row));
        }
    FAMILY_BARRIER_ALL();
}

static void put_all(unsigned char *cells, size_t nelems, bool blocking)
{
    static unsigned char source[64][64][ELEMENTS * 16];
    PE_NEED(pe_n <= 64 && rma_n_rows <= 64);
    clear(cells);
    for (int to = 0; to < pe_n; to++)
        for (size_t row = 0; row < rma_n_rows; row++) {
            const struct rma_row *r = &rma_rows[row];
            unsigned char *bytes = source[to][row];
            pe_step("%s_put%s: %zu to PE %d", r->name, blocking ? "" : "_nbi", nelems, to);
            pe_fill(bytes, nelems * r->size, seed_of(pe_me, to, row));
            (blocking ? r->put : r->put_nbi)(cell(cells, row, pe_me) + GUARD, bytes, nelems, to);
            /* A blocking put has read its source when it returns. */
            if (blocking) pe_fill(bytes, nelems * r->size, 1);
        }
    if (!blocking) FAMILY_QUIET();
    FAMILY_BARRIER_ALL();
    check_all(cells, nelems);
}

/* Every PE has filled cells; get them into local memory. */
static void get_all(unsigned char *cells, size_t nelems, bool blocking)
{
    static unsigned char dest[64][CELL];
    for (size_t row = 0; row < rma_n_rows; row++)
        pe_fill(cell(cells, row, 0) + GUARD, nelems * rma_rows[row].size, seed_of(pe_me, 0, row));
    FAMILY_BARRIER_ALL();
    for (int from = 0; from < pe_n; from++) {
        for (size_t row = 0; row < rma_n_rows; row++) {
            const struct rma_row *r = &rma_rows[row];
            for (size_t i = 0; i < CELL; i++) dest[row][i] = GUARD_BYTE;
            pe_step("%s_get%s: %zu from PE %d", r->name, blocking ? "" : "_nbi", nelems, from);
            (blocking ? r->get : r->get_nbi)(dest[row] + GUARD, cell(cells, row, 0) + GUARD,
                                             nelems, from);
            if (blocking) check_cell(dest[row], nelems * r->size, seed_of(from, 0, row));
        }
        if (blocking) continue;
        FAMILY_QUIET();
        for (size_t row = 0; row < rma_n_rows; row++) {
            pe_step("%s_get_nbi: %zu from PE %d", rma_rows[row].name, nelems, from);
            check_cell(dest[row], nelems * rma_rows[row].size, seed_of(from, 0, row));
        }
    }
    FAMILY_BARRIER_ALL();
}

/* One element; the value's bits are all used, so signs and halves show. */
static uint64_t element(int from, int to, size_t row)
{
    uint64_t state = seed_of(from, to, row);
    uint64_t mask = rma_rows[row].size == 8 ? UINT64_MAX
                                            : (UINT64_C(1) << 8 * rma_rows[row].size) - 1;
    return pe_random(&state) & mask;
}

/* An element at any address: aligned, then one byte off. */
static void p_and_g(unsigned char *cells, size_t shift)
{
    clear(cells);
    for (int to = 0; to < pe_n; to++)
        for (size_t row = 0; row < rma_n_rows; row++) {
            if (rma_rows[row].p == NULL) continue;
            pe_step("%s_p to PE %d, shift %zu", rma_rows[row].name, to, shift);
            rma_rows[row].p(cell(cells, row, pe_me) + GUARD + shift, element(pe_me, to, row), to);
        }
    FAMILY_BARRIER_ALL();
    for (int from = 0; from < pe_n; from++)
        for (size_t row = 0; row < rma_n_rows; row++) {
            const struct rma_row *r = &rma_rows[row];
            unsigned char *at = cell(cells, row, from);
            if (r->p == NULL) continue;
            pe_step("%s_p from PE %d, shift %zu", r->name, from, shift);
            PE_EQUAL(pe_load_bits(at + GUARD + shift, r->size), element(from, pe_me, row));
            PE_ALL(at, GUARD + shift, GUARD_BYTE);
            PE_ALL(at + GUARD + shift + r->size, GUARD, GUARD_BYTE);
            pe_step("%s_g from PE %d, shift %zu", r->name, from, shift);
            PE_EQUAL(r->g(cell(cells, row, pe_me) + GUARD + shift, from),
                     element(pe_me, from, row));
        }
    FAMILY_BARRIER_ALL();
}

int main(void)
{
    static const size_t lengths[] = {0, 1, 3, ELEMENTS};
    unsigned char *cells;
    pe_start(PROGRAM);
    cells = pe_alloc(CELL * rma_n_rows * (size_t)pe_n);
    PE_EQUAL(rma_n_rows, TYPES + 5 + 1);
    for (size_t i = 0; i < PE_COUNT(lengths); i++)
        for (int blocking = 0; blocking < 2; blocking++) {
            put_all(cells, lengths[i], blocking);
            get_all(cells, lengths[i], blocking);
        }
    p_and_g(cells, 0);
    p_and_g(cells, 1);
    return pe_finish();
}
