/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * put, get and put-with-signal of warps and blocks, all types and sizes: each
 * thread writes its part of the source right before the call, changes it right
 * after, and reads what others got.
 *
 * Group g of PE p sends to cell g of PE p + g, or gets from there.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/support/scope_grid.h"

#define GUARD 64u
#define GUARD_BYTE 0xee
#define LONG 6600u
#define CELL (LONG + SCOPE_RMA_ROWS * 13 + 64 + 2 * GUARD)
#define ROUNDS 4u
#define OVERLAP 5000u

struct work {
    enum scope_group group;
    unsigned round;
    bool blocking;
    /* Symmetric and local: a cell for each group and row. */
    unsigned char *cells, *local;
    /* Symmetric, one for each group; and what each thread saw of it. */
    uint64_t *signals, *seen;
    uint32_t *errors;
};

static inline void expect(struct work *w, int holds)
{
    if (!holds) nvshmem_uint32_atomic_inc(w->errors, nvshmem_my_pe());
}

static inline const struct rma_row *row_of(const struct work *w, unsigned row)
{
    return &scope_rma[w->group][row];
}

/* Elements of a row's copy: none, one, some, or a piece for every thread. */
static inline size_t length(const struct work *w, unsigned row)
{
    switch ((row + w->round) % 4) {
    case 0: return 0;
    case 1: return 1;
    case 2: return 23;
    default: return (LONG + 13 * row) / row_of(w, row)->size;
    }
}

/* Where a row's data lies in a cell: not always at the start of a cache line. */
static inline unsigned char *at(const struct work *w, unsigned char *cells, unsigned group,
                                unsigned row)
{
    size_t shift = row % 4 * row_of(w, row)->size;
    return cells + ((size_t)group * SCOPE_RMA_ROWS + row) * CELL + GUARD + shift;
}

static inline uint64_t seed_of(const struct work *w, int pe, unsigned group, unsigned row)
{
    return (((uint64_t)pe * 16 + group) * 64 + row) * 64 + w->round;
}

static inline void check_part(struct work *w, struct scope_self self, const unsigned char *bytes,
                              size_t nbytes, uint64_t seed)
{
    size_t wrong = 0;
    for (size_t i = (self.rank + 1) % self.size; i < nbytes; i += self.size)
        wrong += bytes[i] != scope_byte(seed, i);
    expect(w, wrong == 0);
}

/*
 * The source of a row: with _nbi each has its own, for it must stay.  Else all
 * have the same, at one place: then a byte is always the same thread's.
 */
static inline unsigned char *source_of(const struct work *w, unsigned group, unsigned row)
{
    size_t cell = (size_t)group * SCOPE_RMA_ROWS + (w->blocking ? 0 : row);
    return w->local + cell * CELL + (w->blocking ? 8 : row % 3 * 16);
}

/* One thread of the group completes what the group has sent, and looks. */
static inline void complete(struct work *w, struct scope_self self)
{
    unsigned char data[512];
    if (self.rank != (w->round % 2 ? 0 : self.size - 1)) return;
    nvshmem_quiet();
    for (unsigned row = 0; row < SCOPE_RMA_ROWS; row++) {
        size_t nbytes = length(w, row) * row_of(w, row)->size, i, n, from, wrong = 0;
        uint64_t seed = seed_of(w, nvshmem_my_pe(), self.group, row);
        for (from = 0; from < nbytes; from += n) {
            n = nbytes - from < sizeof(data) ? nbytes - from : sizeof(data);
            nvshmem_getmem(data, at(w, w->cells, self.group, row) + from, n, self.to);
            for (i = 0; i < n; i++) wrong += data[i] != scope_byte(seed, from + i);
        }
        expect(w, wrong == 0);
    }
}

ANYSHMEM_KERNEL(kernel_put)
{
    struct work *w = (struct work *)arg;
    struct scope_self self = scope_self(w->group);
    for (unsigned row = 0; row < SCOPE_RMA_ROWS; row++) {
        const struct rma_row *r = row_of(w, row);
        size_t nelems = length(w, row), nbytes = nelems * r->size;
        unsigned char *source = source_of(w, self.group, row);
        scope_write(self, source, nbytes, seed_of(w, nvshmem_my_pe(), self.group, row));
        (w->blocking ? r->put : r->put_nbi)(at(w, w->cells, self.group, row), source, nelems,
                                            self.to);
        if (w->blocking) scope_write(self, source, nbytes, 1);
    }
    if (!w->blocking) complete(w, self);
}

ANYSHMEM_KERNEL(kernel_put_signal)
{
    struct work *w = (struct work *)arg;
    struct scope_self self = scope_self(w->group);
    uint64_t *seen = &w->seen[blockIdx.x * blockDim.x];
    for (unsigned row = 0; row < SCOPE_RMA_ROWS; row++) {
        const struct rma_row *r = row_of(w, row);
        size_t nelems = length(w, row), nbytes = nelems * r->size;
        unsigned char *source = source_of(w, self.group, row);
        uint64_t now;
        scope_write(self, source, nbytes, seed_of(w, nvshmem_my_pe(), self.group, row));
        if (w->blocking)
            r->put_signal(at(w, w->cells, self.group, row), source, nelems,
                          &w->signals[self.group], 1, NVSHMEM_SIGNAL_ADD, self.to);
        else
            r->put_signal_nbi(at(w, w->cells, self.group, row), source, nelems,
                              &w->signals[self.group], row + 1, NVSHMEM_SIGNAL_SET, self.to);
        if (w->blocking) scope_write(self, source, nbytes, 1);
        now = scope_routines[w->group].signal_wait_until(&w->signals[self.group], NVSHMEM_CMP_GE,
                                                         row + 1);
        check_part(w, self, at(w, w->cells, self.group, row), nbytes,
                   seed_of(w, self.from, self.group, row));
        /* All of the group were told the same. */
        seen[threadIdx.x] = now;
        scope_barrier(w->group);
        expect(w, now > row && now <= SCOPE_RMA_ROWS && seen[threadIdx.x - self.rank] == now);
        scope_barrier(w->group);
    }
    if (!w->blocking) complete(w, self);
}

ANYSHMEM_KERNEL(kernel_get)
{
    struct work *w = (struct work *)arg;
    struct scope_self self = scope_self(w->group);
    unsigned row;
    for (row = 0; row < SCOPE_RMA_ROWS; row++) {
        const struct rma_row *r = row_of(w, row);
        unsigned char *dest = at(w, w->local, self.group, row);
        size_t nelems = length(w, row);
        for (unsigned again = 0; again < (w->blocking ? 2 : 1); again++) {
            /* Right before the call: what it brings is not overwritten by a late thread. */
            scope_write(self, dest, nelems * r->size, 1);
            (w->blocking ? r->get : r->get_nbi)(dest, at(w, w->cells, self.group, row), nelems,
                                                self.to);
            if (w->blocking)
                check_part(w, self, dest, nelems * r->size, seed_of(w, self.to, self.group, row));
            scope_barrier(w->group);
        }
    }
    if (w->blocking) return;
    if (self.rank == (w->round % 2 ? 0 : self.size - 1)) nvshmem_quiet();
    scope_barrier(w->group);
    for (row = 0; row < SCOPE_RMA_ROWS; row++)
        check_part(w, self, at(w, w->local, self.group, row),
                   length(w, row) * row_of(w, row)->size, seed_of(w, self.to, self.group, row));
}

/* Come to the next call one after another, the last of the group first. */
static inline void reverse(struct work *w, struct scope_self self)
{
    uint64_t *turn = &w->signals[self.group];
    nvshmem_uint64_wait_until(turn, NVSHMEM_CMP_EQ, self.size - 1 - self.rank);
    nvshmem_uint64_atomic_inc(turn, nvshmem_my_pe());
}

/* Within the own heap source and dest may overlap, in either direction. */
ANYSHMEM_KERNEL(kernel_overlap)
{
    struct work *w = (struct work *)arg;
    struct scope_self self = scope_self(w->group);
    const struct rma_row *r = row_of(w, SCOPE_RMA_ROWS - 1);
    unsigned char *cell = at(w, w->cells, self.group, 0);
    int me = nvshmem_my_pe();
    for (int get = 0; get < 2; get++) {
        copy_function copy = get ? r->get : r->put;
        scope_write(self, cell, OVERLAP, 77);
        copy(cell + 40, cell, OVERLAP, me);
        check_part(w, self, cell + 40, OVERLAP, 77);
        scope_barrier(w->group);
        reverse(w, self);
        copy(cell, cell + 40, OVERLAP, me);
        check_part(w, self, cell, OVERLAP, 77);
        if (self.rank == 0) nvshmem_uint64_atomic_set(&w->signals[self.group], 0, me);
        nvshmem_quiet();
        scope_barrier(w->group);
    }
}

static size_t guarded(const unsigned char *bytes, size_t nbytes)
{
    size_t i = 0;
    while (i < nbytes && bytes[i] == GUARD_BYTE) i++;
    return i;
}

static size_t filled(const unsigned char *bytes, size_t nbytes, uint64_t seed)
{
    size_t i = 0;
    while (i < nbytes && bytes[i] == scope_byte(seed, i)) i++;
    return i;
}

/* Cells hold what the PE at `distance` groups' numbers sent or had, and no more. */
static void check_cells(struct work *w, const char *what, unsigned char *cells, unsigned n_groups,
                        int direction)
{
    for (unsigned group = 0; group < n_groups; group++)
        for (unsigned row = 0; row < SCOPE_RMA_ROWS; row++) {
            const struct rma_row *r = row_of(w, row);
            const unsigned char *data = at(w, cells, group, row);
            size_t nbytes = length(w, row) * r->size, shift = row % 4 * r->size;
            int pe = (pe_me + direction * ((int)group % pe_n) + pe_n) % pe_n;
            pe_step("%s %s%s: %zu bytes, group %u, PE %d", what, r->name,
                    w->blocking ? "" : " nbi", nbytes, group, pe);
            PE_EQUAL(guarded(data - shift - GUARD, GUARD + shift), GUARD + shift);
            PE_EQUAL(filled(data, nbytes, seed_of(w, pe, group, row)), nbytes);
            PE_EQUAL(guarded(data + nbytes, GUARD), GUARD);
        }
}

static void clear(struct work *w, unsigned n_groups)
{
    memset(w->cells, GUARD_BYTE, (size_t)n_groups * SCOPE_RMA_ROWS * CELL);
    memset(w->local, GUARD_BYTE, (size_t)n_groups * SCOPE_RMA_ROWS * CELL);
    memset(w->signals, 0, SCOPE_GROUPS_MAX * sizeof(uint64_t));
    nvshmem_barrier_all();
}

static void run(struct work *w, const char *what, void (*kernel)(void *), unsigned blocks,
                unsigned threads)
{
    pe_step("%s, blocks of %u", what, threads);
    scope_launch(kernel, blocks, threads, w);
    PE_EQUAL(*w->errors, 0);
}

static void copies(struct work *w, unsigned blocks, unsigned threads)
{
    unsigned n_groups = scope_n_groups(w->group, blocks, threads == 0 ? 1 : threads), i;
    clear(w, n_groups);
    run(w, "put", kernel_put, blocks, threads);
    check_cells(w, "put", w->cells, n_groups, -1);
    clear(w, n_groups);
    run(w, "put_signal", kernel_put_signal, blocks, threads);
    check_cells(w, "put_signal", w->cells, n_groups, -1);
    for (i = 0; i < n_groups; i++) PE_EQUAL(w->signals[i], SCOPE_RMA_ROWS);
    clear(w, n_groups);
    for (unsigned group = 0; group < n_groups; group++)
        for (unsigned row = 0; row < SCOPE_RMA_ROWS; row++)
            for (i = 0; i < length(w, row) * row_of(w, row)->size; i++)
                at(w, w->cells, group, row)[i] = scope_byte(seed_of(w, pe_me, group, row), i);
    nvshmem_barrier_all();
    run(w, "get", kernel_get, blocks, threads);
    check_cells(w, "get", w->local, n_groups, 1);
    run(w, "overlap", kernel_overlap, blocks, threads);
}

int main(void)
{
    struct work w;
    size_t nbytes = (size_t)SCOPE_GROUPS_MAX * SCOPE_RMA_ROWS * CELL;
    pe_start("scope");
    w.cells = pe_alloc(nbytes);
    w.signals = pe_alloc(SCOPE_GROUPS_MAX * sizeof(uint64_t));
    w.errors = pe_alloc(64);
    w.local = malloc(nbytes);
    w.seen = malloc(SCOPE_BLOCKS * 128 * sizeof(uint64_t));
    PE_NEED(w.local != NULL && w.seen != NULL);
    for (int group = 0; group < SCOPE_GROUPS; group++)
        for (unsigned round = 0; round < 2 * ROUNDS; round++) {
            w.group = (enum scope_group)group;
            w.round = round % ROUNDS;
            w.blocking = round < ROUNDS;
            copies(&w, 1, 0);
            for (size_t i = 0; i < PE_COUNT(scope_blocks); i++)
                copies(&w, SCOPE_BLOCKS, scope_blocks[i]);
        }
    free(w.local);
    free(w.seen);
    return pe_finish();
}
