/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits and tests of warps and blocks: all threads of a group learn
 * the same, and what came with it is visible to each of them.
 */
#include "tests/support/scope_grid.h"

#define LANES 128u

struct work {
    enum scope_group group;
    /* Symmetric: a word for each group and type; a byte for each thread of it. */
    uint64_t *words;
    uint8_t *bytes;
    /* What each thread of the grid was told. */
    uint64_t *told;
    uint32_t *errors;
};

static inline void expect(struct work *w, int holds)
{
    if (!holds) nvshmem_uint32_atomic_inc(w->errors, nvshmem_my_pe());
}

static inline uint64_t *word_of(const struct work *w, unsigned group, unsigned row)
{
    return &w->words[group * SCOPE_SYNC_ROWS + row];
}

static inline uint8_t *bytes_of(const struct work *w, unsigned group, unsigned row)
{
    return &w->bytes[(group * SCOPE_SYNC_ROWS + row) * LANES];
}

/* All threads of the group have the same number. */
static inline void expect_told(struct work *w, struct scope_self self, uint64_t number)
{
    uint64_t *told = &w->told[blockIdx.x * blockDim.x + threadIdx.x];
    scope_barrier(w->group);
    *told = number;
    scope_barrier(w->group);
    expect(w, *told == *(told - self.rank));
}

/*
 * Each thread sends a byte, one of them then the word: all bits are set, so it
 * is below zero for the signed types alone.
 */
ANYSHMEM_KERNEL(kernel_wait)
{
    struct work *w = (struct work *)arg;
    struct scope_self self = scope_self(w->group);
    for (unsigned row = 0; row < SCOPE_SYNC_ROWS; row++) {
        const struct scope_sync_row *r = &scope_sync[w->group][row];
        uint64_t *word = word_of(w, self.group, row);
        uint8_t *bytes = bytes_of(w, self.group, row);
        expect(w, r->test(word, NVSHMEM_CMP_EQ, 1) == 0);
        nvshmem_uint8_p(&bytes[self.rank], (uint8_t)(self.rank + row + 1), self.to);
        scope_barrier(w->group);
        if (self.rank == row % self.size) {
            nvshmem_fence();
            rma_rows[row].p(word, UINT64_MAX, self.to);
        }
        if (row % 2)
            r->wait_until(word, r->is_signed ? NVSHMEM_CMP_LT : NVSHMEM_CMP_GT, 0);
        else
            while (r->test(word, NVSHMEM_CMP_EQ, UINT64_MAX) == 0) continue;
        expect(w, bytes[(self.rank + 1) % self.size] == (self.rank + 1) % self.size + row + 1);
        expect(w, r->test(word, r->is_signed ? NVSHMEM_CMP_LT : NVSHMEM_CMP_GT, 0) == 1);
        expect(w, r->test(word, NVSHMEM_CMP_NE, UINT64_MAX) == 0);
        /* Of the word's eight bytes no more than the type's were looked at. */
        expect(w, r->width == 8 || r->test((uint8_t *)word + r->width, NVSHMEM_CMP_EQ, 0) == 1);
    }
}

/* The variable changes from thread to thread of one group: all get one answer. */
ANYSHMEM_KERNEL(kernel_same)
{
    struct work *w = (struct work *)arg;
    struct scope_self self = scope_self(w->group);
    int me = nvshmem_my_pe();
    for (unsigned row = 0; row < SCOPE_SYNC_ROWS; row++) {
        const struct scope_sync_row *r = &scope_sync[w->group][row];
        uint64_t *word = word_of(w, self.group, row), *count = word_of(w, self.group, 0);
        rma_rows[row].p(word, self.rank + 1, me);
        expect_told(w, self, (uint64_t)r->test(word, NVSHMEM_CMP_EQ, self.size));
        nvshmem_uint64_atomic_inc(count, me);
        scope_barrier(w->group);
        nvshmem_uint64_atomic_inc(count, me);
        expect_told(w, self,
                    scope_routines[w->group].signal_wait_until(count, NVSHMEM_CMP_GT, self.size));
        scope_barrier(w->group);
        if (self.rank == 0) nvshmem_uint64_p(count, 0, me);
        scope_barrier(w->group);
    }
}

static void clear(struct work *w)
{
    unsigned i;
    for (i = 0; i < SCOPE_GROUPS_MAX * SCOPE_SYNC_ROWS; i++) w->words[i] = 0;
    for (i = 0; i < SCOPE_GROUPS_MAX * SCOPE_SYNC_ROWS * LANES; i++) w->bytes[i] = 0;
    nvshmem_barrier_all();
}

static void all(struct work *w, unsigned blocks, unsigned threads)
{
    const char *name = scope_routines[w->group].name;
    unsigned i;
    clear(w);
    pe_step("waits, %s, blocks of %u", name, threads);
    scope_launch(kernel_wait, blocks, threads, w);
    for (i = 0; i < SCOPE_SYNC_ROWS * scope_n_groups(w->group, blocks, threads); i++) {
        unsigned width = (unsigned)scope_sync[0][i % SCOPE_SYNC_ROWS].width;
        PE_EQUAL(pe_load_bits(&w->words[i], width), UINT64_MAX >> (64 - 8 * width));
    }
    PE_EQUAL(*w->errors, 0);
    clear(w);
    pe_step("one answer, %s, blocks of %u", name, threads);
    scope_launch(kernel_same, blocks, threads, w);
    PE_EQUAL(*w->errors, 0);
}

int main(void)
{
    static uint64_t told[SCOPE_BLOCKS * LANES];
    struct work w;
    pe_start("scope_sync");
    w.words = pe_alloc(SCOPE_GROUPS_MAX * SCOPE_SYNC_ROWS * sizeof(uint64_t));
    w.bytes = pe_alloc(SCOPE_GROUPS_MAX * SCOPE_SYNC_ROWS * LANES);
    w.errors = pe_alloc(64);
    w.told = told;
    for (unsigned group = 0; group < SCOPE_GROUPS; group++) {
        w.group = (enum scope_group)group;
        all(&w, 1, 0);
        for (size_t i = 0; i < PE_COUNT(scope_blocks); i++) all(&w, SCOPE_BLOCKS, scope_blocks[i]);
    }
    return pe_finish();
}
