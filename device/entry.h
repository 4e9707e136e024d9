/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forms of the typed entry points, for every family of names: a family's file
 * (api_*.h) applies a form to each of its names and types.
 *
 * Each is one forwarding statement, which passes the name for messages.
 */
#ifndef ASH_DEVICE_ENTRY_H
#define ASH_DEVICE_ENTRY_H

#include "device/amo.h"
#include "device/rma.h"
#include "device/signal.h"
#include "device/sync.h"

/* OP_OF and CMP_OF below, for the family whose numbers these are. */
DEV int ash_nvshmem_number(const char *function, int number)
{
    (void)function;
    return number;
}

/* put and get, in elements of BYTES.  VERB is put or get. */

#define ASH_ENTRY_COPY(FUNCTION, TYPE, BYTES, VERB, BLOCKING) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, const TYPE *source, size_t nelems, int pe) \
    { \
        ash_##VERB(#FUNCTION, dest, source, nelems, BYTES, pe, BLOCKING); \
    }

/* OP_OF(function, sig_op) is NVSHMEM's number of the family's sig_op, or does not return. */
#define ASH_ENTRY_PUT_SIGNAL(FUNCTION, TYPE, BYTES, OP_OF, BLOCKING) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, const TYPE *source, size_t nelems, \
                                  uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) \
    { \
        ash_put_signal(#FUNCTION, dest, source, nelems, BYTES, sig_addr, signal, \
                       OP_OF(#FUNCTION, sig_op), pe, BLOCKING); \
    }

#define ASH_ENTRY_P(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, TYPE value, int pe) \
    { \
        ash_p(#FUNCTION, dest, &value, sizeof value, pe); \
    }

#define ASH_ENTRY_G(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE TYPE FUNCTION(const TYPE *source, int pe) \
    { \
        TYPE value; \
        ash_g(#FUNCTION, &value, source, sizeof value, pe); \
        return value; \
    }

/* Atomics that move a value, bit by bit. */

#define ASH_ENTRY_FETCH(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE TYPE FUNCTION(const TYPE *source, int pe) \
    { \
        TYPE old; \
        ash_bits_store(&old, sizeof old, \
                       ash_amo(#FUNCTION, ASH_OP_FETCH, (void *)source, sizeof old, 0, 0, pe)); \
        return old; \
    }

#define ASH_ENTRY_SET(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *dest, TYPE value, int pe) \
    { \
        ash_amo(#FUNCTION, ASH_OP_SET, dest, sizeof value, ash_bits_load(&value, sizeof value), \
                0, pe); \
    }

#define ASH_ENTRY_SWAP(FUNCTION, TYPE) \
    NVSHMEM_ROUTINE TYPE FUNCTION(TYPE *dest, TYPE value, int pe) \
    { \
        TYPE old; \
        ash_bits_store(&old, sizeof old, \
                       ash_amo(#FUNCTION, ASH_OP_SWAP, dest, sizeof value, \
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

/* The same without the value before; OP is ADD, AND, OR or XOR. */
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

/* Wait and test.  CMP_OF(function, cmp) is NVSHMEM's number of the family's cmp. */

#define ASH_ENTRY_WAIT_UNTIL(FUNCTION, TYPE, CMP_OF) \
    NVSHMEM_ROUTINE void FUNCTION(TYPE *ivar, int cmp, TYPE cmp_value) \
    { \
        ash_wait(#FUNCTION, "ivar", ivar, ASH_KIND(TYPE), CMP_OF(#FUNCTION, cmp), \
                 (uint64_t)cmp_value); \
    }

#define ASH_ENTRY_TEST(FUNCTION, TYPE, CMP_OF) \
    NVSHMEM_ROUTINE int FUNCTION(TYPE *ivar, int cmp, TYPE cmp_value) \
    { \
        return ash_test(#FUNCTION, ivar, ASH_KIND(TYPE), CMP_OF(#FUNCTION, cmp), \
                        (uint64_t)cmp_value); \
    }

#endif
