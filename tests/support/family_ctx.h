/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM's names with a context for the tables (family.h).  A call has the context of
 * family_ctx() in front; where GENERIC is defined the name chooses by the type of an argument.
 */
#ifndef TESTS_SUPPORT_FAMILY_CTX_H
#define TESTS_SUPPORT_FAMILY_CTX_H

#include "tests/support/pe.h"

#include <shmem.h>

/* One that was made from the team of all PEs. */
static shmem_ctx_t family_ctx(void)
{
    static shmem_ctx_t ctx;
    if (ctx == SHMEM_CTX_INVALID) PE_EQUAL(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx), 0);
    return ctx;
}

#define WITH_CTX(...) (family_ctx(), __VA_ARGS__)
/* A barrier completes what was sent in the default context alone. */
#define FAMILY_QUIET() shmem_ctx_quiet(family_ctx())
#define FAMILY_BARRIER_ALL() (FAMILY_QUIET(), nvshmem_barrier_all())

#if defined(GENERIC)
#define FAMILY_TYPED(NAME, ROUTINE) generic_ctx_##ROUTINE
#define FAMILY_PROGRAM(NAME) NAME "_generic"
#define generic_ctx_put(...) shmem_put(family_ctx(), __VA_ARGS__)
#define generic_ctx_put_nbi(...) shmem_put_nbi(family_ctx(), __VA_ARGS__)
#define generic_ctx_get(...) shmem_get(family_ctx(), __VA_ARGS__)
#define generic_ctx_get_nbi(...) shmem_get_nbi(family_ctx(), __VA_ARGS__)
#define generic_ctx_p(...) shmem_p(family_ctx(), __VA_ARGS__)
#define generic_ctx_g(...) shmem_g(family_ctx(), __VA_ARGS__)
#define generic_ctx_iput(...) shmem_iput(family_ctx(), __VA_ARGS__)
#define generic_ctx_iget(...) shmem_iget(family_ctx(), __VA_ARGS__)
#define generic_ctx_ibput(...) shmem_ibput(family_ctx(), __VA_ARGS__)
#define generic_ctx_ibget(...) shmem_ibget(family_ctx(), __VA_ARGS__)
#define generic_ctx_put_signal(...) shmem_put_signal(family_ctx(), __VA_ARGS__)
#define generic_ctx_put_signal_nbi(...) shmem_put_signal_nbi(family_ctx(), __VA_ARGS__)
#define generic_ctx_atomic_fetch(...) shmem_atomic_fetch(family_ctx(), __VA_ARGS__)
#define generic_ctx_atomic_set(...) shmem_atomic_set(family_ctx(), __VA_ARGS__)
#define generic_ctx_atomic_swap(...) shmem_atomic_swap(family_ctx(), __VA_ARGS__)
#define generic_ctx_atomic_compare_swap(...) shmem_atomic_compare_swap(family_ctx(), __VA_ARGS__)
#define generic_ctx_atomic_fetch_inc(...) shmem_atomic_fetch_inc(family_ctx(), __VA_ARGS__)
#define generic_ctx_atomic_inc(...) shmem_atomic_inc(family_ctx(), __VA_ARGS__)
#define generic_ctx_atomic_fetch_add(...) shmem_atomic_fetch_add(family_ctx(), __VA_ARGS__)
#define generic_ctx_atomic_add(...) shmem_atomic_add(family_ctx(), __VA_ARGS__)
#define generic_ctx_atomic_fetch_and(...) shmem_atomic_fetch_and(family_ctx(), __VA_ARGS__)
#define generic_ctx_atomic_and(...) shmem_atomic_and(family_ctx(), __VA_ARGS__)
#define generic_ctx_atomic_fetch_or(...) shmem_atomic_fetch_or(family_ctx(), __VA_ARGS__)
#define generic_ctx_atomic_or(...) shmem_atomic_or(family_ctx(), __VA_ARGS__)
#define generic_ctx_atomic_fetch_xor(...) shmem_atomic_fetch_xor(family_ctx(), __VA_ARGS__)
#define generic_ctx_atomic_xor(...) shmem_atomic_xor(family_ctx(), __VA_ARGS__)
#else
#define FAMILY_TYPED(NAME, ROUTINE) shmem_ctx_##NAME##_##ROUTINE WITH_CTX
#define FAMILY_PROGRAM(NAME) NAME
#endif

/* Of the names without a type the tables also need the addresses. */
#define FAMILY(ROUTINE) family_##ROUTINE
#define COPY(ROUTINE) \
    static void family_##ROUTINE(void *dest, const void *source, size_t nelems, int pe) \
    { \
        shmem_ctx_##ROUTINE(family_ctx(), dest, source, nelems, pe); \
    }
#define COPY_SIGNAL(ROUTINE) \
    static void family_##ROUTINE(void *dest, const void *source, size_t nelems, \
                                 uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) \
    { \
        shmem_ctx_##ROUTINE(family_ctx(), dest, source, nelems, sig_addr, signal, sig_op, pe); \
    }
#define UNTYPED(SIZE) \
    COPY(put##SIZE) \
    COPY(put##SIZE##_nbi) \
    COPY(get##SIZE) \
    COPY(get##SIZE##_nbi) \
    COPY_SIGNAL(put##SIZE##_signal) \
    COPY_SIGNAL(put##SIZE##_signal_nbi)
#if defined(FAMILY_UNTYPED)
NVSHMEM_SIZES(UNTYPED)
UNTYPED(mem)
#endif
#undef UNTYPED
#undef COPY_SIGNAL
#undef COPY

#if defined(FAMILY_UNTYPED_STRIDED)
#define STRIDED(ROUTINE) \
    static void family_##ROUTINE(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, \
                                 size_t nelems, int pe) \
    { \
        shmem_ctx_##ROUTINE(family_ctx(), dest, source, dst, sst, nelems, pe); \
    }
#define BLOCKS(ROUTINE) \
    static void family_##ROUTINE(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, \
                                 size_t bsize, size_t nblocks, int pe) \
    { \
        shmem_ctx_##ROUTINE(family_ctx(), dest, source, dst, sst, bsize, nblocks, pe); \
    }
#define X(SIZE) STRIDED(iput##SIZE) STRIDED(iget##SIZE) BLOCKS(ibput##SIZE) BLOCKS(ibget##SIZE)
NVSHMEM_SIZES(X)
#undef X
#undef STRIDED
#undef BLOCKS
#endif

#define FAMILY_RMA_TYPES(X) NVSHMEM_C_RMA_TYPES(X)
#define FAMILY_SIGNAL_OP(sig_op) \
    ((sig_op) == NVSHMEM_SIGNAL_ADD ? SHMEM_SIGNAL_ADD : SHMEM_SIGNAL_SET)

#endif
