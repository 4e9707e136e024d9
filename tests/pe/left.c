/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small request that its caller leaves in the channel for what comes next arrives, too, if
 * nothing comes next: the caller calls nothing of the library until it was answered.
 */
#include "tests/support/pe.h"

#define ROUNDS 20u
/* Changes in a row, so often that the library expects more of them. */
#define ROWS 300u
#define ROW 40u

static uint64_t *word, *sum, *row;

/* Rows of changes, and a quiet behind each. */
static void send_rows(int to)
{
    for (unsigned i = 0; i < ROWS; i++) {
        unsigned n = 1 + i % ROW;
        for (unsigned k = 0; k < n; k++) {
            nvshmem_uint64_p(&row[k], i * ROW + k, to);
            nvshmem_uint64_atomic_add(sum, 1, to);
        }
        nvshmem_quiet();
    }
}

static void check_rows(uint64_t rounds)
{
    uint64_t all = 0, last[ROW] = {0};
    for (unsigned i = 0; i < ROWS; i++) {
        for (unsigned k = 0; k < 1 + i % ROW; k++) last[k] = i * ROW + k;
        all += 1 + i % ROW;
    }
    PE_EQUAL(*sum, rounds * all);
    for (unsigned k = 0; k < ROW; k++) PE_EQUAL(row[k], last[k]);
}

/* PE 0 sends one request and looks at its own memory, without the library. */
static void answer_comes(uint64_t round, bool atomic)
{
    if (pe_me == 0) {
        if (atomic)
            nvshmem_uint64_atomic_set(word, round, 1);
        else
            nvshmem_uint64_p(word, round, 1);
        while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != round) pe_yield_cpu();
    } else {
        nvshmem_uint64_wait_until(word, NVSHMEM_CMP_EQ, round);
        nvshmem_uint64_p(word, round, 0);
        nvshmem_quiet();
    }
    PE_EQUAL(*word, round);
}

int main(void)
{
    pe_start("left");
    word = pe_alloc(sizeof(*word));
    sum = pe_alloc(sizeof(*sum));
    row = pe_alloc(ROW * sizeof(*row));
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        pe_step("round %llu: rows", (unsigned long long)round);
        if (pe_me == 0) send_rows(1);
        nvshmem_barrier_all();
        if (pe_me == 1) check_rows(round);
        pe_step("round %llu: one request", (unsigned long long)round);
        answer_comes(round, round % 2);
        nvshmem_barrier_all();
    }
    nvshmem_free(row);
    nvshmem_free(sum);
    nvshmem_free(word);
    return pe_finish();
}
