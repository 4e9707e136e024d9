/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts of OpenSHMEM: PEs by their numbers in a team, order and completion, how contexts are
 * made and end.  The tables have the routines of each type (shmem_ctx_rma, shmem_ctx_amo).
 */
#include <nvshmem.h>
#include <shmem.h>
#include <string.h>

#include "tests/support/pe.h"

#define MANY 1000

/* All PEs, the last one first. */
static shmem_team_t backwards;
/* Neighbours by number in the job, and in that team. */
static int to, from, to_in_team;
static long *numbers;
static uint64_t *word;

static void made(void)
{
    shmem_team_t team = (shmem_team_t)77;
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    pe_step("made");
    PE_EQUAL(shmem_ctx_create(SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE, &ctx), 0);
    PE_TRUE(ctx != SHMEM_CTX_DEFAULT && ctx != SHMEM_CTX_INVALID);
    PE_EQUAL(shmem_ctx_get_team(ctx, &team), 0);
    PE_TRUE(team == SHMEM_TEAM_WORLD);
    shmem_ctx_destroy(ctx);
    PE_EQUAL(shmem_team_create_ctx(backwards, SHMEM_CTX_SERIALIZED, &ctx), 0);
    PE_EQUAL(shmem_ctx_get_team(ctx, &team), 0);
    PE_TRUE(team == backwards);
    shmem_ctx_destroy(ctx);
    PE_EQUAL(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team), 0);
    PE_TRUE(team == SHMEM_TEAM_WORLD);
    PE_TRUE(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0);
    PE_TRUE(team == SHMEM_TEAM_INVALID);
    shmem_ctx_destroy(SHMEM_CTX_INVALID);
    shmem_ctx_fence(SHMEM_CTX_INVALID);
    shmem_ctx_quiet(SHMEM_CTX_INVALID);
    shmem_ctx_pe_quiet(SHMEM_CTX_INVALID, NULL, 0);
    shmem_ctx_session_start(SHMEM_CTX_INVALID, 0, NULL, 0);
    shmem_ctx_session_stop(SHMEM_CTX_INVALID);
}

static void refused(void)
{
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    pe_step("refused");
    PE_TRUE(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0);
    PE_TRUE(ctx == SHMEM_CTX_INVALID);
    PE_TRUE(shmem_ctx_create(1L << 20, &ctx) != 0);
    PE_TRUE(ctx == SHMEM_CTX_INVALID);
}

/* Each routine that names a PE, once: the PE is the one with that number in the team. */
static void names_pes_of_team(shmem_ctx_t ctx)
{
    long value = 100 + pe_me, old = 0;
    uint64_t signals = *word;
    pe_step("names PEs of its team");
    shmem_barrier_all();
    shmem_ctx_long_p(ctx, &numbers[0], value, to_in_team);
    shmem_ctx_long_put(ctx, &numbers[1], &value, 1, to_in_team);
    shmem_ctx_put64_nbi(ctx, &numbers[2], &value, 1, to_in_team);
    shmem_ctx_putmem_signal(ctx, &numbers[3], &value, sizeof(value), word, 1, SHMEM_SIGNAL_ADD,
                            to_in_team);
    shmem_ctx_long_put_signal_nbi(ctx, &numbers[4], &value, 1, word, 1, SHMEM_SIGNAL_ADD,
                                  to_in_team);
    shmem_ctx_long_atomic_set(ctx, &numbers[5], value, to_in_team);
    shmem_ctx_signal_add(ctx, word, 1, to_in_team);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    for (int i = 0; i < 6; i++) PE_EQUAL(numbers[i], 100 + from);
    PE_EQUAL(*word, signals + 3);
    shmem_barrier_all();
    shmem_ctx_signal_set(ctx, word, 7, to_in_team);
    shmem_ctx_pe_quiet(ctx, &to_in_team, 1);
    shmem_barrier_all();
    PE_EQUAL(*word, 7);
    PE_EQUAL(shmem_ctx_long_g(ctx, &numbers[0], to_in_team), 100 + pe_me);
    shmem_ctx_long_get(ctx, &old, &numbers[1], 1, to_in_team);
    PE_EQUAL(old, 100 + pe_me);
    PE_EQUAL(shmem_ctx_long_atomic_fetch(ctx, &numbers[5], to_in_team), 100 + pe_me);
    shmem_ctx_long_atomic_fetch_add_nbi(ctx, &old, &numbers[5], 1, to_in_team);
    shmem_ctx_quiet(ctx);
    PE_EQUAL(old, 100 + pe_me);
    shmem_barrier_all();
    PE_EQUAL(numbers[5], 101 + from);
}

/* The old value that each nonblocking atomic brings, and what it leaves. */
static void atomics_later(shmem_ctx_t ctx)
{
    unsigned old = 1;
    uint32_t *variable = (uint32_t *)numbers;
    pe_step("atomics that bring the old value later");
#define LATER(CALL, BEFORE, AFTER) \
    do { \
        shmem_ctx_uint_p(ctx, (unsigned *)variable, BEFORE, to_in_team); \
        shmem_ctx_quiet(ctx); \
        CALL; \
        shmem_ctx_quiet(ctx); \
        PE_EQUAL(old, BEFORE); \
        PE_EQUAL(shmem_ctx_uint_g(ctx, (unsigned *)variable, to_in_team), AFTER); \
    } while (0)
#define UINT(ROUTINE, ...) \
    shmem_ctx_uint_atomic_##ROUTINE##_nbi(ctx, &old, (unsigned *)variable, __VA_ARGS__)
    shmem_barrier_all();
    LATER(UINT(fetch, to_in_team), 3, 3);
    LATER(UINT(swap, 9, to_in_team), 4, 9);
    LATER(UINT(compare_swap, 5, 8, to_in_team), 5, 8);
    LATER(UINT(compare_swap, 6, 8, to_in_team), 5, 5);
    LATER(UINT(fetch_inc, to_in_team), 6, 7);
    LATER(UINT(fetch_add, 10, to_in_team), 7, 17);
    LATER(UINT(fetch_and, 6, to_in_team), 12, 4);
    LATER(UINT(fetch_or, 3, to_in_team), 12, 15);
    LATER(UINT(fetch_xor, 5, to_in_team), 12, 9);
#undef UINT
#undef LATER
    shmem_barrier_all();
}

static void long_doubles(shmem_ctx_t ctx)
{
    static const long double value = 1.0L / 3;
    long double *there = (long double *)numbers;
    pe_step("long double");
    shmem_barrier_all();
    shmem_ctx_longdouble_p(ctx, there, value + pe_me, to_in_team);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    PE_TRUE(*there == value + from);
    PE_TRUE(shmem_ctx_longdouble_g(ctx, there, to_in_team) == value + pe_me);
    shmem_barrier_all();
}

/* What is put before a fence is there when what is put after it is, also in the default context. */
static void ordered(shmem_ctx_t ctx)
{
    enum { ROUNDS = 200 };
    pe_step("fence");
    numbers[0] = 0;
    *word = 0;
    shmem_barrier_all();
    for (long round = 1; round <= ROUNDS; round++) {
        shmem_ctx_long_p(ctx, &numbers[0], round, to_in_team);
        shmem_ctx_fence(ctx);
        shmem_ctx_signal_set(ctx, word, (uint64_t)round, to_in_team);
        shmem_signal_wait_until(word, SHMEM_CMP_GE, (uint64_t)round);
        PE_TRUE(numbers[0] >= round);
    }
    shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    shmem_ctx_session_stop(ctx);
    shmem_ctx_fence(SHMEM_CTX_DEFAULT);
    shmem_ctx_quiet(SHMEM_CTX_DEFAULT);
    shmem_ctx_pe_quiet(SHMEM_CTX_DEFAULT, NULL, 0);
    shmem_barrier_all();
}

/* Many at once; a handle is not used again soon, and the next ones take the free places. */
static void many(void)
{
    static shmem_ctx_t ctx[MANY];
    shmem_ctx_t first;
    pe_step("%d contexts", MANY);
    shmem_barrier_all();
    for (int i = 0; i < MANY; i++) {
        PE_EQUAL(shmem_ctx_create(0, &ctx[i]), 0);
        shmem_ctx_long_atomic_add(ctx[i], &numbers[7], 1, to);
    }
    for (int i = 0; i < MANY; i += 37) shmem_ctx_quiet(ctx[i]);
    first = ctx[0];
    for (int i = 0; i < MANY; i++) shmem_ctx_destroy(ctx[i]);
    shmem_barrier_all();
    PE_EQUAL(numbers[7], MANY);
    for (int i = 0; i < 20 * MANY; i++) {
        PE_EQUAL(shmem_ctx_create(0, &ctx[0]), 0);
        PE_TRUE(ctx[0] != first);
        shmem_ctx_destroy(ctx[0]);
    }
}

/* No more than there are places; then one that is free again is used. */
static void too_many(void)
{
    static shmem_ctx_t ctx[5000];
    int n = 0;
    pe_step("too many");
    while (n < 5000 && shmem_ctx_create(0, &ctx[n]) == 0) n++;
    PE_TRUE(n >= MANY && n < 5000);
    PE_TRUE(ctx[n] == SHMEM_CTX_INVALID);
    shmem_ctx_destroy(ctx[n / 2]);
    PE_EQUAL(shmem_ctx_create(0, &ctx[n / 2]), 0);
    for (int i = 0; i < n; i++) shmem_ctx_destroy(ctx[i]);
}

int main(void)
{
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    pe_watch("shmem_ctx");
    shmem_init();
    pe_started();
    to = (pe_me + 1) % pe_n;
    from = (pe_me + pe_n - 1) % pe_n;
    to_in_team = pe_n - 1 - to;
    numbers = shmem_calloc(8, sizeof(long));
    word = shmem_calloc(1, sizeof(uint64_t));
    PE_NEED(numbers != NULL && word != NULL);
    PE_EQUAL(shmem_team_split_strided(SHMEM_TEAM_WORLD, pe_n - 1, -1, pe_n, NULL, 0, &backwards),
             0);
    made();
    refused();
    PE_EQUAL(shmem_team_create_ctx(backwards, 0, &ctx), 0);
    names_pes_of_team(ctx);
    atomics_later(ctx);
    long_doubles(ctx);
    ordered(ctx);
    many();
    too_many();
    shmem_free(word);
    shmem_free(numbers);
    shmem_team_destroy(backwards);
    pe_step("finish");
    shmem_barrier_all();
    shmem_finalize();
    return pe_verdict();
}
