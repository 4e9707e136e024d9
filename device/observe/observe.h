/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Observing calls, for ANYSHMEM_STATS and ANYSHMEM_TRACE (lib/report/stats.c, lib/report/trace.c).
 *
 * It costs nothing while it is off.  While it is on, n_pes is 0, as if nothing were
 * started, and ash_observed_pes has the number of PEs: the first check of every
 * routine fails, so that a call takes the slow path, which reports invalid calls; there
 * it is measured, and then done.  A call within a call (a barrier's waits) belongs to the
 * outer one.  A GPU's threads are not observed: for them all of this vanishes.
 */
#ifndef ASH_DEVICE_OBSERVE_OBSERVE_H
#define ASH_DEVICE_OBSERVE_OBSERVE_H

#include "device/target/target.h"

/* X(NAME, name in tables) */
#define ASH_CALLS(X) \
    X(PUT, "put") \
    X(GET, "get") \
    X(P, "p") \
    X(G, "g") \
    X(PUT_SIGNAL, "put_signal") \
    X(SIGNAL, "signal") \
    X(FETCHING, "atomic_fetching") \
    X(ATOMIC, "atomic") \
    X(FENCE, "fence") \
    X(QUIET, "quiet") \
    X(WAIT, "wait") \
    X(TEST, "test") \
    X(BARRIER, "barrier") \
    X(COLLECTIVE, "collective") \
    X(AGREEMENT, "malloc/team")

enum ash_call {
#define X(NAME, TEXT) ASH_CALL_##NAME,
    ASH_CALLS(X)
#undef X
    ASH_CALL_KINDS
};

/* The PE of a call that is not to one PE. */
#define ASH_NO_PE (-1)

/* A call in flight, on the stack of its device thread. */
struct ash_observed {
    /* The call that this one is a part of, or NULL. */
    struct ash_observed *outer;
    const char *function;
    /* Nanoseconds of CLOCK_MONOTONIC; 0: it is not observed. */
    uint64_t began;
    uint64_t nbytes;
    /* Flow ids (trace.h) of the request that it waits for and the value that it saw or stored;
     * 0: none. */
    uint64_t request, value;
    int32_t pe;
    uint8_t call;
    /* Counted but not traced, as a test that is not met. */
    bool untraced;
};

#if DEV_IS_GPU

DEV bool ash_observing(void) { return false; }
DEV uint32_t ash_job_pes(void) { return dev_state->n_pes; }
DEV void ash_observe_as(bool observes, struct ash_observed *observed, enum ash_call call,
                        const char *function, uint64_t nbytes, int pe)
{
    (void)observes, (void)observed, (void)call, (void)function, (void)nbytes, (void)pe;
}
DEV void ash_observe_end(struct ash_observed *observed) { (void)observed; }
DEV void ash_observe_value(struct ash_observed *observed, int pe, uint64_t offset, uint64_t value)
{
    (void)observed, (void)pe, (void)offset, (void)value;
}
DEV void ash_observe_unmet(struct ash_observed *observed) { (void)observed; }
DEV uint64_t ash_observe_push(void) { return 0; }

#else

/* Not 0: calls are observed, in a job of so many PEs.  Written by: lib, while no thread calls.
 * Read by: device. */
extern __attribute__((visibility("hidden"))) uint32_t ash_observed_pes;
__attribute__((visibility("hidden"))) void ash_observed_begin(struct ash_observed *observed);
__attribute__((visibility("hidden"))) void ash_observed_end(struct ash_observed *observed);
__attribute__((visibility("hidden"))) void ash_observed_value(struct ash_observed *observed, int pe,
                                                              uint64_t offset, uint64_t value);
__attribute__((visibility("hidden"))) uint64_t ash_observed_push(void);
__attribute__((visibility("hidden"))) void ash_observed_pushed(uint64_t began, uint32_t doorbell,
                                                               uint64_t ticket, unsigned op,
                                                               uint32_t pe, bool waits);
DEV bool ash_observing(void) { return dev_unlikely(ash_observed_pes != 0); }

/* PEs of the job, observed or not; 0: the library is not started. */
DEV uint32_t ash_job_pes(void)
{
    uint32_t n_pes = dev_state->n_pes;
    return dev_likely(n_pes != 0) ? n_pes : ash_observed_pes;
}

DEV void ash_observe_as(bool observes, struct ash_observed *observed, enum ash_call call,
                        const char *function, uint64_t nbytes, int pe)
{
    observed->began = 0;
    if (!ash_observing() || !observes) return;
    observed->function = function;
    observed->nbytes = nbytes;
    observed->pe = pe;
    observed->call = (uint8_t)call;
    ash_observed_begin(observed);
}

DEV void ash_observe_end(struct ash_observed *observed)
{
    if (dev_unlikely(observed->began != 0)) ash_observed_end(observed);
}

/* The call saw this value at an offset of the PE's heap, or stored it there. */
DEV void ash_observe_value(struct ash_observed *observed, int pe, uint64_t offset, uint64_t value)
{
    if (dev_unlikely(observed->began != 0)) ash_observed_value(observed, pe, offset, value);
}

DEV void ash_observe_unmet(struct ash_observed *observed) { observed->untraced = true; }

/* When a push on the slow path began, which all pushes take while calls are traced; 0: it is
 * not traced. */
DEV uint64_t ash_observe_push(void) { return ash_observing() ? ash_observed_push() : 0; }

#endif

/* A call begins; its arguments may still be invalid. */
DEV void ash_observe(struct ash_observed *observed, enum ash_call call, const char *function,
                     uint64_t nbytes, int pe)
{
    ash_observe_as(true, observed, call, function, nbytes, pe);
}

/* A call of a group begins: it is observed as its leader's. */
DEV void ash_observe_group(enum ash_scope scope, struct ash_observed *observed,
                           enum ash_call call, const char *function, uint64_t nbytes, int pe)
{
    ash_observe_as(ash_observing() && dev_group_rank(scope) == 0, observed, call, function, nbytes,
                   pe);
}

#endif
