/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 6 of 6: wait and test, on the device's own memory.
 *
 * Polling reads nothing but the variable, relaxed.  One acquire fence follows, after the
 * comparison is met.  It pairs with the release by which the variable was changed, such as
 * that of a signal (ash_atomic_update): what was written before is visible after the wait.
 */
#ifndef ASH_DEVICE_ROUTINE_WAIT_H
#define ASH_DEVICE_ROUTINE_WAIT_H

#include "device/channel/wait_register.h"
#include "device/observe/observe.h"
#include "device/routine/check.h"
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

/* False for a cmp that is none: what a fast path does not find met, a slow one checks. */
DEV bool ash_compare(struct ash_kind kind, uint64_t a, int cmp, uint64_t b)
{
    /* The most usual comparisons come first, without a jump table. */
    if (dev_likely(cmp == NVSHMEM_CMP_EQ)) return a == b;
    if (dev_likely(cmp == NVSHMEM_CMP_GE)) return !ash_kind_less(kind, a, b);
    switch (cmp) {
    case NVSHMEM_CMP_NE: return a != b;
    case NVSHMEM_CMP_GT: return ash_kind_less(kind, b, a);
    case NVSHMEM_CMP_LE: return !ash_kind_less(kind, b, a);
    case NVSHMEM_CMP_LT: return ash_kind_less(kind, a, b);
    default: return false;
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
        ash_raise(ASH_FAULT_CMP, function, "cmp", (uint64_t)(int64_t)cmp, 0);
}

DEV void ash_check_wait(const char *function, const char *argument, const void *variable,
                        struct ash_kind kind, int cmp)
{
    ash_check_cmp(function, cmp);
    ash_check_local_variable(function, argument, variable, kind.width);
}

/* Poll until the comparison is met (true), or until the wait has become a long one (false). */
DEV bool ash_wait_poll(const void *variable, struct ash_kind kind, int cmp, uint64_t value,
                       struct dev_backoff *backoff, uint64_t *ret_now)
{
    for (;;) {
        *ret_now = ash_kind_load(kind, variable);
        if (ash_compare(kind, *ret_now, cmp, value)) return true;
        if (dev_backoff(backoff)) return false;
    }
}

/* The rest of a long wait, which is registered, so that a report can name it. */
DEV_COLD uint64_t ash_wait_long(const char *function, const char *argument, const void *variable,
                                struct ash_kind kind, int cmp, uint64_t value)
{
    struct dev_backoff backoff = dev_backoff_lasting();
    uint32_t wait = ash_wait_register_variable(function, argument, variable, kind.width,
                                               kind.is_signed, cmp, value);
    uint64_t now;
    while (!ash_wait_poll(variable, kind, cmp, value, &backoff, &now)) continue;
    dev_wait_unregister(wait);
    return now;
}

/* True if the variable of a wait or a test is invalid, the library is not started, or calls are
 * observed. */
DEV bool ash_wait_is_invalid(const void *variable, struct ash_kind kind)
{
    return dev_unlikely(dev_state->n_pes == 0) || dev_unlikely(variable == NULL) ||
           dev_unlikely(((uintptr_t)variable & (kind.width - 1)) != 0);
}

DEV bool ash_cmp_is_invalid(int cmp)
{
    return dev_unlikely((unsigned)cmp > NVSHMEM_CMP_GE);
}

DEV uint64_t ash_wait_as(const char *function, const char *argument, const void *variable,
                         struct ash_kind kind, int cmp, uint64_t value)
{
    struct dev_backoff backoff = dev_backoff_start();
    uint64_t now;
    value = ash_kind_extend(kind, value);
    if (!ash_wait_poll(variable, kind, cmp, value, &backoff, &now))
        now = ash_wait_long(function, argument, variable, kind, cmp, value);
    dev_fence_acquire(); /* pairs with the variable's release, see the top */
    return now;
}

/* Makes the kind a constant in ash_wait_as, so that the polling loop need not test it. */
DEV uint64_t ash_wait_width(const char *function, const char *argument, const void *variable,
                            unsigned width, bool is_signed, int cmp, uint64_t value)
{
    return is_signed ? ash_wait_as(function, argument, variable, ash_kind_of(width, true), cmp,
                                   value)
                     : ash_wait_as(function, argument, variable, ash_kind_of(width, false), cmp,
                                   value);
}

DEV uint64_t ash_wait_checked(const char *function, const char *argument, const void *variable,
                              struct ash_kind kind, int cmp, uint64_t value)
{
    switch (kind.width) {
    case 2: return ash_wait_width(function, argument, variable, 2, kind.is_signed, cmp, value);
    case 4: return ash_wait_width(function, argument, variable, 4, kind.is_signed, cmp, value);
    default: return ash_wait_width(function, argument, variable, 8, kind.is_signed, cmp, value);
    }
}

/* The cold path: a wait with an invalid argument, or an observed one. */
DEV_COLD uint64_t ash_wait_cold(const char *function, const char *argument, const void *variable,
                                struct ash_kind kind, int cmp, uint64_t value)
{
    struct ash_observed observed;
    uint64_t now;
    ash_check_wait(function, argument, variable, kind, cmp);
    ash_observe(&observed, ASH_CALL_WAIT, function, 0, ASH_NO_PE);
    now = ash_wait_checked(function, argument, variable, kind, cmp, value);
    ash_observe_value(&observed, dev_state->my_pe, ash_offset_of(variable), now);
    ash_observe_end(&observed);
    return now;
}

/* The slow path: the comparison was not met at once, or the wait is for the cold path. */
DEV_NOINLINE uint64_t ash_wait_slow(const char *function, const char *argument,
                                    const void *variable, struct ash_kind kind, int cmp,
                                    uint64_t value)
{
    if (ash_wait_is_invalid(variable, kind) || ash_cmp_is_invalid(cmp))
        return ash_wait_cold(function, argument, variable, kind, cmp, value);
    return ash_wait_checked(function, argument, variable, kind, cmp, value);
}

/* Wait; returns the value that met the comparison. */
DEV uint64_t ash_wait(const char *function, const char *argument, const void *variable,
                      struct ash_kind kind, int cmp, uint64_t value)
{
    uint64_t now;
    if (DEV_IS_GPU) {
        ash_check_wait(function, argument, variable, kind, cmp);
        return ash_wait_as(function, argument, variable, kind, cmp, value);
    }
    if (!ash_wait_is_invalid(variable, kind)) {
        now = ash_kind_load(kind, variable);
        if (dev_likely(ash_compare(kind, now, cmp, ash_kind_extend(kind, value)))) {
            dev_fence_acquire(); /* pairs with the variable's release, see the top */
            return now;
        }
    }
    return ash_wait_slow(function, argument, variable, kind, cmp, value);
}

DEV_NOINLINE int ash_test_not_met(void)
{
    dev_test_failed();
    return 0;
}

DEV bool ash_test_met(const void *variable, struct ash_kind kind, int cmp, uint64_t value)
{
    if (!ash_compare(kind, ash_kind_load(kind, variable), cmp, ash_kind_extend(kind, value)))
        return false;
    dev_fence_acquire(); /* pairs with the variable's release, see the top */
    return true;
}

#if DEV_IS_GPU

/* See ash_report_invalid_element. */
DEV_COLD int ash_report_invalid_test(const char *function, const void *variable,
                                     struct ash_kind kind, int cmp)
{
    ash_check_wait(function, "ivar", variable, kind, cmp);
    return 0;
}

DEV int ash_test_invalid(const char *function, const void *variable, struct ash_kind kind, int cmp,
                         uint64_t value)
{
    (void)value;
    return ash_report_invalid_test(function, variable, kind, cmp);
}

#else

/* The cold path: a test with an invalid argument, or an observed one. */
DEV_COLD int ash_test_invalid(const char *function, const void *variable, struct ash_kind kind,
                              int cmp, uint64_t value)
{
    struct ash_observed observed;
    int met;
    ash_check_wait(function, "ivar", variable, kind, cmp);
    ash_observe(&observed, ASH_CALL_TEST, function, 0, ASH_NO_PE);
    met = ash_test_met(variable, kind, cmp, value) ? 1 : ash_test_not_met();
    if (!met) ash_observe_unmet(&observed);
    ash_observe_end(&observed);
    return met;
}

#endif

DEV int ash_test(const char *function, const void *variable, struct ash_kind kind, int cmp,
                 uint64_t value)
{
    if (ash_wait_is_invalid(variable, kind))
        return ash_test_invalid(function, variable, kind, cmp, value);
    if (dev_likely(ash_test_met(variable, kind, cmp, value))) return 1;
    if (ash_cmp_is_invalid(cmp)) return ash_test_invalid(function, variable, kind, cmp, value);
    return ash_test_not_met();
}

/* For warps and blocks: the leader waits or tests, and broadcasts the result to its group. */
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
