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
 * FORM is what an operation's names have beside the usual parameters: PLAIN nothing, QP a queue
 * pair behind pe (qp.h), CONTEXT a context in front (shmem_ctx.h).  ASH_FIRST_ and ASH_LAST_
 * are these parameters, ASH_PE_ is the PE's number in the job.
 */
#define ASH_FIRST_PLAIN
#define ASH_LAST_PLAIN
#define ASH_PE_PLAIN(function) pe

/* put and get, in elements of BYTES.  VERB is put or get. */

#define ASH_ENTRY_COPY(FORM, FUNCTION, TYPE, BYTES, VERB, BLOCKING) \
    NVSHMEM_ROUTINE void FUNCTION(ASH_FIRST_##FORM TYPE *dest, const TYPE *source, size_t nelems, \
                                  int pe ASH_LAST_##FORM) \
    { \
        ash_##VERB(#FUNCTION, dest, source, nelems, BYTES, ASH_PE_##FORM(#FUNCTION), BLOCKING); \
    }

/* iput and iget.  VERB is iput or iget. */
#define ASH_ENTRY_STRIDED(FORM, FUNCTION, TYPE, BYTES, VERB, SCOPE) \
    NVSHMEM_ROUTINE void FUNCTION(ASH_FIRST_##FORM TYPE *dest, const TYPE *source, ptrdiff_t dst, \
                                  ptrdiff_t sst, size_t nelems, int pe ASH_LAST_##FORM) \
    { \
        struct ash_strided copy = { \
            dest, source, dst, sst, nelems, BYTES, ASH_PE_##FORM(#FUNCTION)}; \
        ash_##VERB(SCOPE, #FUNCTION, copy); \
    }

/* OP_OF(function, sig_op) is NVSHMEM's number for the family's sig_op; if there is none, it does
 * not return. */
#define ASH_ENTRY_PUT_SIGNAL(FORM, FUNCTION, TYPE, BYTES, OP_OF, BLOCKING) \
    NVSHMEM_ROUTINE void FUNCTION(ASH_FIRST_##FORM TYPE *dest, const TYPE *source, size_t nelems, \
                                  uint64_t *sig_addr, uint64_t signal, int sig_op, \
                                  int pe ASH_LAST_##FORM) \
    { \
        struct ash_put_signal put = {{dest, source, nelems, BYTES, ASH_PE_##FORM(#FUNCTION), \
                                      BLOCKING}, \
                                     {sig_addr, signal, OP_OF(#FUNCTION, sig_op)}}; \
        ash_put_signal_elements(#FUNCTION, &put); \
    }

#define ASH_ENTRY_P(FORM, FUNCTION, TYPE) \
    NVSHMEM_ROUTINE void FUNCTION(ASH_FIRST_##FORM TYPE *dest, TYPE value, int pe ASH_LAST_##FORM) \
    { \
        ash_p(#FUNCTION, dest, &value, sizeof value, ASH_PE_##FORM(#FUNCTION)); \
    }

#define ASH_ENTRY_G(FORM, FUNCTION, TYPE) \
    NVSHMEM_ROUTINE TYPE FUNCTION(ASH_FIRST_##FORM const TYPE *source, int pe ASH_LAST_##FORM) \
    { \
        TYPE value; \
        ash_g(#FUNCTION, &value, source, sizeof value, ASH_PE_##FORM(#FUNCTION)); \
        return value; \
    }

/* put and get, with and without signal, by a warp or a block.  The size is checked here, because
 * one function does the work for all types. */

#define ASH_ENTRY_GROUP_COPY(FORM, WORK, FUNCTION, TYPE, BYTES, SCOPE, BLOCKING) \
    NVSHMEM_ROUTINE void FUNCTION(ASH_FIRST_##FORM TYPE *dest, const TYPE *source, size_t nelems, \
                                  int pe ASH_LAST_##FORM) \
    { \
        WORK(SCOPE, #FUNCTION, dest, source, ash_check_size(#FUNCTION, nelems, BYTES), \
             ASH_PE_##FORM(#FUNCTION), BLOCKING); \
    }
#define ASH_ENTRY_GROUP_SIGNAL(FORM, FUNCTION, TYPE, BYTES, SCOPE, BLOCKING) \
    NVSHMEM_ROUTINE void FUNCTION(ASH_FIRST_##FORM TYPE *dest, const TYPE *source, size_t nelems, \
                                  uint64_t *sig_addr, uint64_t signal, int sig_op, \
                                  int pe ASH_LAST_##FORM) \
    { \
        struct ash_put_signal put = {{dest, source, ash_check_size(#FUNCTION, nelems, BYTES), 1, \
                                      ASH_PE_##FORM(#FUNCTION), BLOCKING}, \
                                     {sig_addr, signal, sig_op}}; \
        ash_put_signal_group(SCOPE, #FUNCTION, put); \
    }
#define ASH_ENTRIES_GROUP(FORM, PUT, GET, TYPE, BYTES, GROUP, SCOPE) \
    ASH_ENTRY_GROUP_COPY(FORM, ash_put_group, PUT##_##GROUP, TYPE, BYTES, SCOPE, true) \
    ASH_ENTRY_GROUP_COPY(FORM, ash_put_group, PUT##_nbi_##GROUP, TYPE, BYTES, SCOPE, false) \
    ASH_ENTRY_GROUP_COPY(FORM, ash_get_group, GET##_##GROUP, TYPE, BYTES, SCOPE, true) \
    ASH_ENTRY_GROUP_COPY(FORM, ash_get_group, GET##_nbi_##GROUP, TYPE, BYTES, SCOPE, false) \
    ASH_ENTRY_GROUP_SIGNAL(FORM, PUT##_signal_##GROUP, TYPE, BYTES, SCOPE, true) \
    ASH_ENTRY_GROUP_SIGNAL(FORM, PUT##_signal_nbi_##GROUP, TYPE, BYTES, SCOPE, false)
#define ASH_ENTRIES_GROUPS(FORM, PUT, GET, TYPE, BYTES) \
    ASH_ENTRIES_GROUP(FORM, PUT, GET, TYPE, BYTES, warp, ASH_SCOPE_WARP) \
    ASH_ENTRIES_GROUP(FORM, PUT, GET, TYPE, BYTES, block, ASH_SCOPE_BLOCK)

/* Atomics that move a value, or add numbers: its bits are sent, whatever the type. */

#define ASH_ENTRY_FETCH(FORM, FUNCTION, TYPE) \
    NVSHMEM_ROUTINE TYPE FUNCTION(ASH_FIRST_##FORM const TYPE *source, int pe ASH_LAST_##FORM) \
    { \
        TYPE old; \
        ash_bits_store(&old, sizeof old, \
                       ash_amo(#FUNCTION, ASH_OP_FETCH, (void *)source, sizeof old, 0, 0, \
                               ASH_PE_##FORM(#FUNCTION))); \
        return old; \
    }

/* OP is SET or SUM. */
#define ASH_ENTRY_STORING(FORM, FUNCTION, TYPE, OP) \
    NVSHMEM_ROUTINE void FUNCTION(ASH_FIRST_##FORM TYPE *dest, TYPE value, int pe ASH_LAST_##FORM) \
    { \
        ash_amo(#FUNCTION, ASH_OP_##OP, dest, sizeof value, ash_bits_load(&value, sizeof value), \
                0, ASH_PE_##FORM(#FUNCTION)); \
    }

/* OP is SWAP or FETCH_SUM. */
#define ASH_ENTRY_SWAPPING(FORM, FUNCTION, TYPE, OP) \
    NVSHMEM_ROUTINE TYPE FUNCTION(ASH_FIRST_##FORM TYPE *dest, TYPE value, int pe ASH_LAST_##FORM) \
    { \
        TYPE old; \
        ash_bits_store(&old, sizeof old, \
                       ash_amo(#FUNCTION, ASH_OP_##OP, dest, sizeof value, \
                               ash_bits_load(&value, sizeof value), 0, ASH_PE_##FORM(#FUNCTION))); \
        return old; \
    }

/* Atomics that compute.  Integers convert to uint64_t and back. */

#define ASH_ENTRY_COMPARE_SWAP(FORM, FUNCTION, TYPE) \
    NVSHMEM_ROUTINE TYPE FUNCTION(ASH_FIRST_##FORM TYPE *dest, TYPE cond, TYPE value, \
                                  int pe ASH_LAST_##FORM) \
    { \
        return (TYPE)ash_amo(#FUNCTION, ASH_OP_COMPARE_SWAP, dest, sizeof value, (uint64_t)value, \
                             (uint64_t)cond, ASH_PE_##FORM(#FUNCTION)); \
    }

#define ASH_ENTRY_FETCH_INC(FORM, FUNCTION, TYPE) \
    NVSHMEM_ROUTINE TYPE FUNCTION(ASH_FIRST_##FORM TYPE *dest, int pe ASH_LAST_##FORM) \
    { \
        return (TYPE)ash_amo(#FUNCTION, ASH_OP_FETCH_ADD, dest, sizeof *dest, 1, 0, \
                             ASH_PE_##FORM(#FUNCTION)); \
    }

#define ASH_ENTRY_INC(FORM, FUNCTION, TYPE) \
    NVSHMEM_ROUTINE void FUNCTION(ASH_FIRST_##FORM TYPE *dest, int pe ASH_LAST_##FORM) \
    { \
        ash_amo(#FUNCTION, ASH_OP_ADD, dest, sizeof *dest, 1, 0, ASH_PE_##FORM(#FUNCTION)); \
    }

/* One operand; OP is FETCH_ADD, FETCH_AND, FETCH_OR or FETCH_XOR. */
#define ASH_ENTRY_FETCHING(FORM, FUNCTION, TYPE, OP) \
    NVSHMEM_ROUTINE TYPE FUNCTION(ASH_FIRST_##FORM TYPE *dest, TYPE value, int pe ASH_LAST_##FORM) \
    { \
        return (TYPE)ash_amo(#FUNCTION, ASH_OP_##OP, dest, sizeof value, (uint64_t)value, 0, \
                             ASH_PE_##FORM(#FUNCTION)); \
    }

/* The same without the old value; OP is ADD, AND, OR or XOR. */
#define ASH_ENTRY_UPDATING(FORM, FUNCTION, TYPE, OP) \
    NVSHMEM_ROUTINE void FUNCTION(ASH_FIRST_##FORM TYPE *dest, TYPE value, int pe ASH_LAST_##FORM) \
    { \
        ash_amo(#FUNCTION, ASH_OP_##OP, dest, sizeof value, (uint64_t)value, 0, \
                ASH_PE_##FORM(#FUNCTION)); \
    }

/* Signals of a type's own width. */
#define ASH_ENTRY_SIGNAL(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, const TYPE value, int pe) \
    { \
        ash_signal_variable(#FUNCTION, "dest", ASH_OP_SIGNAL_SET, dest, sizeof value, \
                            (uint64_t)value, pe); \
    }

/* Signals of 64 bits.  OP is the number of the update. */
#define ASH_ENTRY_SIGNAL_UPDATE(FORM, FUNCTION, OP) \
    NVSHMEM_ROUTINE void FUNCTION(ASH_FIRST_##FORM uint64_t *sig_addr, uint64_t signal, \
                                  int pe ASH_LAST_##FORM) \
    { \
        ash_signal(#FUNCTION, sig_addr, signal, OP, ASH_PE_##FORM(#FUNCTION)); \
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

#define ASH_ENTRIES_COPY(FORM, FUNCTION, TYPE, BYTES, VERB) \
    ASH_ENTRY_COPY(FORM, FUNCTION, TYPE, BYTES, VERB, true) \
    ASH_ENTRY_COPY(FORM, FUNCTION##_nbi, TYPE, BYTES, VERB, false)

#define ASH_ENTRIES_PUT_SIGNAL(FORM, FUNCTION, TYPE, BYTES, SIG_OP_OF) \
    ASH_ENTRY_PUT_SIGNAL(FORM, FUNCTION, TYPE, BYTES, SIG_OP_OF, true) \
    ASH_ENTRY_PUT_SIGNAL(FORM, FUNCTION##_nbi, TYPE, BYTES, SIG_OP_OF, false)

#define ASH_ENTRIES_RMA(FORM, PREFIX, NAME, TYPE, SIG_OP_OF) \
    ASH_ENTRIES_COPY(FORM, PREFIX##_##NAME##_put, TYPE, sizeof(TYPE), put) \
    ASH_ENTRIES_COPY(FORM, PREFIX##_##NAME##_get, TYPE, sizeof(TYPE), get) \
    ASH_ENTRIES_PUT_SIGNAL(FORM, PREFIX##_##NAME##_put_signal, TYPE, sizeof(TYPE), SIG_OP_OF)

/* NAME is a size, or "mem" for bytes. */
#define ASH_ENTRIES_UNTYPED(FORM, PREFIX, NAME, BYTES, SIG_OP_OF) \
    ASH_ENTRIES_COPY(FORM, PREFIX##_put##NAME, void, BYTES, put) \
    ASH_ENTRIES_COPY(FORM, PREFIX##_get##NAME, void, BYTES, get) \
    ASH_ENTRIES_PUT_SIGNAL(FORM, PREFIX##_put##NAME##_signal, void, BYTES, SIG_OP_OF)

#define ASH_ENTRIES_STRIDED(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRY_STRIDED(FORM, PREFIX##_##NAME##_iput, TYPE, sizeof(TYPE), iput, ASH_SCOPE_THREAD) \
    ASH_ENTRY_STRIDED(FORM, PREFIX##_##NAME##_iget, TYPE, sizeof(TYPE), iget, ASH_SCOPE_THREAD)
#define ASH_ENTRIES_STRIDED_UNTYPED(FORM, PREFIX, SIZE) \
    ASH_ENTRY_STRIDED(FORM, PREFIX##_iput##SIZE, void, SIZE / 8, iput, ASH_SCOPE_THREAD) \
    ASH_ENTRY_STRIDED(FORM, PREFIX##_iget##SIZE, void, SIZE / 8, iget, ASH_SCOPE_THREAD)

#define ASH_ENTRIES_ELEMENT(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRY_P(FORM, PREFIX##_##NAME##_p, TYPE) \
    ASH_ENTRY_G(FORM, PREFIX##_##NAME##_g, TYPE)

#define ASH_ENTRIES_EXTENDED_AMO(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRY_FETCH(FORM, PREFIX##_##NAME##_atomic_fetch, TYPE) \
    ASH_ENTRY_STORING(FORM, PREFIX##_##NAME##_atomic_set, TYPE, SET) \
    ASH_ENTRY_SWAPPING(FORM, PREFIX##_##NAME##_atomic_swap, TYPE, SWAP)

#define ASH_ENTRIES_AMO(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRY_COMPARE_SWAP(FORM, PREFIX##_##NAME##_atomic_compare_swap, TYPE) \
    ASH_ENTRY_FETCH_INC(FORM, PREFIX##_##NAME##_atomic_fetch_inc, TYPE) \
    ASH_ENTRY_INC(FORM, PREFIX##_##NAME##_atomic_inc, TYPE) \
    ASH_ENTRY_FETCHING(FORM, PREFIX##_##NAME##_atomic_fetch_add, TYPE, FETCH_ADD) \
    ASH_ENTRY_UPDATING(FORM, PREFIX##_##NAME##_atomic_add, TYPE, ADD)

#define ASH_ENTRIES_BITWISE(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRY_FETCHING(FORM, PREFIX##_##NAME##_atomic_fetch_and, TYPE, FETCH_AND) \
    ASH_ENTRY_UPDATING(FORM, PREFIX##_##NAME##_atomic_and, TYPE, AND) \
    ASH_ENTRY_FETCHING(FORM, PREFIX##_##NAME##_atomic_fetch_or, TYPE, FETCH_OR) \
    ASH_ENTRY_UPDATING(FORM, PREFIX##_##NAME##_atomic_or, TYPE, OR) \
    ASH_ENTRY_FETCHING(FORM, PREFIX##_##NAME##_atomic_fetch_xor, TYPE, FETCH_XOR) \
    ASH_ENTRY_UPDATING(FORM, PREFIX##_##NAME##_atomic_xor, TYPE, XOR)

/* Atomics under their old names. */
#define ASH_ENTRIES_OLD_EXTENDED_AMO(PREFIX, NAME, TYPE) \
    ASH_ENTRY_FETCH(PLAIN, PREFIX##_##NAME##_fetch, TYPE) \
    ASH_ENTRY_STORING(PLAIN, PREFIX##_##NAME##_set, TYPE, SET) \
    ASH_ENTRY_SWAPPING(PLAIN, PREFIX##_##NAME##_swap, TYPE, SWAP)

#define ASH_ENTRIES_OLD_AMO(PREFIX, NAME, TYPE) \
    ASH_ENTRY_COMPARE_SWAP(PLAIN, PREFIX##_##NAME##_cswap, TYPE) \
    ASH_ENTRY_FETCH_INC(PLAIN, PREFIX##_##NAME##_finc, TYPE) \
    ASH_ENTRY_INC(PLAIN, PREFIX##_##NAME##_inc, TYPE) \
    ASH_ENTRY_FETCHING(PLAIN, PREFIX##_##NAME##_fadd, TYPE, FETCH_ADD) \
    ASH_ENTRY_UPDATING(PLAIN, PREFIX##_##NAME##_add, TYPE, ADD)

#define ASH_ENTRIES_WAIT(PREFIX, NAME, TYPE, CMP_OF) \
    ASH_ENTRY_WAIT_UNTIL(PREFIX##_##NAME##_wait_until, TYPE, CMP_OF) \
    ASH_ENTRY_TEST(PREFIX##_##NAME##_test, TYPE, CMP_OF)

/* For SIG_OP_OF and CMP_OF of a family whose constants have NVSHMEM's values. */
#define ASH_SAME(function, number) (number)

#endif
