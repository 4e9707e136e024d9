/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The thread polls an eventfd, which wakes it, and a pidfd of each PE of this node; its timeout
 * is the shortest of the heartbeat, the report's tick and the end of a grace period.
 */
#include "lib/watch/watch.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "device/hostdev/hostdev.h"
#include "device/hostdev/wait_table.h"
#include "lib/base/deadline.h"
#include "lib/base/end.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/family.h"
#include "lib/base/kept.h"
#include "lib/base/log.h"
#include "lib/base/times.h"
#include "lib/memory/fd_passing.h"
#include "lib/report/report.h"
#include "lib/watch/peer.h"
#include "lib/watch/status.h"

/* How many other nodes this one monitors. */
#define NEXT_NODES 2

static struct {
    pthread_t thread;
    bool running;
    /* Once made it is never closed, because a thread or signal handler may be about to write to
     * it.  -1: not made yet.  Written by: ash_watch_start.  Read by: any thread or handler. */
    int wake_fd;
    /* Written by: start and stop.  Read by: the watch thread. */
    bool stopping;
    /* The interval of ash_watch_tick_every; 0: none.  Written by: its caller.  Read by: the watch
     * thread. */
    int tick_ms;
    /* Called whenever the thread is awake; NULL: nothing. */
    void (*tick)(void);
    /* The interval of heartbeats, and when the last one was sent; set before the thread starts,
     * then used by it alone. */
    int heartbeat_ms;
    int64_t last_heartbeat;
    /* NULL until it runs.  Written by: start and stop.  Read by: the watch thread, and the thread
     * that ends the job. */
    struct ash_proxy *proxy;
    /* The proxy's iterations at the last look, and for how long there were no more.  From
     * here to kept_ms: used by the watch thread only. */
    uint64_t iterations;
    int stalled_ms;
    /* The ticket of the request that came next at the last look, and for how long it was claimed
     * and not published. */
    uint64_t unpublished;
    int unpublished_ms;
    /* In how many ms the job ends for the kept cause; -1: there is none. */
    int kept_ms;
    /* The other PEs were notified why this one ends.  Read and written by: the watch thread, and
     * the thread that ends the job. */
    bool notified;
    /* The other PEs of this node; fds[0] is wake_fd, fds[i + 1] is the pidfd of peers[i]. */
    struct ash_monitored_peer *peers;
    struct pollfd *fds;
    uint32_t n_peers;
    /* The next PE of the node, in a ring, so that each PE's heartbeat has one PE that checks it. */
    struct ash_monitored_peer *next;
} watch = {.wake_fd = -1, .kept_ms = -1};

void ash_watch_wake(void)
{
    const uint64_t one = 1;
    /* Acquire: pairs with the release in ash_watch_start. */
    int kept_errno = errno, fd = __atomic_load_n(&watch.wake_fd, __ATOMIC_ACQUIRE);
    ssize_t written = fd >= 0 ? write(fd, &one, sizeof(one)) : 0;
    /* If the counter is full, the write fails, but then the thread is being woken anyway. */
    (void)written;
    errno = kept_errno;
}

void ash_watch_tick_every(int ms, void (*tick)(void))
{
    __atomic_store_n(&watch.tick, tick, __ATOMIC_RELEASE);
    if (__atomic_exchange_n(&watch.tick_ms, ms, __ATOMIC_ACQ_REL) != ms) ash_watch_wake();
}

void ash_watch_forked(void)
{
    watch.running = false;
    watch.wake_fd = -1;
}

static void drain_eventfd(void)
{
    uint64_t count;
    while (read(watch.wake_fd, &count, sizeof(count)) < 0 && errno == EINTR) {
    }
}

/* Without its proxy this PE waits indefinitely, and so do the PEs that wait for it. */
static void check_iterations(struct ash_proxy *proxy, int elapsed_ms)
{
    uint64_t iterations;
    if (!ash_proxy_iterations(proxy, &iterations)) ash_fatal("proxy: its thread has ended");
    watch.stalled_ms = iterations != watch.iterations ? 0 : watch.stalled_ms + elapsed_ms;
    watch.iterations = iterations;
    if (ash_env.peer_timeout > 0 && watch.stalled_ms >= ash_env.peer_timeout * 1000)
        ash_fatal("proxy: no progress for %d s (ANYSHMEM_PEER_TIMEOUT)", (int)ash_env.peer_timeout);
}

/* A thread that is stopped in the middle of a request stops all requests behind it. */
static void check_requests(const struct ash_proxy *proxy, int elapsed_ms)
{
    uint64_t ticket;
    bool same = ash_proxy_unpublished(proxy, &ticket) && ticket == watch.unpublished;
    watch.unpublished_ms = same ? watch.unpublished_ms + elapsed_ms : 0;
    watch.unpublished = ticket;
    if (ash_env.peer_timeout > 0 && watch.unpublished_ms >= ash_env.peer_timeout * 1000)
        ash_fatal("a thread of this PE was interrupted in the middle of a request %d s ago "
                  "(ANYSHMEM_PEER_TIMEOUT): a signal handler waits or has not returned, or the "
                  "thread was cancelled", (int)ash_env.peer_timeout);
}

/* This PE ends the job: notify the others of the cause. */
static void notify(const struct ash_cause *cause)
{
    struct ash_proxy *proxy = __atomic_load_n(&watch.proxy, __ATOMIC_ACQUIRE);
    ash_status_end(cause);
    if (__atomic_exchange_n(&watch.notified, true, __ATOMIC_RELAXED) || proxy == NULL) return;
    ash_proxy_notify(proxy, cause);
}

/*
 * End the job for the kept cause, once it is due.  If it is only a broken connection, a PE of this
 * node that is ending may know a better one.
 */
static void look_at_kept_cause(void)
{
    struct ash_cause cause;
    bool is_suspected;
    watch.kept_ms = ash_kept_cause(&cause, &is_suspected);
    /* The launcher may end this PE within the grace period, so that others must know now. */
    if (watch.kept_ms > 0 && cause.kind == ASH_CAUSE_ENDED) notify(&cause);
    if (watch.kept_ms != 0) return;
    for (uint32_t i = 0; i < watch.n_peers && cause.kind == ASH_CAUSE_BROKEN; i++)
        (void)ash_monitored_ends(&watch.peers[i], &cause);
    ash_end_for(&cause);
}

/*
 * Send a heartbeat, and check those of others.  Time in which this process itself was stopped
 * does not count, because it could not see the heartbeats of others then.
 */
static void exchange_heartbeats(void)
{
    struct ash_proxy *proxy = __atomic_load_n(&watch.proxy, __ATOMIC_ACQUIRE);
    int64_t now = ash_now_ms(), elapsed = now - watch.last_heartbeat;
    if (watch.heartbeat_ms == 0 || elapsed < watch.heartbeat_ms) return;
    watch.last_heartbeat = now;
    if (elapsed > 2 * watch.heartbeat_ms) elapsed = 2 * watch.heartbeat_ms;
    ash_status_heartbeat();
    if (watch.next != NULL) ash_monitored_heartbeat(watch.next, (int)elapsed);
    if (proxy == NULL) return;
    check_iterations(proxy, (int)elapsed);
    check_requests(proxy, (int)elapsed);
    ash_proxy_heartbeat(proxy, (int)elapsed);
}

static int sleep_ms(void)
{
    int tick = __atomic_load_n(&watch.tick_ms, __ATOMIC_ACQUIRE);
    if (tick == 0 || (watch.heartbeat_ms != 0 && watch.heartbeat_ms < tick))
        tick = watch.heartbeat_ms;
    if (watch.kept_ms >= 0 && (tick == 0 || watch.kept_ms < tick)) tick = watch.kept_ms;
    return tick == 0 ? -1 : tick;
}

static void look_at_peers(void)
{
    for (uint32_t i = 0; i < watch.n_peers; i++) {
        struct pollfd *fd = &watch.fds[i + 1];
        if (fd->revents & POLLIN) (void)ash_monitored_ended(&watch.peers[i]);
        /* The PE has left, or the program has closed a descriptor that is not its own. */
        if (fd->revents != 0) fd->fd = -1;
    }
}

static void run_tick(void)
{
    void (*tick)(void) = __atomic_load_n(&watch.tick, __ATOMIC_ACQUIRE);
    if (tick != NULL) tick();
}

static void *watch_main(void *unused)
{
    (void)unused;
    /* Acquire, here and below: pairs with the release in ash_watch_stop, which then wakes poll. */
    while (!__atomic_load_n(&watch.stopping, __ATOMIC_ACQUIRE)) {
        int n = poll(watch.fds, watch.n_peers + 1, sleep_ms());
        if (n > 0 && watch.fds[0].revents != 0) drain_eventfd();
        if (__atomic_load_n(&watch.stopping, __ATOMIC_ACQUIRE)) break;
        if (n > 0) look_at_peers();
        exchange_heartbeats();
        look_at_kept_cause();
        run_tick();
    }
    return NULL;
}

/* Open the other PEs of this node, and find which of them follows this one in the ring. */
static int open_peers(const struct ash_bootstrap *b, uint64_t status_offset)
{
    watch.peers = calloc(b->n_local, sizeof(*watch.peers));
    watch.fds = calloc(b->n_local, sizeof(*watch.fds));
    if (watch.peers == NULL || watch.fds == NULL)
        return ash_no_memory_for("the watch of this node's PEs");
    for (uint32_t i = 0; i < b->n_local; i++) {
        struct ash_monitored_peer *peer = &watch.peers[watch.n_peers];
        struct ash_record *record;
        int rc;
        if (b->local_pes[i] == b->pe) continue;
        rc = ash_record_get(b->local_pes[i], &record);
        if (rc != 0) return rc;
        ash_monitored_open(peer, record, status_offset);
        free(record);
        watch.fds[++watch.n_peers] = (struct pollfd){.fd = peer->process, .events = POLLIN};
        if (watch.next == NULL || (peer->pe > b->pe && watch.next->pe < b->pe)) watch.next = peer;
    }
    return 0;
}

/* Only the first PE of the node warns. */
static void warn_if_blind(const struct ash_bootstrap *b)
{
    int own = ash_process_open(getpid());
    if (own >= 0) {
        close(own);
    } else if (b->local_pes[0] == b->pe && errno != EMFILE && errno != ENFILE) {
        ash_log(ASH_LOG_WARN, "cannot monitor processes on this system (pidfd_open: %m): the end "
                "of a PE of this node is noticed after ANYSHMEM_PEER_TIMEOUT (%d s; 0: never), not "
                "at once", (int)ash_env.peer_timeout);
    }
}

static void choose_heartbeat(void)
{
    int64_t ms = ash_env.peer_timeout * 1000 / ASH_HEARTBEATS;
    /* Without a time limit no PE is given up, but heartbeats keep the connections that a failure
     * notification needs. */
    if (ms == 0) ms = ASH_HEARTBEAT_MS_MAX;
    watch.heartbeat_ms = ms < ASH_HEARTBEAT_MS_MIN   ? ASH_HEARTBEAT_MS_MIN
                         : ms > ASH_HEARTBEAT_MS_MAX ? ASH_HEARTBEAT_MS_MAX
                                                     : (int)ms;
    watch.last_heartbeat = ash_now_ms();
}

int ash_watch_proxy(const struct ash_bootstrap *b, struct ash_proxy *proxy)
{
    uint32_t pes[NEXT_NODES];
    unsigned n;
    int rc = ash_record_next_nodes(b, NEXT_NODES, pes, &n);
    if (rc != 0) return rc;
    /* Before ash_proxy_monitor, which would wait for a proxy that already hangs: the watch must
     * monitor it by then.  Pairs with the acquires of the watch thread. */
    __atomic_store_n(&watch.proxy, proxy, __ATOMIC_RELEASE);
    ash_watch_wake();
    ash_proxy_monitor(proxy, pes, n, (int)ash_env.peer_timeout * 1000);
    return 0;
}

static struct ash_monitored_peer *find(uint32_t pe)
{
    for (uint32_t i = 0; i < watch.n_peers; i++)
        if (watch.peers[i].pe == pe) return &watch.peers[i];
    return NULL;
}

void ash_watch_suspect(uint32_t pe)
{
    struct ash_monitored_peer *peer = find(pe);
    if (peer != NULL) ash_monitored_suspect(peer);
}

bool ash_watch_sees(uint32_t pe)
{
    const struct ash_monitored_peer *peer = find(pe);
    return peer != NULL && peer->process >= 0;
}

static void give_back(void)
{
    struct ash_cause failed;
    /* If this PE has not left by now, its start has failed, which ends the job. */
    ash_cause_own(&failed, ASH_EXIT_FATAL);
    ash_status_end(&failed);
    for (uint32_t i = 0; i < watch.n_peers; i++) ash_monitored_close(&watch.peers[i]);
    free(watch.peers);
    free(watch.fds);
    watch.peers = watch.next = NULL;
    watch.fds = NULL;
    watch.n_peers = 0;
    watch.proxy = NULL;
    watch.notified = false;
    ash_notify_hook = NULL;
    ash_kept_hook = NULL;
    ash_status_use(NULL);
}

int ash_watch_start(const struct ash_bootstrap *b, unsigned char *heap, uint64_t status_offset)
{
    uint32_t wait = ash_hostdev_register_call(ash_family_name("nvshmem_init"),
                                              "the PEs of its node");
    int rc;
    ash_status_use((struct ash_status_block *)(void *)(heap + status_offset));
    /* Set before the peers are opened: if one of them has ended, this PE ends as well, and its
     * status block must show the cause to the PEs that look at it next. */
    ash_notify_hook = notify;
    rc = open_peers(b, status_offset);
    ash_hostdev_wait_unregister(wait);
    if (rc != 0) goto give_all_back;
    if (watch.n_peers > 0) warn_if_blind(b);
    watch.stopping = false;
    choose_heartbeat();
    /* Release: pairs with the acquire in ash_watch_wake. */
    if (watch.wake_fd < 0)
        __atomic_store_n(&watch.wake_fd, eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), __ATOMIC_RELEASE);
    if (watch.wake_fd < 0) {
        ash_log(ASH_LOG_ERROR, "cannot monitor the PEs of this node: %m");
        rc = ASH_ERROR_SYSTEM;
        goto give_all_back;
    }
    watch.fds[0] = (struct pollfd){.fd = watch.wake_fd, .events = POLLIN};
    /* Before the thread runs, which may find a dead PE at once. */
    ash_kept_hook = ash_watch_wake;
    rc = ash_hostdev_thread(&watch.thread, watch_main, NULL, "anyshmem-watch");
    watch.running = rc == 0;
    if (rc == 0) return 0;
    ash_kept_hook = NULL;
    rc = ash_no_thread_for("the watch of this node's PEs", -rc);

give_all_back:
    give_back();
    return rc;
}

void ash_watch_stop(void)
{
    if (!watch.running) return;
    watch.running = false;
    /* Before the wakeup: pairs with the acquires in watch_main. */
    __atomic_store_n(&watch.stopping, true, __ATOMIC_RELEASE);
    ash_watch_wake();
    pthread_join(watch.thread, NULL);
    give_back();
}
