/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Backoff of a waiting POSIX thread: it yields, progresses the proxy's work, and at length sleeps,
 * as the table of backoff.h says.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "device/hostdev/backoff.h"
#include "device/hostdev/clock.h"
#include "device/state/state.h"

uint32_t ash_hostdev_pauses = ASH_WAIT_PAUSES;
uint32_t ash_hostdev_oversubscription = 1;
/* Time slices that others had while this POSIX thread yielded. */
static __thread uint32_t slices __attribute__((tls_model("initial-exec")));

void ash_hostdev_set_load(double pes, bool proxy)
{
    /* `pes` is a sum of fractions, and so has rounding errors. */
    const double exact = 1e-6;
    double threads = pes * (proxy ? 2 : 1);
    ash_hostdev_pauses = threads > 1 + exact ? ASH_WAIT_PAUSES_FEW : ASH_WAIT_PAUSES;
    ash_hostdev_oversubscription = pes > 1 + exact ? (uint32_t)(pes + 1 - exact) : 1;
}

bool ash_hostdev_sleeps_early(void)
{
    return ash_hostdev_oversubscription > 1 && ash_state.progress == NULL;
}

/* Cancellation is disabled, because a wait that is not registered may have claimed a slot. */
static void sleep_shortly(void)
{
    int state;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    ash_sleep_ns(1);
    (void)pthread_setcancelstate(state, NULL);
}

/* Returns the nanoseconds that the yield took, or 0 if it is not timed. */
static uint64_t yield(bool timed)
{
    uint64_t began = timed ? ash_now_ns() : 0, took;
    (void)sched_yield();
    took = timed ? ash_now_ns() - began : 0;
    if (took >= ASH_YIELD_SLICE_NS) slices++;
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
    /* Oversubscribed: another PE does want it. */
    bool may_be_alone = ash_hostdev_oversubscription <= 1;
    uint64_t took = yield(may_be_alone || yields++ % ASH_YIELDS_TIMED == 0);
    put_off += may_be_alone && took < ASH_YIELD_ALONE_NS ? 1 : ASH_YIELDS_ALONE;
    if (put_off < ASH_YIELDS_AWAKE * ASH_YIELDS_ALONE) return;
    put_off = 0;
    sleep_shortly();
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

/* The wait that this POSIX thread is in. */
static __thread struct {
    /* Idle turns in a row; its sleeps; spurious wakeups. */
    uint32_t idle, sleeps, spurious;
    /* Times that it stayed awake again after spurious wakeups. */
    uint32_t awake_again;
    /* The wake word as it was armed, so that the next turn sleeps; 0: not armed. */
    uint32_t armed;
} wait __attribute__((tls_model("initial-exec")));

/* True if the wait goes on without a sleep. */
static bool stay_awake(uint32_t turns)
{
    bool yields = ash_state.progress == NULL || turns % ASH_WAIT_TURNS_PER_YIELD == 0;
    if (wait.armed != 0 || wait.idle >= ASH_WAIT_IDLE_TURNS << wait.awake_again) return false;
    if (ash_hostdev_sleeps_early())
        wait.idle += yield(true) < ASH_YIELD_ALONE_NS ? 1 : ASH_WAIT_YIELDED_TURNS;
    else
        wait.idle = progress_or_yield(yields) ? 0 : wait.idle + 1;
    return true;
}

/* Some stores notify no waiters (target/waiters.h), so a sleep on the wake word has a limit. */
static uint64_t sleep_limit(void)
{
    uint64_t ns = ASH_WAIT_SLEEP_MIN_NS + (uint64_t)wait.sleeps * ASH_WAIT_SLEEP_STEP_NS;
    return ns < ASH_WAIT_SLEEP_MAX_NS ? ns : ASH_WAIT_SLEEP_MAX_NS;
}

static uint64_t sleep_limit_oversubscribed(void)
{
    uint64_t ns = (uint64_t)ASH_WAIT_SLEEP_MAX_NS * ash_hostdev_oversubscription;
    return ns < ASH_WAIT_SLEEP_OVERSUBSCRIBED_MAX_NS ? ns : ASH_WAIT_SLEEP_OVERSUBSCRIBED_MAX_NS;
}

static void wake_up(void)
{
    wait.armed = wait.idle = wait.spurious = 0;
    if (wait.awake_again < ASH_WAIT_DOUBLED) wait.awake_again++;
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
    uint64_t ns = ash_hostdev_sleeps_early() ? sleep_limit_oversubscribed() : sleep_limit();
    wait.sleeps++;
    if (wait.spurious == ASH_WAIT_SPURIOUS) {
        ns = sleep_limit();
        ash_sleep_ns(ns);
        wait.spurious--;
    } else {
        woken = ash_hostdev_sleep(wait.armed, ns);
        pthread_testcancel();
        if (woken == ASH_WOKEN_BY_LIMIT && ns >= ASH_YIELD_SLICE_NS) slices++;
        if (woken == ASH_WOKEN_BY_NOTIFY && ++wait.spurious == ASH_WAIT_SPURIOUS) {
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
    if (wait.armed != 0) {
        sleep_on();
        return;
    }
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
