/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forms of the typed entry points, for every family of names: a family's header
 * (nvshmem.h, shmem.h, ishmem.h, deprecated.h) applies a form to each of its names and types.
 *
 * Each entry point is one forwarding statement, which passes on the name of the routine
 * for messages; many arguments are put into a struct first.
 */
#ifndef ASH_DEVICE_API_ENTRY_H
#define ASH_DEVICE_API_ENTRY_H

#include "device/routine/amo.h"
#include "device/routine/element.h"
#include "device/routine/rma.h"
#include "device/routine/signal.h"
#include "device/routine/strided.h"
#include "device/routine/wait.h"

/*
 * put and get, in elements of BYTES.  VERB is put or get.  A form that ends in _AND takes what
 * follows pe in its names' parameters, and does not use it: a queue pair (qp.h), or nothing.
 */

#define ASH_ENTRY_COPY_AND(FUNCTION, TYPE, BYTES, VERB, BLOCKING, ...) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, const TYPE *source, size_t nelems, \
                                  int pe __VA_ARGS__) \
    { \
        ash_##VERB(#FUNCTION, dest, source, nelems, BYTES, pe, BLOCKING); \
    }
#define ASH_ENTRY_COPY(FUNCTION, TYPE, BYTES, VERB, BLOCKING) \
    ASH_ENTRY_COPY_AND(FUNCTION, TYPE, BYTES, VERB, BLOCKING, )

/* iput and iget.  VERB is iput or iget. */
#define ASH_ENTRY_STRIDED(FUNCTION, TYPE, BYTES, VERB, SCOPE) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, \
                                  size_t nelems, int pe) \
    { \
        struct ash_strided copy = {dest, source, dst, sst, nelems, BYTES, pe}; \
        ash_##VERB(SCOPE, #FUNCTION, copy); \
    }

/* OP_OF(function, sig_op) is NVSHMEM's number for the family's sig_op; if there is none, it does
 * not return. */
#define ASH_ENTRY_PUT_SIGNAL_AND(FUNCTION, TYPE, BYTES, OP_OF, BLOCKING, ...) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, const TYPE *source, size_t nelems, \
                                  uint64_t *sig_addr, uint64_t signal, int sig_op, \
                                  int pe __VA_ARGS__) \
    { \
        struct ash_put_signal put = {{dest, source, nelems, BYTES, pe, BLOCKING}, \
                                     {sig_addr, signal, OP_OF(#FUNCTION, sig_op)}}; \
        ash_put_signal_elements(#FUNCTION, &put); \
    }
#define ASH_ENTRY_PUT_SIGNAL(FUNCTION, TYPE, BYTES, OP_OF, BLOCKING) \
    ASH_ENTRY_PUT_SIGNAL_AND(FUNCTION, TYPE, BYTES, OP_OF, BLOCKING, )

#define ASH_ENTRY_P_AND(FUNCTION, TYPE, ...) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, TYPE value, int pe __VA_ARGS__) \
    { \
        ash_p(#FUNCTION, dest, &value, sizeof value, pe); \
    }
#define ASH_ENTRY_P(FUNCTION, TYPE) ASH_ENTRY_P_AND(FUNCTION, TYPE, )

#define ASH_ENTRY_G_AND(FUNCTION, TYPE, ...) \
    NVSHMEM_ROUTINE TYPE FUNCTION(const TYPE *source, int pe __VA_ARGS__) \
    { \
        TYPE value; \
        ash_g(#FUNCTION, &value, source, sizeof value, pe); \
        return value; \
    }
#define ASH_ENTRY_G(FUNCTION, TYPE) ASH_ENTRY_G_AND(FUNCTION, TYPE, )

/* put and get, with and without signal, by a warp or a block.  The size is checked here, because
 * one function does the work for all types. */

#define ASH_ENTRY_GROUP_COPY(WORK, FUNCTION, TYPE, BYTES, SCOPE, BLOCKING, ...) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, const TYPE *source, size_t nelems, \
                                  int pe __VA_ARGS__) \
    { \
        WORK(SCOPE, #FUNCTION, dest, source, ash_check_size(#FUNCTION, nelems, BYTES), pe, \
             BLOCKING); \
    }
#define ASH_ENTRY_GROUP_SIGNAL(FUNCTION, TYPE, BYTES, SCOPE, BLOCKING, ...) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, const TYPE *source, size_t nelems, \
                                  uint64_t *sig_addr, uint64_t signal, int sig_op, \
                                  int pe __VA_ARGS__) \
    { \
        struct ash_put_signal put = { \
            {dest, source, ash_check_size(#FUNCTION, nelems, BYTES), 1, pe, BLOCKING}, \
            {sig_addr, signal, sig_op}}; \
        ash_put_signal_group(SCOPE, #FUNCTION, put); \
    }
#define ASH_ENTRIES_GROUP_AND(PUT, GET, TYPE, BYTES, GROUP, SCOPE, ...) \
    ASH_ENTRY_GROUP_COPY(ash_put_group, PUT##_##GROUP, TYPE, BYTES, SCOPE, true, __VA_ARGS__) \
    ASH_ENTRY_GROUP_COPY(ash_put_group, PUT##_nbi_##GROUP, TYPE, BYTES, SCOPE, false, \
                         __VA_ARGS__) \
    ASH_ENTRY_GROUP_COPY(ash_get_group, GET##_##GROUP, TYPE, BYTES, SCOPE, true, __VA_ARGS__) \
    ASH_ENTRY_GROUP_COPY(ash_get_group, GET##_nbi_##GROUP, TYPE, BYTES, SCOPE, false, \
                         __VA_ARGS__) \
    ASH_ENTRY_GROUP_SIGNAL(PUT##_signal_##GROUP, TYPE, BYTES, SCOPE, true, __VA_ARGS__) \
    ASH_ENTRY_GROUP_SIGNAL(PUT##_signal_nbi_##GROUP, TYPE, BYTES, SCOPE, false, __VA_ARGS__)
#define ASH_ENTRIES_GROUPS_AND(PUT, GET, TYPE, BYTES, ...) \
    ASH_ENTRIES_GROUP_AND(PUT, GET, TYPE, BYTES, warp, ASH_SCOPE_WARP, __VA_ARGS__) \
    ASH_ENTRIES_GROUP_AND(PUT, GET, TYPE, BYTES, block, ASH_SCOPE_BLOCK, __VA_ARGS__)

/* Atomics that move a value, or add numbers: its bits are sent, whatever the type. */

#define ASH_ENTRY_FETCH(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE TYPE FUNCTION(const TYPE *source, int pe) \
    { \
        TYPE old; \
        ash_bits_store(&old, sizeof old, \
                       ash_amo(#FUNCTION, ASH_OP_FETCH, (void *)source, sizeof old, 0, 0, pe)); \
        return old; \
    }

/* OP is SET or SUM. */
#define ASH_ENTRY_STORING(FUNCTION, TYPE, OP) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, TYPE value, int pe) \
    { \
        ash_amo(#FUNCTION, ASH_OP_##OP, dest, sizeof value, ash_bits_load(&value, sizeof value), \
                0, pe); \
    }

/* OP is SWAP or FETCH_SUM. */
#define ASH_ENTRY_SWAPPING(FUNCTION, TYPE, OP) \
    NVSHMEM_ROUTINE TYPE FUNCTION(TYPE *dest, TYPE value, int pe) \
    { \
        TYPE old; \
        ash_bits_store(&old, sizeof old, \
                       ash_amo(#FUNCTION, ASH_OP_##OP, dest, sizeof value, \
                               ash_bits_load(&value, sizeof value), 0, pe)); \
        return old; \
    }

/* Atomics that compute.  Integers convert to uint64_t and back. */

#define ASH_ENTRY_COMPARE_SWAP(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE TYPE FUNCTION(TYPE *dest, TYPE cond, TYPE value, int pe) \
    { \
        return (TYPE)ash_amo(#FUNCTION, ASH_OP_COMPARE_SWAP, dest, sizeof value, \
                             (uint64_t)value, (uint64_t)cond, pe); \
    }

#define ASH_ENTRY_FETCH_INC(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE TYPE FUNCTION(TYPE *dest, int pe) \
    { \
        return (TYPE)ash_amo(#FUNCTION, ASH_OP_FETCH_ADD, dest, sizeof *dest, 1, 0, pe); \
    }

#define ASH_ENTRY_INC(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, int pe) \
    { \
        ash_amo(#FUNCTION, ASH_OP_ADD, dest, sizeof *dest, 1, 0, pe); \
    }

/* One operand; OP is FETCH_ADD, FETCH_AND, FETCH_OR or FETCH_XOR. */
#define ASH_ENTRY_FETCHING(FUNCTION, TYPE, OP) \
    NVSHMEM_ROUTINE TYPE FUNCTION(TYPE *dest, TYPE value, int pe) \
    { \
        return (TYPE)ash_amo(#FUNCTION, ASH_OP_##OP, dest, sizeof value, (uint64_t)value, 0, pe); \
    }

/* The same without the old value; OP is ADD, AND, OR or XOR. */
#define ASH_ENTRY_UPDATING(FUNCTION, TYPE, OP) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, TYPE value, int pe) \
    { \
        ash_amo(#FUNCTION, ASH_OP_##OP, dest, sizeof value, (uint64_t)value, 0, pe); \
    }

/* Signals of a type's own width. */
#define ASH_ENTRY_SIGNAL(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, const TYPE value, int pe) \
    { \
        ash_signal_variable(#FUNCTION, "dest", ASH_OP_SIGNAL_SET, dest, sizeof value, \
                            (uint64_t)value, pe); \
    }

/* Wait and test.  CMP_OF(function, cmp) is NVSHMEM's number for the family's cmp. */

#define ASH_ENTRY_WAIT_UNTIL(FUNCTION, TYPE, CMP_OF) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *ivar, int cmp, TYPE cmp_value) \
    { \
        ash_wait(#FUNCTION, "ivar", ivar, ASH_KIND(TYPE), CMP_OF(#FUNCTION, cmp), \
                 (uint64_t)cmp_value); \
    }

#define ASH_ENTRY_WAIT(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *ivar, TYPE cmp_value) \
    { \
        ash_wait(#FUNCTION, "ivar", ivar, ASH_KIND(TYPE), NVSHMEM_CMP_NE, (uint64_t)cmp_value); \
    }

#define ASH_ENTRY_TEST(FUNCTION, TYPE, CMP_OF) \
    NVSHMEM_ROUTINE int FUNCTION(TYPE *ivar, int cmp, TYPE cmp_value) \
    { \
        return ash_test(#FUNCTION, ivar, ASH_KIND(TYPE), CMP_OF(#FUNCTION, cmp), \
                        (uint64_t)cmp_value); \
    }

/*
 * The entry points that every family has, for one row of a list of types.  PREFIX is the
 * family's; SIG_OP_OF and CMP_OF are the OP_OF and CMP_OF above.
 */

#define ASH_ENTRIES_COPY(FUNCTION, TYPE, BYTES, VERB) \
    ASH_ENTRY_COPY(FUNCTION, TYPE, BYTES, VERB, true) \
    ASH_ENTRY_COPY(FUNCTION##_nbi, TYPE, BYTES, VERB, false)

#define ASH_ENTRIES_PUT_SIGNAL(FUNCTION, TYPE, BYTES, SIG_OP_OF) \
    ASH_ENTRY_PUT_SIGNAL(FUNCTION, TYPE, BYTES, SIG_OP_OF, true) \
    ASH_ENTRY_PUT_SIGNAL(FUNCTION##_nbi, TYPE, BYTES, SIG_OP_OF, false)

#define ASH_ENTRIES_RMA(PREFIX, NAME, TYPE, SIG_OP_OF) \
    ASH_ENTRIES_COPY(PREFIX##_##NAME##_put, TYPE, sizeof(TYPE), put) \
    ASH_ENTRIES_COPY(PREFIX##_##NAME##_get, TYPE, sizeof(TYPE), get) \
    ASH_ENTRIES_PUT_SIGNAL(PREFIX##_##NAME##_put_signal, TYPE, sizeof(TYPE), SIG_OP_OF)

/* NAME is a size, or "mem" for bytes. */
#define ASH_ENTRIES_UNTYPED(PREFIX, NAME, BYTES, SIG_OP_OF) \
    ASH_ENTRIES_COPY(PREFIX##_put##NAME, void, BYTES, put) \
    ASH_ENTRIES_COPY(PREFIX##_get##NAME, void, BYTES, get) \
    ASH_ENTRIES_PUT_SIGNAL(PREFIX##_put##NAME##_signal, void, BYTES, SIG_OP_OF)

#define ASH_ENTRIES_ELEMENT(PREFIX, NAME, TYPE) \
    ASH_ENTRY_P(PREFIX##_##NAME##_p, TYPE) \
    ASH_ENTRY_G(PREFIX##_##NAME##_g, TYPE)

#define ASH_ENTRIES_EXTENDED_AMO(PREFIX, NAME, TYPE) \
    ASH_ENTRY_FETCH(PREFIX##_##NAME##_atomic_fetch, TYPE) \
    ASH_ENTRY_STORING(PREFIX##_##NAME##_atomic_set, TYPE, SET) \
    ASH_ENTRY_SWAPPING(PREFIX##_##NAME##_atomic_swap, TYPE, SWAP)

#define ASH_ENTRIES_AMO(PREFIX, NAME, TYPE) \
    ASH_ENTRY_COMPARE_SWAP(PREFIX##_##NAME##_atomic_compare_swap, TYPE) \
    ASH_ENTRY_FETCH_INC(PREFIX##_##NAME##_atomic_fetch_inc, TYPE) \
    ASH_ENTRY_INC(PREFIX##_##NAME##_atomic_inc, TYPE) \
    ASH_ENTRY_FETCHING(PREFIX##_##NAME##_atomic_fetch_add, TYPE, FETCH_ADD) \
    ASH_ENTRY_UPDATING(PREFIX##_##NAME##_atomic_add, TYPE, ADD)

#define ASH_ENTRIES_BITWISE(PREFIX, NAME, TYPE) \
    ASH_ENTRY_FETCHING(PREFIX##_##NAME##_atomic_fetch_and, TYPE, FETCH_AND) \
    ASH_ENTRY_UPDATING(PREFIX##_##NAME##_atomic_and, TYPE, AND) \
    ASH_ENTRY_FETCHING(PREFIX##_##NAME##_atomic_fetch_or, TYPE, FETCH_OR) \
    ASH_ENTRY_UPDATING(PREFIX##_##NAME##_atomic_or, TYPE, OR) \
    ASH_ENTRY_FETCHING(PREFIX##_##NAME##_atomic_fetch_xor, TYPE, FETCH_XOR) \
    ASH_ENTRY_UPDATING(PREFIX##_##NAME##_atomic_xor, TYPE, XOR)

#define ASH_ENTRIES_WAIT(PREFIX, NAME, TYPE, CMP_OF) \
    ASH_ENTRY_WAIT_UNTIL(PREFIX##_##NAME##_wait_until, TYPE, CMP_OF) \
    ASH_ENTRY_TEST(PREFIX##_##NAME##_test, TYPE, CMP_OF)

/* For SIG_OP_OF and CMP_OF of a family whose constants have NVSHMEM's values. */
#define ASH_SAME(function, number) (number)

#endif
