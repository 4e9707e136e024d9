/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of proxy/ share: the proxy; its connections and transfers are in
 * connection.h and xfer.h.
 *
 * All of it belongs to whoever holds `busy`: the proxy thread, or a caller that makes
 * progress in its place.  `phase`, `caller_progressed` and `gpu_served` are for all.
 */
#ifndef ASH_PROXY_INTERNAL_H
#define ASH_PROXY_INTERNAL_H

#include <pthread.h>
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

/* Transfers under way at which the channels are left alone for a while. */
#define ASH_LIVE_MAX 16384u

enum ash_proxy_phase {
    ASH_PROXY_RUN,
    ASH_PROXY_FINISH,
    ASH_PROXY_FINISHED,
    ASH_PROXY_STOP,
    ASH_PROXY_ENDED
};

/* Whom the proxy serves: the host's threads, and a GPU while one is attached. */
enum { ASH_HOST, ASH_GPU, ASH_CLIENTS };

struct ash_client {
    /* channel NULL: nobody is there.  Of the host only channel and replies are set. */
    struct ash_proxy_gpu own;
    /* What the quiet under way, and the next one, says is complete; 0: none is requested. */
    uint64_t quiet_now, quiet_next;
    /* Quiets that wait until the other channel is popped up to `until`, in order; later
     * ones join the second.  `below` 0: none. */
    struct {
        uint64_t below, until;
    } held[2];
    /* A GPU's fence waits until the host's channel is popped up to there; 0: none does. */
    uint64_t fence_until;
};

/* crowd.c; of the proxy's thread. */
struct ash_cpu_load {
    int fd;
    long n_cpus;
    double running;
    int64_t looked_ms;
};

struct ash_proxy {
    struct ash_proxy_config config;
    struct ash_client clients[ASH_CLIENTS];
    /* The GPU is the first to be served in this iteration; it is about to be detached. */
    bool gpu_first, gpu_leaves;
    /* A GPU is attached; for all. */
    bool gpu_served;
    /* Calls the GPU's watch() until it is told to stop. */
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
    /* UCX's fetching and, or, xor are right (architecture: GCC and libuct). */
    bool fetch_bitwise_works;

    /* n_pes pointers; a connection is made on first use. */
    struct ash_connection **connections;
    struct ash_connection *dirty, *ready;

    /* Transfers by cookie, in chunks, and the free ones. */
    struct ash_xfer **chunks;
    uint32_t n_chunks;
    struct ash_xfer *free_xfers;
    uint32_t live;
    /* Replies to send, made by message handlers. */
    struct ash_xfer_list outbox;

    /* Transfers under way of each generation; new ones count in `generation`. */
    uint32_t under_way[ASH_GENERATIONS + 1];
    uint8_t generation;
    /* A quiet is under way. */
    bool quiet_active;

    /* Fences that devices requested. */
    uint64_t fences;

    /* Messages that were dropped: another job's, or not ours. */
    uint64_t dropped;

    /* How long it sleeps while no GPU is served; tests make it long. */
    uint64_t sleep_ns;

    struct ash_cpu_load cpu_load;
    struct ash_tally tally;
    struct ash_heartbeat heartbeat;
    struct ash_notification notification;
    /* Its events, or NULL; the request that is taken, the message that was sent. */
    struct ash_trace_buffer *trace;
    uint64_t flow_taken, flow_sent;
    /* The first failure that was found, 0 or 1 of them, and when it ends the job (ash_seconds). */
    struct ash_cause failure;
    bool has_failed;
    double failure_due;
    /* The PEs leave: connections that break are no failure. */
    bool leaving;
    /* Iterations of its work, for checks whether it goes on; for all. */
    uint64_t iterations;

    pthread_t thread;
    /* The thread's number, 0 until it runs. */
    int thread_id;
    bool started;
    /* Somebody does the proxy's work: a try-lock. */
    bool busy;
    /* A waiting caller made progress of late: the proxy may take a timed sleep. */
    bool caller_progressed;
    /* A caller has yielded progress to the proxy's thread since the last timed sleep (idle.c). */
    bool progress_yielded;
    uint64_t timed_sleep_ns;
    /* Times that it was kicked since a waiting caller made progress; for all. */
    uint32_t kicks;
    /* Wakeups in a row by UCX for which it then had nothing to do. */
    unsigned spurious_wakeups;
    /* The proxy sleeps until an event. */
    bool asleep;
    /* Written by: lib (FINISH, STOP), proxy (FINISHED, ENDED). */
    int phase;
};

/* These bytes are within the heap of each PE. */
static inline bool ash_range_exists(const struct ash_proxy *proxy, uint64_t offset, uint64_t nbytes)
{
    uint64_t size = proxy->config.heap_size;
    return offset <= size && nbytes <= size - offset;
}

/* setup.c */
int ash_ucx_start(struct ash_proxy *proxy);
void ash_ucx_stop(struct ash_proxy *proxy);

/* iteration.c: do one iteration of the proxy's work, unless another thread is at it.  True if
 * there was something to do. */
bool ash_proxy_iterate(struct ash_proxy *proxy);
/* The same for the thread that holds the proxy. */
bool ash_proxy_work(struct ash_proxy *proxy);

/* idle.c: yield progress to the proxy's thread, which ends its timed sleep; from any thread. */
void ash_idle_yield_progress(struct ash_proxy *proxy);
/* Kick the progress thread: do an iteration in its place, or yield progress to it where that
 * will not do. */
void ash_idle_kick(struct ash_proxy *proxy);
/* Backoff of the proxy thread: what it does after so many iterations without work. */
void ash_idle_start(struct ash_proxy *proxy);
void ash_idle_backoff(struct ash_proxy *proxy, unsigned idle);

/* client.c: take requests from all channels; true if there were any. */
bool ash_clients_drain(struct ash_proxy *proxy);

/* gpu.c: what an iteration does for a GPU beside its requests. */
void ash_gpu_serve(struct ash_proxy *proxy, struct ash_client *gpu);

/* dispatch.c: check a request and start its transfer. */
void ash_dispatch(struct ash_proxy *proxy, struct ash_client *client,
                  const struct ash_request *request, uint64_t ticket);

/* count.c: a request was taken of which this is the transfer, or that is a fence or quiet. */
void ash_request_taken(struct ash_proxy *proxy, const struct ash_client *client,
                       struct ash_xfer *xfer);
void ash_request_marker(struct ash_proxy *proxy, const struct ash_client *client, unsigned op);
/* Its transfer is complete; or another one goes on for it. */
void ash_request_done(struct ash_proxy *proxy, const struct ash_xfer *xfer);
void ash_request_pass(struct ash_xfer *from, struct ash_xfer *to);

/* trace.c: what it did, for ANYSHMEM_TRACE; only where proxy->trace is not NULL. */
void ash_emit_take(struct ash_proxy *proxy, const struct ash_decoded *request, uint64_t began);
void ash_emit_post(struct ash_proxy *proxy, const struct ash_event *event, bool message);
void ash_emit_done(struct ash_proxy *proxy, const struct ash_xfer *xfer);
void ash_emit_apply(struct ash_proxy *proxy, const struct ash_message *message, size_t nbytes,
                    uint64_t began);

/* direct.c: do a GPU's request to a PE that is mapped here. */
void ash_direct(struct ash_proxy *proxy, struct ash_xfer *xfer, unsigned char *heap);

/* order.c: notify the client when all its requests below `below` are complete. */
void ash_quiet_request(struct ash_proxy *proxy, struct ash_client *client, uint64_t below);
void ash_quiet_advance(struct ash_proxy *proxy);
/* What a client sends from here on comes after what it sent, and for a GPU's the host. */
void ash_client_fence(struct ash_proxy *proxy, struct ash_client *client);
/* The fence that the client waits for, if the other channel was popped far enough. */
void ash_client_fence_when_due(struct ash_proxy *proxy, struct ash_client *client);
/* A client requests to be notified when all its requests below `below` are complete. */
void ash_client_quiet(struct ash_proxy *proxy, struct ash_client *client, uint64_t below);
/* Start the client's quiets for which the other channel was popped up to `popped`. */
void ash_client_start_held(struct ash_proxy *proxy, struct ash_client *client, uint64_t popped);
/* Was the request `ahead` of the next one published? */
bool ash_request_is_published(const struct ash_channel_progress *progress, uint64_t ahead);

/* crowd.c: oversubscription, the threads that each CPU has to run, at least 1. */
void ash_cpu_load_start(struct ash_cpu_load *load);
void ash_cpu_load_stop(struct ash_cpu_load *load);
uint32_t ash_oversubscription(struct ash_cpu_load *load);

/* affinity.c: as ANYSHMEM_PROXY_CPUS says, or off a single CPU. */
int ash_proxy_bind(struct ash_proxy *proxy);

/* selftest.c */
bool ash_ucx_fetch_bitwise_works(struct ash_proxy *proxy);

#endif
