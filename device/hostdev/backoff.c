/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Backoff of a waiting POSIX thread: it yields, progresses the proxy's work, and at length sleeps.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "device/hostdev/clock.h"
#include "device/hostdev/hostdev.h"
#include "device/state/state.h"

/* Iterations of a wait in a row without progress, after which the POSIX thread sleeps. */
#define IDLE_TURNS 1000u
/* After spurious wakeups twice as many, each time; doubled at most so often. */
#define IDLE_DOUBLED 4u
/*
 * Yields of a thread, over all its waits and tests, before it sleeps.  YIELDS_ALONE yields that
 * came back at once count as one, because no other thread wanted the CPU.
 */
#define YIELDS_AWAKE 256u
#define YIELDS_ALONE 16u
#define ALONE_NS 1000u
/* A yield that takes this long gave others the CPU for a time slice, and more may follow. */
#define SLICE_NS 1000000u
/* Where CPUs are oversubscribed, one yield in so many is timed. */
#define YIELDS_TIMED 4u
/* Where the CPUs suffice: iterations of the proxy's work that found none, to one yield. */
#define TURNS_PER_YIELD 8u
/* The limit of a sleep: the least, the most, and how much it grows with each sleep of a wait. */
#define SLEEP_MIN_NS 20000u
#define SLEEP_MAX_NS 500000u
#define SLEEP_STEP_NS 1000u
/* Where CPUs are oversubscribed: a wait sleeps after so many yields for which others had the CPU;
 * and the most that a sleep's limit can be. */
#ifndef YIELDS_OVERSUBSCRIBED
#define YIELDS_OVERSUBSCRIBED 8u
#endif
#define SLEEP_OVERSUBSCRIBED_MAX_NS 2000000u
/*
 * Spurious wakeups, by notifications for other threads, after which a wait stays awake again,
 * or takes a timed sleep with the wake word not armed.
 */
#define SPURIOUS_WAKEUPS 4u

uint32_t ash_hostdev_pauses = ASH_HOSTDEV_PAUSES;
uint32_t ash_hostdev_oversubscription = 1;
bool ash_hostdev_sleeps_early;
/* Time slices that others had while this POSIX thread yielded. */
static __thread uint32_t slices __attribute__((tls_model("initial-exec")));

void ash_hostdev_set_load(double pes, bool proxy)
{
    /* `pes` is a sum of fractions, and so has rounding errors. */
    const double exact = 1e-6;
    double threads = pes * (proxy ? 2 : 1);
    ash_hostdev_pauses = threads > 1 + exact ? 2 : ASH_HOSTDEV_PAUSES;
    ash_hostdev_oversubscription = pes > 1 + exact ? (uint32_t)(pes + 1 - exact) : 1;
    ash_hostdev_sleeps_early = ash_hostdev_oversubscription > 1 && !proxy;
}

/* Cancellation is disabled, because a wait that is not registered may have claimed a slot. */
static void sleep_uncancelled(const struct timespec *time)
{
    int state;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    (void)clock_nanosleep(CLOCK_MONOTONIC, 0, time, NULL);
    (void)pthread_setcancelstate(state, NULL);
}

/* Returns the nanoseconds that the yield took, or 0 if it is not timed. */
static uint64_t yield(bool timed)
{
    uint64_t began = timed ? ash_now_ns() : 0, took;
    (void)sched_yield();
    took = timed ? ash_now_ns() - began : 0;
    if (took >= SLICE_NS) slices++;
    return took;
}

/*
 * Linux postpones a thread that yields, each time by a whole slice, and forgets that when
 * the thread sleeps.  Threads that yield for long and never sleep, as in a loop of tests,
 * leave each other without a CPU for seconds; so now and then a yield is followed by a
 * sleep.  A sleep takes 50 us.  Where no other thread wants the CPU, Linux postpones
 * nothing and a sleep is only a delay, so there a yield counts for less.
 */
void ash_hostdev_yield_cpu(void)
{
    static __thread uint32_t put_off __attribute__((tls_model("initial-exec")));
    static __thread uint32_t yields __attribute__((tls_model("initial-exec")));
    const struct timespec moment = {0, 1};
    /* Oversubscribed: another PE does want it. */
    bool may_be_alone = ash_hostdev_oversubscription <= 1;
    uint64_t took = yield(may_be_alone || yields++ % YIELDS_TIMED == 0);
    put_off += may_be_alone && took < ALONE_NS ? 1 : YIELDS_ALONE;
    if (put_off < YIELDS_AWAKE * YIELDS_ALONE) return;
    put_off = 0;
    sleep_uncancelled(&moment);
}

/*
 * The wait is likely for something that the proxy does: to make progress here is better than to
 * wake the proxy.  True if there was work, even if for other threads; if not, it yields if it is
 * the turn for that, or CPUs are oversubscribed.
 */
static bool progress_or_yield(bool yields)
{
    if (ash_state.progress != NULL && ash_state.progress()) return true;
    if (yields || ash_hostdev_oversubscription > 1) ash_hostdev_yield_cpu();
    return false;
}

/* The state of the wait that this POSIX thread is in. */
static __thread struct {
    /* Iterations in a row in which there was no work for the proxy. */
    uint32_t idle;
    /* Yields for which others had the CPU; sleeps; spurious wakeups. */
    uint32_t yields, sleeps, spurious;
    /* Times that it stayed awake again after spurious wakeups. */
    uint32_t awake_again;
    /* The wake word as it was armed. */
    uint32_t armed;
    /* It armed the wake word, so the next iteration sleeps. */
    bool sleepy;
} wait __attribute__((tls_model("initial-exec")));

/* True if the wait goes on without a sleep. */
static bool stay_awake(uint32_t turns)
{
    if (wait.sleepy || wait.idle == IDLE_TURNS << wait.awake_again) return false;
    wait.idle++;
    if (!ash_hostdev_sleeps_early) {
        bool yields = ash_state.progress == NULL || turns % TURNS_PER_YIELD == 0;
        if (progress_or_yield(yields)) wait.idle = 0;
        return true;
    }
    if (wait.yields == YIELDS_OVERSUBSCRIBED) return false;
    if (yield(true) >= ALONE_NS) wait.yields++;
    return true;
}

/* Some stores notify no waiters (target/waiters.h), so a sleep on the wake word has a limit. */
static uint64_t sleep_limit(void)
{
    uint64_t ns = SLEEP_MIN_NS + (uint64_t)wait.sleeps * SLEEP_STEP_NS;
    return ns < SLEEP_MAX_NS ? ns : SLEEP_MAX_NS;
}

static uint64_t sleep_limit_oversubscribed(void)
{
    uint64_t ns = (uint64_t)SLEEP_MAX_NS * ash_hostdev_oversubscription;
    return ns < SLEEP_OVERSUBSCRIBED_MAX_NS ? ns : SLEEP_OVERSUBSCRIBED_MAX_NS;
}

static void wake_up(void)
{
    wait.sleepy = false;
    wait.idle = wait.spurious = 0;
    if (wait.awake_again < IDLE_DOUBLED) wait.awake_again++;
}

/*
 * Sleep until a notification.  Other PEs may send many stores and requests, and should not have
 * to notify this thread of each.  So after some spurious wakeups it stays awake for a while, if
 * there are enough CPUs: it makes progress sooner than the proxy's thread would, and no thread
 * has to be woken.  Otherwise it takes a timed sleep with the wake word not armed.
 */
static void sleep_on(void)
{
    enum ash_woken woken;
    uint64_t ns = ash_hostdev_sleeps_early ? sleep_limit_oversubscribed() : sleep_limit();
    wait.sleeps++;
    if (wait.spurious == SPURIOUS_WAKEUPS) {
        ns = sleep_limit();
        (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, (long)ns}, NULL);
        wait.spurious--;
    } else {
        woken = ash_hostdev_sleep(wait.armed, ns);
        pthread_testcancel();
        if (woken == ASH_WOKEN_BY_LIMIT && ns >= SLICE_NS) slices++;
        if (woken == ASH_WOKEN_BY_NOTIFY && ++wait.spurious == SPURIOUS_WAKEUPS) {
            if (ash_hostdev_oversubscription <= 1) wake_up();
            return;
        }
    }
    wait.armed = ash_hostdev_arm();
}

/* The caller polls between two calls: after the wake word was armed, that poll is step W2. */
void ash_hostdev_backoff(uint32_t turns)
{
    if (turns == 0) memset(&wait, 0, sizeof(wait));
    if (stay_awake(turns)) return;
    if (wait.sleepy) {
        sleep_on();
        return;
    }
    wait.sleepy = true;
    if (ash_state.yield_progress != NULL) ash_state.yield_progress();
    wait.armed = ash_hostdev_arm();
}

bool ash_hostdev_yield(uint32_t turns)
{
    uint32_t before = slices;
    if (ash_hostdev_in_grid())
        ash_hostdev_switch(ash_context_current, turns);
    else
        ash_hostdev_backoff(turns);
    return slices != before;
}

__thread uint32_t ash_hostdev_tests __attribute__((tls_model("initial-exec"))) =
    ASH_TESTS_PER_YIELD;
__thread uint32_t ash_hostdev_fetches __attribute__((tls_model("initial-exec"))) =
    ASH_TESTS_PER_YIELD;

/* The high bits of a linear congruential generator (Knuth's MMIX). */
uint32_t ash_hostdev_vary(uint32_t n)
{
    static __thread uint64_t state __attribute__((tls_model("initial-exec")));
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 32) * n >> 32);
}

static uint32_t next_interval(void)
{
    return ASH_TESTS_PER_YIELD / 2 + ash_hostdev_vary(ASH_TESTS_PER_YIELD);
}

/* A loop of tests never reaches a wait's sleep, so its yields must sleep now and then. */
void ash_hostdev_tested(void)
{
    static __thread uint32_t intervals __attribute__((tls_model("initial-exec")));
    ash_hostdev_tests = next_interval();
    if (ash_hostdev_in_grid())
        ash_hostdev_switch(ash_context_current, ASH_TURNS_TESTED);
    else
        (void)progress_or_yield(++intervals % ASH_INTERVALS_PER_YIELD == 0);
}

void ash_hostdev_fetched(void)
{
    bool in_grid = ash_hostdev_in_grid();
    ash_hostdev_fetches = in_grid ? next_interval() : UINT32_MAX;
    if (in_grid) ash_hostdev_switch(ash_context_current, ASH_TURNS_TESTED);
}

/* A full counter of a non-blocking eventfd (EAGAIN) wakes the proxy as well. */
void ash_hostdev_wake(int fd)
{
    static const uint64_t one = 1;
    int cancel;
    /* Not cancelled here: the thread has cleared the armed bit, so no other wakes the proxy. */
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    while (write(fd, &one, sizeof(one)) < 0 && errno == EINTR) {
    }
    (void)pthread_setcancelstate(cancel, NULL);
}
