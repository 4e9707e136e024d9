// SPDX-License-Identifier: BSD-3-Clause
// The same names with a context in front, which chooses other overloads: shmem_cxx.cc calls these.
#include <shmem.h>

static shmem_ctx_t ctx_of_all()
{
    static shmem_ctx_t ctx;
    if (ctx == SHMEM_CTX_INVALID && shmem_ctx_create(0, &ctx) != 0) return SHMEM_CTX_DEFAULT;
    return ctx;
}

// A barrier completes what was sent in the default context alone.
#define shmem_quiet() shmem_ctx_quiet(ctx_of_all())
#define shmem_barrier_all() (shmem_quiet(), shmem_barrier_all())
#define shmem_put(...) shmem_put(ctx_of_all(), __VA_ARGS__)
#define shmem_put_nbi(...) shmem_put_nbi(ctx_of_all(), __VA_ARGS__)
#define shmem_get(...) shmem_get(ctx_of_all(), __VA_ARGS__)
#define shmem_get_nbi(...) shmem_get_nbi(ctx_of_all(), __VA_ARGS__)
#define shmem_p(...) shmem_p(ctx_of_all(), __VA_ARGS__)
#define shmem_g(...) shmem_g(ctx_of_all(), __VA_ARGS__)
#define shmem_put_signal(...) shmem_put_signal(ctx_of_all(), __VA_ARGS__)
#define shmem_put_signal_nbi(...) shmem_put_signal_nbi(ctx_of_all(), __VA_ARGS__)
#define shmem_signal_set(...) shmem_signal_set(ctx_of_all(), __VA_ARGS__)
#define shmem_signal_add(...) shmem_signal_add(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_fetch(...) shmem_atomic_fetch(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_set(...) shmem_atomic_set(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_swap(...) shmem_atomic_swap(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_fetch_nbi(...) shmem_atomic_fetch_nbi(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_swap_nbi(...) shmem_atomic_swap_nbi(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_compare_swap(...) shmem_atomic_compare_swap(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_fetch_inc(...) shmem_atomic_fetch_inc(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_inc(...) shmem_atomic_inc(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_fetch_add(...) shmem_atomic_fetch_add(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_add(...) shmem_atomic_add(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...) shmem_atomic_compare_swap_nbi(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...) shmem_atomic_fetch_inc_nbi(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...) shmem_atomic_fetch_add_nbi(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_fetch_and(...) shmem_atomic_fetch_and(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_and(...) shmem_atomic_and(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_fetch_or(...) shmem_atomic_fetch_or(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_or(...) shmem_atomic_or(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_fetch_xor(...) shmem_atomic_fetch_xor(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_xor(...) shmem_atomic_xor(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...) shmem_atomic_fetch_and_nbi(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...) shmem_atomic_fetch_or_nbi(ctx_of_all(), __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...) shmem_atomic_fetch_xor_nbi(ctx_of_all(), __VA_ARGS__)

#define PROGRAM "shmem_ctx_cxx"

#include "tests/pe/shmem_cxx.cc"
