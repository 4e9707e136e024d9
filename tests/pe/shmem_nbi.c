/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM's fetching atomics that may return before they are done, or Intel SHMEM's
 * (ishmem_nbi.c): amo.c with their names, and with a quiet after each.
 */
#if defined(NBI)
#elif defined(OF_CONTEXTS)
#include "tests/support/family_ctx.h"
#define PROGRAM FAMILY_PROGRAM("shmem_ctx_nbi")
#else
#include "tests/support/family_shmem.h"
#define PROGRAM FAMILY_PROGRAM("shmem_nbi")
#endif
#include "tests/support/family.h"

#if defined(NBI)
#elif defined(GENERIC) && defined(OF_CONTEXTS)
#define NBI(NAME, ROUTINE, ...) shmem_##ROUTINE##_nbi(family_ctx(), __VA_ARGS__)
#elif defined(GENERIC)
#define NBI(NAME, ROUTINE, ...) shmem_##ROUTINE##_nbi(__VA_ARGS__)
#elif defined(OF_CONTEXTS)
#define NBI(NAME, ROUTINE, ...) shmem_ctx_##NAME##_##ROUTINE##_nbi(family_ctx(), __VA_ARGS__)
#else
#define NBI(NAME, ROUTINE, ...) shmem_##NAME##_##ROUTINE##_nbi(__VA_ARGS__)
#endif

#if !defined(BLOCKING)
#define BLOCKING(NAME, ROUTINE) shmem_##NAME##_##ROUTINE
#endif

/* Functions with the parameters of the blocking forms. */
#define FETCHES(NAME, TYPE, ROUTINE, PARAMETERS, ...) \
    static TYPE nbi_##NAME##_##ROUTINE PARAMETERS \
    { \
        TYPE old; \
        NBI(NAME, ROUTINE, &old, __VA_ARGS__); \
        FAMILY_QUIET(); \
        return old; \
    }
#define UPDATES(NAME, TYPE, ROUTINE) \
    static void nbi_##NAME##_##ROUTINE(TYPE *dest, TYPE value, int pe) \
    { \
        BLOCKING(NAME, ROUTINE)(dest, value, pe); \
    }
#define OPERATES(NAME, TYPE, VERB) \
    FETCHES(NAME, TYPE, atomic_fetch_##VERB, (TYPE *dest, TYPE value, int pe), dest, value, pe) \
    UPDATES(NAME, TYPE, atomic_##VERB)

#define X(NAME, TYPE) \
    FETCHES(NAME, TYPE, atomic_fetch, (const TYPE *source, int pe), source, pe) \
    FETCHES(NAME, TYPE, atomic_swap, (TYPE *dest, TYPE value, int pe), dest, value, pe) \
    UPDATES(NAME, TYPE, atomic_set)
NVSHMEM_EXTENDED_AMO_TYPES(X)
#undef X
#define X(NAME, TYPE) \
    FETCHES(NAME, TYPE, atomic_compare_swap, (TYPE *dest, TYPE cond, TYPE value, int pe), dest, \
            cond, value, pe) \
    FETCHES(NAME, TYPE, atomic_fetch_inc, (TYPE *dest, int pe), dest, pe) \
    static void nbi_##NAME##_atomic_inc(TYPE *dest, int pe) \
    { \
        BLOCKING(NAME, atomic_inc)(dest, pe); \
    } \
    OPERATES(NAME, TYPE, add)
NVSHMEM_AMO_TYPES(X)
#undef X
#define X(NAME, TYPE) \
    OPERATES(NAME, TYPE, and) \
    OPERATES(NAME, TYPE, or) \
    OPERATES(NAME, TYPE, xor)
NVSHMEM_BITWISE_TYPES(X)
#undef X
#undef FAMILY_TYPED
#define FAMILY_TYPED(NAME, ROUTINE) nbi_##NAME##_##ROUTINE

#include "tests/support/amo_table.c"

#include "tests/pe/amo.c"
