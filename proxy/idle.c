/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The proxy thread when it has nothing to do: it yields its core, and at length
 * sleeps on two file descriptors: UCX's, and the eventfd that a device thread writes
 * when it sees the channel's armed bit.  A GPU can write no eventfd: while one is
 * served, a sleep is short.
 */
#include <errno.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "device/hostdev/hostdev.h"
#include "lib/base/end.h"
#include "proxy/internal.h"

/* Turns without work before the core is yielded, and before sleeping. */
#define IDLE_PAUSES 20u
#define IDLE_YIELDS 80u
/*
 * Nanoseconds between two looks while callers make progress, at first and later; longer
 * where each look takes a CPU from others that wait, up to the third.
 */
#define TIMED_SLEEP_NS 100000u
#define TIMED_SLEEP_PROGRESS_NS 1000000u
#define TIMED_SLEEP_MAX_NS 5000000u
/* Requests between two waits, before progress is yielded to the proxy's thread. */
#define KICKS_MAX 64u
/* Callers that make progress less often than that do not look after the work. */
#define PROGRESS_NS 10000u
/*
 * Spurious wakeups in a row, for which UCX is ready at once and then has nothing to do, before a
 * timed sleep.
 * A TCP connection that waits for the peer's word is such: its socket can be written to.
 * Where CPUs are oversubscribed that word comes when the peers are let run.
 */
#define SPURIOUS_MAX 8u
/* Nanoseconds of a sleep; not needed to make progress, but harmless. */
#define SLEEP_NS 100000000u
/*
 * The same while a GPU is served, which cannot wake the proxy: it looks often for
 * as long as a kernel may be about to send more (some ms), then every 50 us.
 */
#define GPU_IDLE_PAUSES 1000u
#define GPU_IDLE_YIELDS 5000u
#define GPU_SLEEP_NS 50000

void ash_idle_start(struct ash_proxy *proxy)
{
    proxy->sleep_ns = SLEEP_NS;
    proxy->timed_sleep_ns = TIMED_SLEEP_NS;
}

static void drain_eventfd(int fd)
{
    uint64_t count;
    while (read(fd, &count, sizeof(count)) < 0 && errno == EINTR) {
    }
}

static void timed_sleep(long ns)
{
    clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, ns}, NULL);
}

/* Longer where CPUs are oversubscribed. */
static uint64_t scale_timed_sleep(struct ash_proxy *proxy, uint64_t ns)
{
    ns *= ash_oversubscription(&proxy->cpu_load);
    return ns < TIMED_SLEEP_MAX_NS ? ns : TIMED_SLEEP_MAX_NS;
}

/* Sleep for so long, or until the proxy's thread is kicked; true if it was. */
static bool timed_sleep_until_kicked(struct ash_proxy *proxy, uint64_t ns)
{
    struct pollfd fd = {.fd = proxy->config.channel->wake_fd, .events = POLLIN};
    const struct timespec time = {0, (long)ns};
    bool kicked = false;
    __atomic_store_n(&ash_state.proxy_in_timed_sleep, true, __ATOMIC_SEQ_CST);
    /* A caller that yields progress after this look sees the timed sleep. */
    if (!__atomic_load_n(&proxy->progress_yielded, __ATOMIC_SEQ_CST))
        kicked = ppoll(&fd, 1, &time, NULL) > 0;
    __atomic_store_n(&ash_state.proxy_in_timed_sleep, false, __ATOMIC_RELAXED);
    if (kicked) drain_eventfd(fd.fd);
    return __atomic_exchange_n(&proxy->progress_yielded, false, __ATOMIC_RELAXED) || kicked;
}

void ash_idle_yield_progress(struct ash_proxy *proxy)
{
    __atomic_store_n(&proxy->progress_yielded, true, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&ash_state.proxy_in_timed_sleep, __ATOMIC_SEQ_CST))
        ash_hostdev_wake((int)proxy->config.channel->wake_fd);
}

/*
 * A thread that sends one thing and then waits needs no proxy's thread.  One that sends
 * more and more without a wait leaves UCX to it, and a device thread has no stack for it.
 */
void ash_idle_kick(struct ash_proxy *proxy)
{
    if (!ash_hostdev_in_grid() &&
        __atomic_fetch_add(&proxy->kicks, 1, __ATOMIC_RELAXED) < KICKS_MAX)
        (void)ash_proxy_iterate(proxy);
    else
        ash_idle_yield_progress(proxy);
}

/*
 * Each timed sleep costs the callers that make progress some microseconds, on a virtual machine
 * tens, so while they do it without a break each is twice as long as the last one.  None is
 * longer than they have made progress before: a PE that asks this one when they have stopped, and
 * did not yield it, for they compute, waits once for as long.
 */
static void timed_sleep_while_progressed(struct ash_proxy *proxy)
{
    uint64_t before = __atomic_load_n(&proxy->iterations, __ATOMIC_RELAXED), iterations;
    uint64_t ns = scale_timed_sleep(proxy, proxy->timed_sleep_ns);
    bool kicked = timed_sleep_until_kicked(proxy, ns);
    iterations = __atomic_load_n(&proxy->iterations, __ATOMIC_RELAXED) - before;
    if (kicked || iterations < ns / PROGRESS_NS)
        proxy->timed_sleep_ns = TIMED_SLEEP_NS;
    else if (proxy->timed_sleep_ns < TIMED_SLEEP_PROGRESS_NS)
        proxy->timed_sleep_ns *= 2;
    if (kicked) __atomic_store_n(&proxy->caller_progressed, false, __ATOMIC_RELAXED);
}

/*
 * True if both wake the proxy from here on, and nothing is to be done now; and
 * how long it may sleep, in ns.  Whoever attaches a GPU later sees it asleep.
 */
static bool arm(struct ash_proxy *proxy, uint64_t *ret_ns)
{
    ucs_status_t status;
    bool armed;
    if (!ash_proxy_try_lock(proxy)) {
        /* A caller makes progress, and may want this CPU. */
        timed_sleep((long)scale_timed_sleep(proxy, TIMED_SLEEP_NS));
        return false;
    }
    *ret_ns = proxy->gpu_served ? GPU_SLEEP_NS : proxy->sleep_ns;
    status = ucp_worker_arm(proxy->worker);
    if (status != UCS_OK && status != UCS_ERR_BUSY)
        ash_fatal("proxy: UCX cannot be armed: %s", ucs_status_string(status));
    /* The last turn may have been a caller's and have left something to send. */
    armed = status == UCS_OK && proxy->outbox.head == NULL && proxy->ready == NULL &&
            ash_channel_arm(proxy->config.channel);
    __atomic_store_n(&proxy->asleep, armed, __ATOMIC_RELAXED);
    if (armed && proxy->trace != NULL) ash_trace_flush(proxy->trace);
    ash_proxy_release(proxy);
    return armed;
}

/* Sleep, unless something came while we decided to. */
static void sleep_until_event(struct ash_proxy *proxy)
{
    struct ash_channel *channel = proxy->config.channel;
    struct pollfd fds[2] = {{.fd = proxy->worker_fd, .events = POLLIN},
                            {.fd = channel->wake_fd, .events = POLLIN}};
    uint64_t ns;
    bool ready = true;
    if (proxy->spurious_wakeups > SPURIOUS_MAX)
        timed_sleep((long)scale_timed_sleep(proxy, TIMED_SLEEP_NS));
    if (arm(proxy, &ns) && __atomic_load_n(&proxy->phase, __ATOMIC_ACQUIRE) != ASH_PROXY_STOP) {
        const struct timespec time = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
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
    /* From then on ash_state, which has proxy_in_timed_sleep, may be cleared. */
    if (__atomic_load_n(&proxy->phase, __ATOMIC_RELAXED) == ASH_PROXY_FINISHED) progressed = false;
    if (idle == 0) proxy->spurious_wakeups = 0;
    if (progressed && gpu)
        timed_sleep(GPU_SLEEP_NS);
    else if (progressed)
        timed_sleep_while_progressed(proxy);
    else if (idle < (gpu ? GPU_IDLE_PAUSES : IDLE_PAUSES))
        dev_pause();
    else if (idle < (gpu ? GPU_IDLE_YIELDS : IDLE_YIELDS))
        ash_hostdev_yield_cpu(); /* one that has work now and then never comes to the sleep */
    else
        sleep_until_event(proxy);
}
