/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kicks: a caller has sent a request that no thread waits for, and the proxy thread is in a timed
 * sleep, because callers make progress.
 *
 * The caller does an iteration itself; or, if many came without an exchange with other PEs, yields
 * progress to the proxy thread.  Over TCP a small request may be left in the channel, if what came
 * after the last ones came at once: another request, with which it is sent in one message
 * (coalesce.c), or a wait, which begins with an iteration then.  If instead the caller computes,
 * the request is late, until the proxy thread's timed sleep ends; then none is left for 128 kicks,
 * and for twice as many each time.  A thread that loses its CPU now and then is late, too, so what
 * is in time makes good for it.  A row of small requests needs no proxy thread: an iteration for
 * each 128 of them sends one message.
 */
#include "device/hostdev/hostdev.h"
#include "proxy/internal.h"

/* Kicks without an exchange, before progress is yielded to the proxy thread. */
#define KICKS_MAX 64u
/* Requests that are left in the channel at most: beside what they take by themselves, the system
 * calls of an iteration are little then.  A context's channel is full before. */
#define LEFT_MAX 128u
/* So often in a row what came next came at once. */
#define PROMPT_MIN 8
/* At once: within so many nanoseconds, and so many more for each request that was left. */
#define PROMPT_NS 5000u
#define PROMPT_EACH_NS 500u
/* Kicks for which none is left after one was late; and the share of them that is forgiven each time
 * that all which was left was in time. */
#define PENALTY_MIN 128
#define PENALTY_MAX (1 << 20)
#define PENALTY_FORGIVEN 64

static uint32_t requests_left(void)
{
    return __atomic_load_n(&ash_state.requests_left, __ATOMIC_RELAXED);
}

/* Something came after a kick: learn whether it came at once.  Callers that do this at the same
 * time may count wrongly, which costs time only. */
static void learn(struct ash_kicks *kicks)
{
    uint32_t left = requests_left();
    uint64_t since = __atomic_load_n(&kicks->since_ns, __ATOMIC_RELAXED);
    int32_t prompt = __atomic_load_n(&kicks->prompt, __ATOMIC_RELAXED);
    int32_t penalty = __atomic_load_n(&kicks->penalty, __ATOMIC_RELAXED);
    if (ash_now_ns() - since < PROMPT_NS + left * PROMPT_EACH_NS) {
        if (prompt < PROMPT_MIN) prompt++;
        if (left > 0) penalty -= (penalty + PENALTY_FORGIVEN - 1) / PENALTY_FORGIVEN;
    } else if (left > 0) {
        penalty = penalty < PENALTY_MIN / 2 ? PENALTY_MIN : 2 * penalty;
        if (penalty > PENALTY_MAX) penalty = PENALTY_MAX;
        prompt = -penalty;
    } else if (prompt > 0) {
        prompt = 0;
    }
    __atomic_store_n(&kicks->penalty, penalty, __ATOMIC_RELAXED);
    __atomic_store_n(&kicks->prompt, prompt, __ATOMIC_RELAXED);
}

/* All that was left is in UCX now, or about to be. */
static void taken(struct ash_kicks *kicks)
{
    __atomic_store_n(&ash_state.requests_left, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&kicks->since_ns, ash_now_ns(), __ATOMIC_RELAXED);
}

/* Only TCP gains by it; and a trace shows each request's way by itself. */
static bool may_leave(const struct ash_proxy *proxy)
{
    return __atomic_load_n(&proxy->has_tcp, __ATOMIC_RELAXED) && proxy->trace == NULL &&
           __atomic_load_n(&proxy->kicks.prompt, __ATOMIC_RELAXED) >= PROMPT_MIN;
}

/* True if the request is left in the channel. */
static bool leave(struct ash_proxy *proxy)
{
    uint32_t left = requests_left();
    if (left == LEFT_MAX || !may_leave(proxy)) return false;
    if (left == 0) __atomic_store_n(&proxy->kicks.since_ns, ash_now_ns(), __ATOMIC_RELAXED);
    __atomic_store_n(&ash_state.requests_left, left + 1, __ATOMIC_RELAXED);
    return true;
}

/*
 * Have other PEs changed variables of this one during these kicks, by signals, atomics or stores?
 * Then the caller exchanges something with them: a kick's iteration receives what the next wait is
 * for, so that wait makes no progress, and a proxy thread that is woken in vain takes the CPU from
 * one of the PEs.  Puts alone do not tell: PEs that all put much at once wait for none of it.
 */
static bool is_exchange(struct ash_kicks *kicks)
{
    if (!__atomic_load_n(&kicks->signaled, __ATOMIC_RELAXED)) return false;
    __atomic_store_n(&kicks->signaled, false, __ATOMIC_RELAXED);
    __atomic_store_n(&kicks->n, 1, __ATOMIC_RELAXED);
    return true;
}

void ash_kick(struct ash_proxy *proxy, bool can_wait)
{
    struct ash_kicks *kicks = &proxy->kicks;
    uint32_t n;
    /* A device thread's stack is too small for the proxy's work. */
    if (ash_hostdev_in_grid()) {
        ash_idle_yield_progress(proxy);
        return;
    }
    n = __atomic_fetch_add(&kicks->n, 1, __ATOMIC_RELAXED);
    if (n == 0) __atomic_store_n(&kicks->signaled, false, __ATOMIC_RELAXED);
    if (can_wait && leave(proxy)) return;
    if (n > 0) learn(kicks);
    if (n < KICKS_MAX || requests_left() > 0 || is_exchange(kicks))
        (void)ash_proxy_iterate(proxy);
    else
        ash_idle_yield_progress(proxy);
    taken(kicks);
}

void ash_kicks_end(struct ash_proxy *proxy)
{
    struct ash_kicks *kicks = &proxy->kicks;
    if (__atomic_load_n(&kicks->n, __ATOMIC_RELAXED) == 0) return;
    learn(kicks);
    __atomic_store_n(&kicks->n, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&ash_state.requests_left, 0, __ATOMIC_RELAXED);
}

void ash_kicks_taken(struct ash_proxy *proxy)
{
    if (dev_likely(requests_left() == 0)) return;
    learn(&proxy->kicks);
    taken(&proxy->kicks);
}
