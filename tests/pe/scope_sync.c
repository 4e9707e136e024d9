/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits, tests and barriers of warps and blocks: all threads of a group learn
 * the same, and what came with it is visible to each of them.
 */
#include "tests/support/scope_grid.h"

#define LANES 128u
#define BARRIERS 6u
#define LONG ((size_t)1 << 20)
#define LONG_ROUNDS 6u

struct work {
    enum scope_group group;
    /* Symmetric: a word for each group and type; a byte for each thread of it. */
    uint64_t *words;
    uint8_t *bytes;
    /* Symmetric: bytes of the barriers. */
    uint8_t *marks;
    /* A long copy and its signal; local memory that it comes from. */
    uint8_t *data, *source;
    uint64_t *signal;
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
    scope_meet(w->group);
    *told = number;
    scope_meet(w->group);
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
        scope_meet(w->group);
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
        scope_meet(w->group);
        nvshmem_uint64_atomic_inc(count, me);
        expect_told(w, self,
                    scope_routines[w->group].signal_wait_until(count, NVSHMEM_CMP_GT, self.size));
        scope_meet(w->group);
        if (self.rank == 0) nvshmem_uint64_p(count, 0, me);
        scope_meet(w->group);
    }
}

/* The first group of each PE meets those of all PEs. */
ANYSHMEM_KERNEL(kernel_barrier)
{
    struct work *w = (struct work *)arg;
    struct scope_self self = scope_self(w->group);
    const struct scope_routines *r = &scope_routines[w->group];
    int me = nvshmem_my_pe(), n = nvshmem_n_pes(), to = (me + 1) % n, pe;
    unsigned lane = (self.rank + 1) % self.size;
    if (self.group != 0) return;
    for (unsigned i = 1; i <= BARRIERS; i++) {
        /* One PE is late with the last of its bytes. */
        if (self.rank != 0 && self.rank == self.size - 1 && (int)i % n == me) pe_nap(300);
        nvshmem_uint8_put_nbi(&w->marks[self.rank], &w->bytes[i], 1, to);
        r->barrier_all();
        expect(w, w->marks[lane] == i);
        r->sync_all();
        w->marks[LANES + self.rank] = (uint8_t)i;
        r->sync_all();
        for (pe = 0; pe < n; pe++)
            expect(w, nvshmem_uint8_g(&w->marks[LANES + lane], pe) == i);
        r->sync_all();
    }
}

/*
 * Every other PE sends what takes a while, the next one waits: when it sees the
 * signal, the parts of all threads are there.
 */
ANYSHMEM_KERNEL(kernel_long)
{
    struct work *w = (struct work *)arg;
    struct scope_self self = scope_self(w->group);
    const struct rma_row *r = &scope_rma[w->group][SCOPE_RMA_ROWS - 1];
    int me = nvshmem_my_pe(), n = nvshmem_n_pes(), to = (me + 1) % n, from = (me + n - 1) % n;
    size_t i, wrong;
    if (self.group != 0) return;
    for (unsigned round = 1; round <= LONG_ROUNDS; round++) {
        for (i = self.rank; i < LONG; i += self.size) w->source[i] = (uint8_t)(i / 64 + round);
        if (n == 1 || (me + (int)round) % 2 == 0)
            r->put_signal(w->data, w->source, LONG, w->signal, round, NVSHMEM_SIGNAL_SET, to);
        if (n == 1 || (from + (int)round) % 2 == 0) {
            scope_routines[w->group].signal_wait_until(w->signal, NVSHMEM_CMP_EQ, round);
            /* From the end: a copy that is under way has not come there. */
            for (i = LONG, wrong = 0; self.rank == 0 && i > 0; i--)
                wrong += w->data[i - 1] != (uint8_t)((i - 1) / 64 + round);
            expect(w, wrong == 0);
        }
        scope_routines[w->group].barrier_all();
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
    for (i = 0; i <= BARRIERS; i++) w->bytes[i] = (uint8_t)i;
    nvshmem_barrier_all();
    pe_step("barriers, %s, blocks of %u", name, threads);
    scope_launch(kernel_barrier, 1, threads, w);
    PE_EQUAL(*w->errors, 0);
    *w->signal = 0;
    nvshmem_barrier_all();
    pe_step("long copies, %s, blocks of %u", name, threads);
    scope_launch(kernel_long, 1, threads, w);
    PE_EQUAL(*w->errors, 0);
}

int main(void)
{
    static uint64_t told[SCOPE_BLOCKS * LANES];
    static uint8_t source[LONG];
    struct work w;
    pe_start("scope_sync");
    w.words = pe_alloc(SCOPE_GROUPS_MAX * SCOPE_SYNC_ROWS * sizeof(uint64_t));
    w.bytes = pe_alloc(SCOPE_GROUPS_MAX * SCOPE_SYNC_ROWS * LANES);
    w.marks = pe_alloc(2 * LANES);
    w.errors = pe_alloc(64);
    w.data = pe_alloc(LONG);
    w.signal = pe_alloc(64);
    w.source = source;
    w.told = told;
    for (unsigned group = 0; group < SCOPE_GROUPS; group++) {
        w.group = (enum scope_group)group;
        all(&w, 1, 0);
        for (size_t i = 0; i < PE_COUNT(scope_blocks); i++) all(&w, SCOPE_BLOCKS, scope_blocks[i]);
    }
    return pe_finish();
}
