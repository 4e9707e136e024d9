/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The typed entry points: one forwarding statement each, for every row of the
 * type lists.  Compiled by host.c for the CPU and by device.cu for CUDA.
 */
#include <nvshmem.h>

#include "device/amo.h"
#include "device/api_collective.h"
#include "device/api_scope.h"
#include "device/api_team.h"
#include "device/order.h"
#include "device/rma.h"
#include "device/signal.h"
#include "device/sync.h"
#include "device/who.h"

#include "device/api_deprecated.h"
#include "device/api_wait_set.h"

NVSHMEM_BEGIN_DECLS

/* put and get, with and without signal: 25 types, 5 sizes, bytes. */

#define X(NAME, TYPE) \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_put(TYPE *dest, const TYPE *source, size_t nelems, \
                                              int pe) \
    { \
        ash_put("nvshmem_" #NAME "_put", dest, source, nelems, sizeof(TYPE), pe, true); \
    } \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_put_nbi(TYPE *dest, const TYPE *source, \
                                                  size_t nelems, int pe) \
    { \
        ash_put("nvshmem_" #NAME "_put_nbi", dest, source, nelems, sizeof(TYPE), pe, false); \
    } \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_get(TYPE *dest, const TYPE *source, size_t nelems, \
                                              int pe) \
    { \
        ash_get("nvshmem_" #NAME "_get", dest, source, nelems, sizeof(TYPE), pe, true); \
    } \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_get_nbi(TYPE *dest, const TYPE *source, \
                                                  size_t nelems, int pe) \
    { \
        ash_get("nvshmem_" #NAME "_get_nbi", dest, source, nelems, sizeof(TYPE), pe, false); \
    } \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_p(TYPE *dest, TYPE value, int pe) \
    { \
        ash_p("nvshmem_" #NAME "_p", dest, &value, sizeof(TYPE), pe); \
    } \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_g(const TYPE *source, int pe) \
    { \
        TYPE value; \
        ash_g("nvshmem_" #NAME "_g", &value, source, sizeof(TYPE), pe); \
        return value; \
    } \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_put_signal(TYPE *dest, const TYPE *source, \
                                                     size_t nelems, uint64_t *sig_addr, \
                                                     uint64_t signal, int sig_op, int pe) \
    { \
        ash_put_signal("nvshmem_" #NAME "_put_signal", dest, source, nelems, sizeof(TYPE), \
                       sig_addr, signal, sig_op, pe, true); \
    } \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_put_signal_nbi(TYPE *dest, const TYPE *source, \
                                                         size_t nelems, uint64_t *sig_addr, \
                                                         uint64_t signal, int sig_op, int pe) \
    { \
        ash_put_signal("nvshmem_" #NAME "_put_signal_nbi", dest, source, nelems, sizeof(TYPE), \
                       sig_addr, signal, sig_op, pe, false); \
    }
NVSHMEM_RMA_TYPES(X)
#undef X

#define ASH_DEFINE_UNTYPED(NAME, BYTES) \
    NVSHMEM_ROUTINE void nvshmem_put##NAME(void *dest, const void *source, size_t nelems, int pe) \
    { \
        ash_put("nvshmem_put" #NAME, dest, source, nelems, BYTES, pe, true); \
    } \
    NVSHMEM_ROUTINE void nvshmem_put##NAME##_nbi(void *dest, const void *source, size_t nelems, \
                                                 int pe) \
    { \
        ash_put("nvshmem_put" #NAME "_nbi", dest, source, nelems, BYTES, pe, false); \
    } \
    NVSHMEM_ROUTINE void nvshmem_get##NAME(void *dest, const void *source, size_t nelems, int pe) \
    { \
        ash_get("nvshmem_get" #NAME, dest, source, nelems, BYTES, pe, true); \
    } \
    NVSHMEM_ROUTINE void nvshmem_get##NAME##_nbi(void *dest, const void *source, size_t nelems, \
                                                 int pe) \
    { \
        ash_get("nvshmem_get" #NAME "_nbi", dest, source, nelems, BYTES, pe, false); \
    } \
    NVSHMEM_ROUTINE void nvshmem_put##NAME##_signal(void *dest, const void *source, \
                                                    size_t nelems, uint64_t *sig_addr, \
                                                    uint64_t signal, int sig_op, int pe) \
    { \
        ash_put_signal("nvshmem_put" #NAME "_signal", dest, source, nelems, BYTES, sig_addr, \
                       signal, sig_op, pe, true); \
    } \
    NVSHMEM_ROUTINE void nvshmem_put##NAME##_signal_nbi(void *dest, const void *source, \
                                                        size_t nelems, uint64_t *sig_addr, \
                                                        uint64_t signal, int sig_op, int pe) \
    { \
        ash_put_signal("nvshmem_put" #NAME "_signal_nbi", dest, source, nelems, BYTES, sig_addr, \
                       signal, sig_op, pe, false); \
    }
#define X(SIZE) ASH_DEFINE_UNTYPED(SIZE, SIZE / 8)
NVSHMEM_SIZES(X)
#undef X
ASH_DEFINE_UNTYPED(mem, 1)
#undef ASH_DEFINE_UNTYPED

/* Atomics that move a value: 14 types. */

#define X(NAME, TYPE) \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_atomic_fetch(const TYPE *source, int pe) \
    { \
        TYPE old; \
        ash_bits_store(&old, sizeof old, \
                       ash_amo("nvshmem_" #NAME "_atomic_fetch", ASH_OP_FETCH, (void *)source, \
                               sizeof old, 0, 0, pe)); \
        return old; \
    } \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_atomic_set(TYPE *dest, TYPE value, int pe) \
    { \
        ash_amo("nvshmem_" #NAME "_atomic_set", ASH_OP_SET, dest, sizeof value, \
                ash_bits_load(&value, sizeof value), 0, pe); \
    } \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_atomic_swap(TYPE *dest, TYPE value, int pe) \
    { \
        TYPE old; \
        ash_bits_store(&old, sizeof old, \
                       ash_amo("nvshmem_" #NAME "_atomic_swap", ASH_OP_SWAP, dest, sizeof value, \
                               ash_bits_load(&value, sizeof value), 0, pe)); \
        return old; \
    }
NVSHMEM_EXTENDED_AMO_TYPES(X)
#undef X

/* Atomics that compute: 12 types.  Integers convert to uint64_t and back. */

#define X(NAME, TYPE) \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_atomic_compare_swap(TYPE *dest, TYPE cond, \
                                                              TYPE value, int pe) \
    { \
        return (TYPE)ash_amo("nvshmem_" #NAME "_atomic_compare_swap", ASH_OP_COMPARE_SWAP, dest, \
                             sizeof value, (uint64_t)value, (uint64_t)cond, pe); \
    } \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_atomic_fetch_inc(TYPE *dest, int pe) \
    { \
        return (TYPE)ash_amo("nvshmem_" #NAME "_atomic_fetch_inc", ASH_OP_FETCH_ADD, dest, \
                             sizeof *dest, 1, 0, pe); \
    } \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_atomic_inc(TYPE *dest, int pe) \
    { \
        ash_amo("nvshmem_" #NAME "_atomic_inc", ASH_OP_ADD, dest, sizeof *dest, 1, 0, pe); \
    } \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_atomic_fetch_add(TYPE *dest, TYPE value, int pe) \
    { \
        return (TYPE)ash_amo("nvshmem_" #NAME "_atomic_fetch_add", ASH_OP_FETCH_ADD, dest, \
                             sizeof value, (uint64_t)value, 0, pe); \
    } \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_atomic_add(TYPE *dest, TYPE value, int pe) \
    { \
        ash_amo("nvshmem_" #NAME "_atomic_add", ASH_OP_ADD, dest, sizeof value, (uint64_t)value, \
                0, pe); \
    }
NVSHMEM_AMO_TYPES(X)
#undef X

/* Bitwise atomics: 7 types. */

#define ASH_DEFINE_BITWISE(NAME, TYPE, VERB, OP) \
    NVSHMEM_ROUTINE TYPE nvshmem_##NAME##_atomic_fetch_##VERB(TYPE *dest, TYPE value, int pe) \
    { \
        return (TYPE)ash_amo("nvshmem_" #NAME "_atomic_fetch_" #VERB, ASH_OP_FETCH_##OP, dest, \
                             sizeof value, (uint64_t)value, 0, pe); \
    } \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_atomic_##VERB(TYPE *dest, TYPE value, int pe) \
    { \
        ash_amo("nvshmem_" #NAME "_atomic_" #VERB, ASH_OP_##OP, dest, sizeof value, \
                (uint64_t)value, 0, pe); \
    }
#define X(NAME, TYPE) \
    ASH_DEFINE_BITWISE(NAME, TYPE, and, AND) \
    ASH_DEFINE_BITWISE(NAME, TYPE, or, OR) \
    ASH_DEFINE_BITWISE(NAME, TYPE, xor, XOR)
NVSHMEM_BITWISE_TYPES(X)
#undef X
#undef ASH_DEFINE_BITWISE

/* Waits and tests: 14 types. */

#define X(NAME, TYPE) \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_wait_until(TYPE *ivar, int cmp, TYPE cmp_value) \
    { \
        ash_wait("nvshmem_" #NAME "_wait_until", "ivar", ivar, ASH_KIND(TYPE), cmp, \
                 (uint64_t)cmp_value); \
    } \
    NVSHMEM_ROUTINE void nvshmem_##NAME##_wait(TYPE *ivar, TYPE cmp_value) \
    { \
        ash_wait("nvshmem_" #NAME "_wait", "ivar", ivar, ASH_KIND(TYPE), NVSHMEM_CMP_NE, \
                 (uint64_t)cmp_value); \
    } \
    NVSHMEM_ROUTINE int nvshmem_##NAME##_test(TYPE *ivar, int cmp, TYPE cmp_value) \
    { \
        return ash_test("nvshmem_" #NAME "_test", ivar, ASH_KIND(TYPE), cmp, \
                        (uint64_t)cmp_value); \
    }
NVSHMEM_SYNC_TYPES(X)
#undef X

/* Signals. */

NVSHMEM_ROUTINE void nvshmemx_signal_op(uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    ash_signal("nvshmemx_signal_op", sig_addr, signal, sig_op, pe);
}

NVSHMEM_ROUTINE uint64_t nvshmem_signal_fetch(const uint64_t *sig_addr)
{
    return ash_signal_fetch("nvshmem_signal_fetch", sig_addr);
}

NVSHMEM_ROUTINE uint64_t nvshmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_val)
{
    return ash_wait("nvshmem_signal_wait_until", "sig_addr", sig_addr, ASH_KIND(uint64_t), cmp,
                    cmp_val);
}

/* Order and barriers. */

NVSHMEM_ROUTINE void nvshmem_fence(void) { ash_fence_call("nvshmem_fence"); }
NVSHMEM_ROUTINE void nvshmem_quiet(void) { ash_quiet_call("nvshmem_quiet"); }
NVSHMEM_ROUTINE void nvshmem_barrier_all(void) { ash_barrier_all("nvshmem_barrier_all"); }
NVSHMEM_ROUTINE void nvshmem_sync_all(void) { ash_barrier("nvshmem_sync_all"); }

/* Who is who. */

NVSHMEM_ROUTINE int nvshmem_my_pe(void) { return ash_my_pe("nvshmem_my_pe"); }
NVSHMEM_ROUTINE int nvshmem_n_pes(void) { return ash_n_pes("nvshmem_n_pes"); }

NVSHMEM_ROUTINE int nvshmem_team_my_pe(nvshmem_team_t team)
{
    return ash_team_my_pe("nvshmem_team_my_pe", team);
}

NVSHMEM_ROUTINE int nvshmem_team_n_pes(nvshmem_team_t team)
{
    return ash_team_n_pes("nvshmem_team_n_pes", team);
}

NVSHMEM_ROUTINE void *nvshmem_ptr(const void *dest, int pe)
{
    return ash_ptr("nvshmem_ptr", dest, pe);
}

NVSHMEM_END_DECLS

/* The other families. */
#include "device/api_ishmem.h"
