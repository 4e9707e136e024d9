/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The generics of C11 that the tables leave out: of long double, which does not fit in their 8
 * bytes; signals; atomics under their old names; a sync of a team.
 */
#include <shmem.h>

#include "tests/support/pe.h"

static int to, from;

/* A generic with a context and without. */
#define BOTH(CTX, GENERIC, ...) \
    do { \
        if (CTX == SHMEM_CTX_DEFAULT) \
            GENERIC(__VA_ARGS__); \
        else \
            GENERIC(CTX, __VA_ARGS__); \
    } while (0)

static void long_doubles(shmem_ctx_t ctx, long double first)
{
    static long double there[6];
    static uint64_t signal;
    long double own = first + pe_me, got[3] = {0, 0, 0};
    long double wanted = first + from;
    pe_step("long double, from %.1f", (double)first);
    signal = 0;
    shmem_barrier_all();
    BOTH(ctx, shmem_p, &there[0], own, to);
    BOTH(ctx, shmem_put, &there[1], &own, 1, to);
    BOTH(ctx, shmem_put_nbi, &there[2], &own, 1, to);
    BOTH(ctx, shmem_put_signal, &there[3], &own, 1, &signal, 1, SHMEM_SIGNAL_ADD, to);
    BOTH(ctx, shmem_put_signal_nbi, &there[4], &own, 1, &signal, 1, SHMEM_SIGNAL_ADD, to);
    shmem_ctx_quiet(ctx);
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 2);
    shmem_barrier_all();
    for (int i = 0; i < 5; i++) PE_TRUE(there[i] == wanted);
    if (ctx == SHMEM_CTX_DEFAULT)
        got[0] = shmem_g(&there[0], to);
    else
        got[0] = shmem_g(ctx, &there[0], to);
    BOTH(ctx, shmem_get, &got[1], &there[1], 1, to);
    BOTH(ctx, shmem_get_nbi, &got[2], &there[2], 1, to);
    shmem_ctx_quiet(ctx);
    for (int i = 0; i < 3; i++) PE_TRUE(got[i] == own);
    shmem_barrier_all();
}

static void signals(shmem_ctx_t ctx)
{
    static uint64_t signal;
    pe_step("signals");
    signal = 0;
    shmem_barrier_all();
    BOTH(ctx, shmem_signal_set, &signal, 40, to);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    PE_EQUAL(signal, 40);
    shmem_barrier_all();
    BOTH(ctx, shmem_signal_add, &signal, 2, to);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    PE_EQUAL(signal, 42);
    shmem_barrier_all();
}

/* Each changes the next PE's variable and brings what was there. */
#define OLD_NAMES(TYPE) \
    do { \
        static TYPE variable = 0; \
        TYPE seen[6]; \
        shmem_barrier_all(); \
        shmem_set(&variable, (TYPE)5, to); \
        seen[0] = shmem_fetch(&variable, to); \
        seen[1] = shmem_swap(&variable, (TYPE)6, to); \
        seen[2] = shmem_fetch(&variable, to); \
        PE_TRUE(seen[0] == 5 && seen[1] == 5 && seen[2] == 6); \
        shmem_barrier_all(); \
    } while (0)
#define OLD_ARITHMETIC(TYPE) \
    do { \
        static TYPE variable = 0; \
        TYPE seen[3]; \
        shmem_barrier_all(); \
        shmem_add(&variable, (TYPE)5, to); \
        shmem_inc(&variable, to); \
        seen[0] = shmem_fadd(&variable, (TYPE)10, to); \
        seen[1] = shmem_finc(&variable, to); \
        seen[2] = shmem_cswap(&variable, (TYPE)17, (TYPE)3, to); \
        PE_TRUE(seen[0] == 6 && seen[1] == 16 && seen[2] == 17); \
        shmem_barrier_all(); \
        PE_EQUAL(variable, 3); \
        shmem_barrier_all(); \
    } while (0)

/* What all have put before it is there behind it. */
static void synced(void)
{
    static long turns;
    pe_step("sync");
    for (long i = 1; i <= 50; i++) {
        shmem_p(&turns, i, to);
        shmem_quiet();
        PE_EQUAL(shmem_sync(SHMEM_TEAM_WORLD), 0);
        PE_EQUAL(turns, i);
        PE_EQUAL(shmem_sync(SHMEM_TEAM_WORLD), 0);
    }
}

int main(void)
{
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    pe_watch("shmem_rest_generic");
    shmem_init();
    pe_started();
    to = (pe_me + 1) % pe_n;
    from = (pe_me + pe_n - 1) % pe_n;
    PE_EQUAL(shmem_ctx_create(0, &ctx), 0);
    long_doubles(SHMEM_CTX_DEFAULT, 0.5L);
    long_doubles(ctx, 1000.25L);
    signals(SHMEM_CTX_DEFAULT);
    signals(ctx);
    pe_step("old names");
    OLD_NAMES(int);
    OLD_NAMES(long);
    OLD_NAMES(long long);
    OLD_NAMES(float);
    OLD_NAMES(double);
    OLD_ARITHMETIC(int);
    OLD_ARITHMETIC(long);
    OLD_ARITHMETIC(long long);
    synced();
    shmem_ctx_destroy(ctx);
    pe_step("finish");
    shmem_finalize();
    return pe_verdict();
}
