/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Backoff of the proxy thread when it has nothing to do: it yields its core, and after a
 * while sleeps on two file descriptors: UCX's, and the eventfd that a device thread writes
 * when it sees the channel's armed bit.  A GPU cannot write an eventfd: while one is
 * attached, sleeps are short.  All limits are in backoff.h.
 */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "device/hostdev/backoff.h"
#include "lib/base/end.h"
#include "proxy/internal.h"

void ash_idle_start(struct ash_proxy *proxy)
{
    proxy->sleep_ns = ASH_PROXY_SLEEP_NS;
    proxy->timed_sleep_ns = ASH_PROXY_TIMED_NS;
}

static void drain_eventfd(int fd)
{
    uint64_t count;
    while (read(fd, &count, sizeof(count)) < 0 && errno == EINTR) {
    }
}

/* Longer where CPUs are oversubscribed. */
static uint64_t scale_timed_sleep(struct ash_proxy *proxy, uint64_t ns)
{
    ns *= ash_oversubscription(&proxy->cpu_load);
    return ns < ASH_PROXY_TIMED_MAX_NS ? ns : ASH_PROXY_TIMED_MAX_NS;
}

/* Sleep for ns, or until a caller yields progress; true if one did. */
static bool timed_sleep_until_kicked(struct ash_proxy *proxy, uint64_t ns)
{
    struct pollfd fd = {.fd = proxy->config.channel->wake_fd, .events = POLLIN};
    const struct timespec time = ash_timespec(ns);
    bool kicked = false;
    /*
     * Store, then load, both sequentially consistent, as ash_idle_yield_progress with the two
     * words exchanged: this thread sees progress_yielded, or the caller sees the timed sleep
     * and wakes it.
     */
    __atomic_store_n(&ash_state.proxy_in_timed_sleep, true, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&proxy->progress_yielded, __ATOMIC_SEQ_CST))
        kicked = ppoll(&fd, 1, &time, NULL) > 0;
    __atomic_store_n(&ash_state.proxy_in_timed_sleep, false, __ATOMIC_RELAXED);
    if (kicked) drain_eventfd(fd.fd);
    return __atomic_exchange_n(&proxy->progress_yielded, false, __ATOMIC_RELAXED) || kicked;
}

void ash_idle_yield_progress(struct ash_proxy *proxy)
{
    /* Pairs with timed_sleep_until_kicked: one of the two threads sees the other's store. */
    __atomic_store_n(&proxy->progress_yielded, true, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&ash_state.proxy_in_timed_sleep, __ATOMIC_SEQ_CST))
        ash_hostdev_wake((int)proxy->config.channel->wake_fd);
}

/*
 * The end of each timed sleep costs the callers that make progress some microseconds, on a
 * virtual machine tens.  So while they make progress without a break, each timed sleep is twice
 * as long as the last one.  None is longer than they have made progress before: if they then
 * compute, without yielding progress, a PE that sends a request to this one waits at most once
 * for as long.
 */
static void timed_sleep_while_progressed(struct ash_proxy *proxy)
{
    uint64_t before = __atomic_load_n(&proxy->iterations, __ATOMIC_RELAXED), iterations;
    uint64_t ns = scale_timed_sleep(proxy, proxy->timed_sleep_ns);
    bool kicked = timed_sleep_until_kicked(proxy, ns);
    iterations = __atomic_load_n(&proxy->iterations, __ATOMIC_RELAXED) - before;
    if (kicked || iterations < ns / ASH_PROXY_PROGRESS_NS)
        proxy->timed_sleep_ns = ASH_PROXY_TIMED_NS;
    else if (proxy->timed_sleep_ns < ASH_PROXY_TIMED_PROGRESS_NS)
        proxy->timed_sleep_ns *= 2;
    if (kicked) __atomic_store_n(&proxy->caller_progressed, false, __ATOMIC_RELAXED);
}

/*
 * True if UCX and the channel both wake the proxy thread from here on, and there is nothing to
 * do now; *ret_ns is how long it may sleep.  A thread that attaches a GPU later sees `asleep`
 * and wakes it.
 */
static bool arm(struct ash_proxy *proxy, uint64_t *ret_ns)
{
    ucs_status_t status;
    bool armed;
    if (!ash_proxy_try_lock(proxy)) {
        /* A caller makes progress, and may need this CPU. */
        ash_sleep_ns(scale_timed_sleep(proxy, ASH_PROXY_TIMED_NS));
        return false;
    }
    *ret_ns = proxy->gpu_served ? ASH_PROXY_GPU_SLEEP_NS : proxy->sleep_ns;
    status = ucp_worker_arm(proxy->worker);
    if (status != UCS_OK && status != UCS_ERR_BUSY)
        ash_fatal("proxy: UCX cannot be armed: %s", ucs_status_string(status));
    /* The last iteration may have been a caller's and have left something to send. */
    armed = status == UCS_OK && proxy->outbox.head == NULL && proxy->ready == NULL &&
            ash_ctxs_arm(proxy) && ash_channel_arm(proxy->config.channel);
    __atomic_store_n(&proxy->asleep, armed, __ATOMIC_RELAXED);
    if (armed && proxy->trace != NULL) ash_trace_flush(proxy->trace);
    ash_proxy_release(proxy);
    return armed;
}

/* Sleep until an event, unless there is something to do. */
static void sleep_until_event(struct ash_proxy *proxy)
{
    struct ash_channel *channel = proxy->config.channel;
    struct pollfd fds[2] = {{.fd = proxy->worker_fd, .events = POLLIN},
                            {.fd = channel->wake_fd, .events = POLLIN}};
    uint64_t ns;
    bool ready = true;
    if (proxy->spurious_wakeups > ASH_PROXY_SPURIOUS)
        ash_sleep_ns(scale_timed_sleep(proxy, ASH_PROXY_TIMED_NS));
    if (arm(proxy, &ns) && __atomic_load_n(&proxy->phase, __ATOMIC_ACQUIRE) != ASH_PROXY_STOP) {
        const struct timespec time = ash_timespec(ns);
        if (ppoll(fds, 2, &time, NULL) > 0 && fds[1].revents != 0)
            drain_eventfd((int)channel->wake_fd);
        ready = fds[0].revents != 0;
    }
    proxy->spurious_wakeups = ready ? proxy->spurious_wakeups + 1 : 0;
    __atomic_store_n(&proxy->asleep, false, __ATOMIC_RELAXED);
    ash_channel_disarm(channel);
}

void ash_idle_backoff(struct ash_proxy *proxy, unsigned idle)
{
    bool gpu = __atomic_load_n(&proxy->gpu_served, __ATOMIC_RELAXED);
    bool progressed = __atomic_exchange_n(&proxy->caller_progressed, false, __ATOMIC_RELAXED);
    /* From FINISHED on, lib may clear ash_state, which has proxy_in_timed_sleep. */
    if (__atomic_load_n(&proxy->phase, __ATOMIC_RELAXED) == ASH_PROXY_FINISHED) progressed = false;
    if (idle == 0) proxy->spurious_wakeups = 0;
    if (progressed && gpu)
        ash_sleep_ns(ASH_PROXY_GPU_SLEEP_NS);
    else if (progressed)
        timed_sleep_while_progressed(proxy);
    else if (idle < (gpu ? ASH_PROXY_GPU_PAUSES : ASH_PROXY_PAUSES))
        dev_pause();
    else if (idle < (gpu ? ASH_PROXY_GPU_IDLE_TURNS : ASH_PROXY_IDLE_TURNS))
        ash_hostdev_yield_cpu(); /* a thread with work now and then never gets to the sleep */
    else
        sleep_until_event(proxy);
}
