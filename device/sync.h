/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 6 of 6: wait and test, on the device's own memory.
 *
 * Polling touches nothing but the variable; the acquire comes once, after the
 * comparison is met.
 */
#ifndef ASH_DEVICE_SYNC_H
#define ASH_DEVICE_SYNC_H

#include "device/check.h"
#include "device/note.h"
#include <nvshmem/sync.h>

/* The C type of a variable, as far as comparisons go. */
struct ash_kind {
    unsigned width;
    bool is_signed;
};

#define ASH_KIND(TYPE) ash_kind_of(sizeof(TYPE), (TYPE)-1 < (TYPE)1)

DEV struct ash_kind ash_kind_of(unsigned width, bool is_signed)
{
    struct ash_kind kind;
    kind.width = width;
    kind.is_signed = is_signed;
    return kind;
}

/* Sign- or zero-extend the low bits, so that 64-bit comparisons are right. */
DEV uint64_t ash_kind_extend(struct ash_kind kind, uint64_t bits)
{
    unsigned shift = 64 - 8 * kind.width;
    return kind.is_signed ? (uint64_t)((int64_t)(bits << shift) >> shift) : bits << shift >> shift;
}

/* a < b in the kind's signedness, both extended. */
DEV bool ash_kind_less(struct ash_kind kind, uint64_t a, uint64_t b)
{
    return kind.is_signed ? (int64_t)a < (int64_t)b : a < b;
}

DEV bool ash_compare(struct ash_kind kind, uint64_t a, int cmp, uint64_t b)
{
    switch (cmp) {
    case NVSHMEM_CMP_EQ: return a == b;
    case NVSHMEM_CMP_NE: return a != b;
    case NVSHMEM_CMP_GT: return ash_kind_less(kind, b, a);
    case NVSHMEM_CMP_LE: return !ash_kind_less(kind, b, a);
    case NVSHMEM_CMP_LT: return ash_kind_less(kind, a, b);
    default: return !ash_kind_less(kind, a, b);
    }
}

DEV uint64_t ash_kind_load(struct ash_kind kind, const void *variable)
{
    return ash_kind_extend(kind, dev_load_relaxed(variable, kind.width));
}

DEV void ash_check_cmp(const char *function, int cmp)
{
    ash_check_started(function);
    if (dev_unlikely((unsigned)cmp > NVSHMEM_CMP_GE))
        ash_fault(ASH_FAULT_CMP, function, "cmp", (uint64_t)(int64_t)cmp, 0);
}

DEV void ash_check_wait(const char *function, const char *argument, const void *variable, int cmp)
{
    ash_check_cmp(function, cmp);
    ash_check_local(function, argument, variable);
}

/* Poll until the comparison is met: true; or until the wait has lasted: false. */
DEV bool ash_wait_poll(const void *variable, struct ash_kind kind, int cmp, uint64_t value,
                       struct dev_backoff *backoff, uint64_t *ret_now)
{
    for (;;) {
        *ret_now = ash_kind_load(kind, variable);
        if (ash_compare(kind, *ret_now, cmp, value)) return true;
        if (dev_backoff(backoff)) return false;
    }
}

/* The rest of a wait that has lasted. */
DEV_COLD uint64_t ash_wait_long(const char *function, const char *argument, const void *variable,
                                struct ash_kind kind, int cmp, uint64_t value)
{
    struct dev_backoff backoff = dev_backoff_lasting();
    uint32_t note = ash_note_variable(function, argument, variable, kind.width, kind.is_signed,
                                      cmp, value);
    uint64_t now;
    while (!ash_wait_poll(variable, kind, cmp, value, &backoff, &now)) continue;
    dev_note_end(note);
    return now;
}

/* Wait; returns the value that met the comparison. */
DEV uint64_t ash_wait(const char *function, const char *argument, const void *variable,
                      struct ash_kind kind, int cmp, uint64_t value)
{
    struct dev_backoff backoff = dev_backoff_start();
    uint64_t now;
    ash_check_wait(function, argument, variable, cmp);
    value = ash_kind_extend(kind, value);
    if (!ash_wait_poll(variable, kind, cmp, value, &backoff, &now))
        now = ash_wait_long(function, argument, variable, kind, cmp, value);
    dev_fence_acquire();
    return now;
}

DEV int ash_test(const char *function, const void *variable, struct ash_kind kind, int cmp,
                 uint64_t value)
{
    int met;
    ash_check_wait(function, "ivar", variable, cmp);
    met = ash_compare(kind, ash_kind_load(kind, variable), cmp, ash_kind_extend(kind, value));
    if (met)
        dev_fence_acquire();
    else
        dev_test_failed();
    return met;
}

/* For warps and blocks: the leader looks, all learn what it saw. */
DEV_NOINLINE uint64_t ash_wait_group(enum ash_scope scope, const char *function,
                                     const char *argument, const void *variable,
                                     struct ash_kind kind, int cmp, uint64_t value)
{
    uint64_t now = 0;
    if (dev_group_rank(scope) == 0) now = ash_wait(function, argument, variable, kind, cmp, value);
    return dev_group_broadcast(scope, now);
}

DEV_NOINLINE int ash_test_group(enum ash_scope scope, const char *function, const void *variable,
                                struct ash_kind kind, int cmp, uint64_t value)
{
    uint64_t met = 0;
    if (dev_group_rank(scope) == 0)
        met = (uint64_t)ash_test(function, variable, kind, cmp, value);
    return (int)dev_group_broadcast(scope, met);
}

#endif
