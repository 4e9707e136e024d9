/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared by the files of proxy/: the proxy itself; its connections and transfers are in
 * connection.h and xfer.h.
 *
 * The thread that holds the lock reads and writes all of it: the proxy thread, or a caller that
 * makes progress itself.  A field that another thread touches says who writes and reads it.
 *
 * Glossary
 *   client                a source of requests, with a channel: the host's threads, one of
 *                         their contexts, or a GPU
 *   connection            the state of this PE's communication with one PE, another one or itself
 *   peer ready            that PE has an endpoint to this one; until then RMA and atomics wait
 *   transfer              a request in flight, or a flush or control message of the proxy's own
 *   part                  one of the completions that a transfer counts down to its own
 *   fragment              at most ASH_FRAGMENT_SIZE bytes of a put or get, sent as one message
 *   streaming             the put of a connection that still has fragments to send
 *   message               a UCX active message between proxies; its header is struct ash_message
 *   change                an operation on a variable, or a small put, that fetches nothing
 *   coalesce              send changes that come in a row in one message
 *   ACK                   a message that says up to which number messages were applied
 *   reply                 a message with a value or bytes; to a device thread, by its reply line
 *   cookie                a transfer's name in a message, by which the reply finds it
 *   fence                 later transfers of a connection wait until earlier ones are complete
 *   flush                 the transfer that completes what a connection has posted
 *   quiet                 all requests of a client below a ticket complete at their PEs
 *   generation            the transfers that one quiet waits for; new ones count in the next
 *   dirty                 a connection with transfers that the next quiet must flush
 *   completion            what one quiet completes: all of the host and a GPU, or a context
 *   served                a context whose channel is polled, or that waits for its quiet
 *   ready                 something completed on it: transfers that it holds back may go
 *   staging buffer        host memory over which data in a GPU's own memory goes
 *   iteration             one round of the work: requests, UCX, replies, transfers held back
 *   kick                  a caller that will not wait does an iteration, yields progress, or
 *                         leaves a small request to what comes next
 *   yield progress        a caller that made progress leaves it to the proxy thread again
 *   timed sleep           the proxy thread's while callers make progress; a yield ends it early
 *   oversubscription      threads that want to run for each CPU; timed sleeps grow with it
 *   heartbeat peer        a PE of another node with which this one exchanges heartbeats
 *   monitored peer        a heartbeat peer that has failed if no heartbeat comes for too long
 *   failure notification  the message by which a PE that ends the job says why
 *   ucx abort handler     keeps a process that UCX aborts until the cause is known
 *   grace period          time for which a cause is kept before the job ends (lib/base/kept.h)
 */
#ifndef ASH_PROXY_INTERNAL_H
#define ASH_PROXY_INTERNAL_H

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "device/hostdev/clock.h"
#include "device/observe/trace.h"
#include "proxy/connection.h"
#include "proxy/failure/failure.h"
#include "proxy/failure/heartbeat.h"
#include "proxy/lock.h"
#include "proxy/observe/report.h"
#include "proxy/proxy.h"
#include "proxy/ucx/config.h"
#include "proxy/xfer_pool.h"

/* While this many transfers are in flight, no request is taken from the channels. */
#define ASH_LIVE_MAX 16384u
/* The same for memory of messages with several changes, in bytes. */
#define ASH_CHANGES_NBYTES_MAX (UINT64_C(4) << 20)

enum ash_proxy_phase {
    ASH_PROXY_RUN,
    ASH_PROXY_FINISH,
    ASH_PROXY_FINISHED,
    ASH_PROXY_STOP,
    ASH_PROXY_ENDED
};

/* The clients: the host's threads, and a GPU while one is attached. */
enum { ASH_HOST, ASH_GPU, ASH_CLIENTS };

struct ash_client {
    /* channel NULL: no such client.  Of the host only channel and replies are set.  `watch`
     * is also read by: the watcher thread, which ends before this is cleared. */
    struct ash_proxy_gpu own;
    /* The ticket below which requests are complete when the current quiet ends, and the next
     * one; 0: this client has not requested it. */
    uint64_t quiet_now, quiet_next;
    /* Quiets that wait until the other channel is popped up to `until`, in order; while two
     * wait, a later one replaces the second.  `below` 0: none. */
    struct {
        uint64_t below, until;
    } held[2];
    /* The ticket up to which the host's channel must be popped before a GPU's fence takes
     * effect; 0: no fence waits. */
    uint64_t fence_until;
    /* The proxy's own, or a context's. */
    struct ash_completion *completion;
    /* For counts: ASH_HOST or ASH_GPU. */
    uint8_t kind;
};

/* cpu_load.c.  Read and written by: the proxy thread. */
struct ash_cpu_load {
    int fd;
    long n_cpus;
    double running;
    int64_t looked_ms;
};

/* kick.c; with ash_state.requests_left.  Read and written by: callers, the proxy thread. */
struct ash_kicks {
    /* Since a waiting caller made progress, or since they were found to be an exchange. */
    uint32_t n;
    /* A variable of this PE was changed by a message during these.  Written by: the holder of the
     * proxy's lock (true), callers (false). */
    bool signaled;
    /* When the first request was left, or the last iteration of a kick ended. */
    uint64_t since_ns;
    /* How often in a row what came next came at once; below 0: how often it has to until that
     * counts.  And how often the last time. */
    int32_t prompt, penalty;
};

struct ash_proxy {
    struct ash_proxy_config config;
    struct ash_client clients[ASH_CLIENTS];
    /* This iteration serves the GPU first; the GPU is to be detached once it is complete. */
    bool gpu_first, gpu_leaves;
    /* A GPU is attached.  Written by: the holder of the lock.  Read by: all. */
    bool gpu_served;
    /* The thread that calls the GPU's watch() until watch_stops; `watched`: it runs.  Written
     * by: the caller of attach and detach.  Read by: the same; watch_stops by the watcher. */
    pthread_t watcher;
    bool watched, watch_stops;

    ucp_context_h context;
    ucp_worker_h worker;
    ucp_mem_h memory;
    ucp_address_t *address;
    size_t address_length;
    void *rkey;
    size_t rkey_length;
    /* Readable when UCX has something to do. */
    int worker_fd;
    /* UCX's fetching and, or, xor are right (ucx/selftest.c). */
    bool fetch_bitwise_works;

    /* n_pes pointers; a connection is made on first use. */
    struct ash_connection **connections;
    /* Requests for a reply that may be in flight to one PE. */
    uint32_t requests_max;
    /* A list, linked by next_ready. */
    struct ash_connection *ready;

    /* Transfers by cookie, in chunks, and the free ones; `live` are in use. */
    struct ash_xfer **chunks;
    uint32_t n_chunks;
    struct ash_xfer *free_xfers;
    uint32_t live;
    /* Memory of the messages with several changes that are open or that UCX has, in bytes; and how
     * many changes were appended to an open message until now. */
    uint64_t changes_nbytes, n_coalesced;
    /* The next request of the channel that is being drained is published; and the connections
     * that had an open message since the last ash_coalesce_send_all. */
    bool more_published;
    struct ash_connection *opened;
    /* A connection is over TCP.  Written by: the holder of the lock.  Read by: callers. */
    bool has_tcp;
    /* A context's doorbell came in this iteration. */
    bool ctx_rang;
    /* Messages to send, made by UCX's handlers, which must not send themselves. */
    struct ash_xfer_list outbox;

    /* Of the host and the GPU. */
    struct ash_completion completion;
    /* The contexts' clients by number, NULL where there is none; and those that are served. */
    struct ash_ctx_client **ctxs, *served;

    /* Fences that took effect; each connection compares it with its own count. */
    uint64_t fences;

    /* Messages that were dropped: from another job, or not from anyshmem. */
    uint64_t dropped;

    /* Nanoseconds of a sleep until an event while no GPU is attached; tests change it. */
    uint64_t sleep_ns;

    struct ash_cpu_load cpu_load;
    struct ash_tally tally;
    struct ash_heartbeat heartbeat;
    struct ash_notification notification;
    /* The proxy's events, or NULL; the flows of the request being taken and of the message
     * just sent. */
    struct ash_trace_buffer *trace;
    uint64_t flow_taken, flow_sent;
    /* The PEs leave: connections that break are no failure.  Written by: lib's thread, at
     * the end.  Read by: the holder of the lock. */
    bool leaving;
    /* Iterations since the start.  Written by: the holder of the lock.  Read by: the watch thread,
     * to see that they go on, and the proxy thread after a timed sleep. */
    uint64_t iterations;

    pthread_t thread;
    /* Its kernel thread id, 0 until it runs.  Written by: the proxy thread.  Read by: the watch
     * thread. */
    int thread_id;
    bool started;
    /* The thread that holds the lock (lock.h), or NULL.  Read and written by: all. */
    const char *holder;
    /* A signal handler has interrupted the holder of the lock in its work, and the job ends for
     * that.  Read and written by: that thread. */
    bool interrupted;
    /* A caller made progress of late: the proxy thread may take a timed sleep.  Written by:
     * callers (true), the proxy thread (false).  Read by: the same. */
    bool caller_progressed;
    /* A caller has yielded progress to the proxy thread since the last timed sleep (idle.c).
     * Written by: callers (true), the proxy thread (false).  Read by: the proxy thread. */
    bool progress_yielded;
    /* Length of the next timed sleep, before it is scaled.  Read and written by: the proxy
     * thread. */
    uint64_t timed_sleep_ns;
    struct ash_kicks kicks;
    /* Wakeups in a row by UCX that then had nothing to do.  Read and written by: the proxy
     * thread. */
    unsigned spurious_wakeups;
    /* The proxy thread sleeps until an event.  Written by: the proxy thread, and a caller that
     * wakes it (false).  Read by: callers that release the lock. */
    bool asleep;
    /* Written by: lib (FINISH, STOP), the proxy thread (FINISHED, ENDED).  Read by: both. */
    int phase;
};

/* True if these bytes are within the heap, which has the same size on all PEs. */
static inline bool ash_range_exists(const struct ash_proxy *proxy, uint64_t offset, uint64_t nbytes)
{
    uint64_t size = proxy->config.heap_size;
    return offset <= size && nbytes <= size - offset;
}

/* ucx/setup.c */
int ash_ucx_start(struct ash_proxy *proxy);
void ash_ucx_stop(struct ash_proxy *proxy);

/* iteration.c: do one iteration of the proxy's work, unless another thread is at it.  True if
 * there was something to do. */
bool ash_proxy_iterate(struct ash_proxy *proxy);
/* The same for the thread that holds the proxy. */
bool ash_proxy_work(struct ash_proxy *proxy);

/* idle.c: yield progress to the proxy thread, which ends its timed sleep.  Callable: any thread. */
void ash_idle_yield_progress(struct ash_proxy *proxy);
/* kick.c: kick the proxy thread: do an iteration here, leave the request to what comes next if it
 * can wait, or yield progress to it in a device thread and after many without an exchange. */
void ash_kick(struct ash_proxy *proxy, bool can_wait);
/* A caller that waits makes progress; the proxy thread does. */
void ash_kicks_end(struct ash_proxy *proxy);
void ash_kicks_taken(struct ash_proxy *proxy);
/* Backoff of the proxy thread after `idle` iterations in a row without work. */
void ash_idle_start(struct ash_proxy *proxy);
void ash_idle_backoff(struct ash_proxy *proxy, unsigned idle);

/* client.c: take requests from all channels; true if there were any. */
bool ash_clients_drain(struct ash_proxy *proxy);

/* client.c: take a batch of requests from one channel; true if there were any. */
bool ash_client_drain(struct ash_proxy *proxy, struct ash_client *client);

/* completion.c: a quiet must flush the connection to this PE; take such a connection, or NULL.
 * Free what belongs to it. */
void ash_completion_mark(struct ash_proxy *proxy, struct ash_completion *completion, uint32_t pe);
struct ash_connection *ash_completion_take(struct ash_proxy *proxy,
                                           struct ash_completion *completion);
void ash_completion_finish(struct ash_completion *completion);

/* ctx.c: a context has published a request while its channel was armed. */
void ash_ctx_serve(struct ash_proxy *proxy, uint64_t number);
/* Take requests from the contexts that are served; true if there were any. */
bool ash_ctxs_drain(struct ash_proxy *proxy);
/* Advance their quiets, and serve no longer those with nothing to do. */
void ash_ctxs_advance(struct ash_proxy *proxy);
/* Arm the channels of all; false if one has something to do. */
bool ash_ctxs_arm(struct ash_proxy *proxy);
void ash_ctxs_free(struct ash_proxy *proxy);

/* fence_threads.c: all threads of the process pass a fence before it returns; start first.  False:
 * the system has no such fence. */
bool ash_fence_threads_start(void);
bool ash_fence_threads(void);

/* gpu.c: an iteration's work for a GPU, apart from its requests. */
void ash_gpu_serve(struct ash_proxy *proxy, struct ash_client *gpu);

/* dispatch.c: check a request and start its transfer. */
void ash_dispatch(struct ash_proxy *proxy, struct ash_client *client,
                  const struct ash_request *request, uint64_t ticket);

/* observe/count.c: a request was taken: one with a transfer, or a marker, which is a fence or
 * a quiet. */
void ash_request_taken(struct ash_proxy *proxy, const struct ash_client *client,
                       struct ash_xfer *xfer);
void ash_request_marker(struct ash_proxy *proxy, const struct ash_client *client, unsigned op);
/* The request's transfer is complete; or another transfer continues it. */
void ash_request_done(struct ash_proxy *proxy, const struct ash_xfer *xfer);
void ash_request_pass(struct ash_xfer *from, struct ash_xfer *to);

/* observe/trace.c: emit the proxy's events, for ANYSHMEM_TRACE; only where proxy->trace is not
 * NULL. */
void ash_emit_take(struct ash_proxy *proxy, const struct ash_decoded *request, uint64_t began);
void ash_emit_post(struct ash_proxy *proxy, const struct ash_event *event, bool message);
void ash_emit_done(struct ash_proxy *proxy, const struct ash_xfer *xfer);
void ash_emit_apply(struct ash_proxy *proxy, const struct ash_message *message, size_t nbytes,
                    uint64_t began);

/* direct.c: do a GPU's request to a PE that is mapped here. */
void ash_direct(struct ash_proxy *proxy, struct ash_xfer *xfer, unsigned char *heap);

/* order.c: notify the client when all its requests below `below` are complete; advance the quiet
 * in progress. */
void ash_quiet_request(struct ash_proxy *proxy, struct ash_client *client, uint64_t below);
void ash_quiet_advance(struct ash_proxy *proxy, struct ash_completion *completion);
/* A fence: what the client sends from here on is ordered after what it has sent before; for a
 * GPU, also after what the host has sent. */
void ash_client_fence(struct ash_proxy *proxy, struct ash_client *client);
/* Let a fence of the client take effect once the host's channel was popped far enough. */
void ash_client_fence_when_due(struct ash_proxy *proxy, struct ash_client *client);
/* A client requests a quiet of all its requests below `below`: start it when the other channel,
 * if there is one, has been popped far enough. */
void ash_client_quiet(struct ash_proxy *proxy, struct ash_client *client, uint64_t below);
/* Start the client's quiets for which the other channel was popped up to `popped`. */
void ash_client_start_held(struct ash_proxy *proxy, struct ash_client *client, uint64_t popped);
/* True if the request `ahead` slots behind the next one to pop was published. */
bool ash_request_is_published(const struct ash_channel_progress *progress, uint64_t ahead);

/* cpu_load.c: oversubscription, the threads that each CPU has to run, at least 1. */
void ash_cpu_load_start(struct ash_cpu_load *load);
void ash_cpu_load_stop(struct ash_cpu_load *load);
uint32_t ash_oversubscription(struct ash_cpu_load *load);

/* affinity.c: bind the proxy thread as ANYSHMEM_PROXY_CPUS says; without it, widen a binding to
 * one CPU. */
int ash_proxy_bind(struct ash_proxy *proxy);
/* The CPUs of the NUMA node that has this CPU; false if that is unknown.  root: "", or in tests
 * the folder that has another /sys. */
bool ash_cpus_of_numa_node(const char *root, int cpu, cpu_set_t *ret_set);

/* ucx/selftest.c: true if UCX's fetching and, or and xor are right. */
bool ash_ucx_fetch_bitwise_works(struct ash_proxy *proxy);

#endif
