/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of proxy/ share: the proxy, its targets, its transfers.
 *
 * All of it belongs to whoever holds `busy`: the proxy thread, or a thread that
 * helps it.  `phase`, `helped` and `gpu_served` are for all.
 */
#ifndef ASH_PROXY_INTERNAL_H
#define ASH_PROXY_INTERNAL_H

#include <pthread.h>
#include <time.h>
#include <ucp/api/ucp.h>

#include "device/hostdev_trace.h"
#include "proxy/heartbeat.h"
#include "proxy/lock.h"
#include "proxy/message.h"
#include "proxy/proxy.h"
#include "proxy/report.h"
#include "proxy/setup_config.h"

/* Transfers under way at which the channels are left alone for a while. */
#define ASH_LIVE_MAX 16384u

/* Ops that only the proxy makes, beside those of a request. */
enum {
    /* Complete what was sent to one target before. */
    ASH_XFER_FLUSH = ASH_OPS,
    /* A message that answers another PE. */
    ASH_XFER_ANSWER
};

/* Of which quiet a transfer is part: one under way and one to come, or none. */
enum { ASH_GENERATIONS = 2, ASH_NO_GENERATION = 2 };

/*
 * A transfer: one request under way.  It holds all memory that UCX may read
 * until completion: operand, reply, message header, inline data.
 */
struct ash_xfer {
    struct ash_xfer *next;
    struct ash_target *target;
    /* Names it in a message that another PE answers. */
    uint64_t cookie;
    /* Who waits for the answer, or NULL. */
    struct ash_reply *reply;
    /* Counts how often the piece of the stage that is the source was read, or NULL. */
    uint64_t *released;
    uint8_t op;
    uint8_t width;
    uint8_t generation;
    /* Parts that must complete before the transfer is complete; answers among them. */
    uint32_t parts;
    uint32_t answers;
    uint64_t local;
    uint64_t nbytes;
    uint64_t offset;
    uint64_t operand;
    uint64_t compare;
    uint64_t signal_offset;
    uint64_t signal;
    uint8_t signal_op;
    /* The signal of a large put-with-signal: goes when no put is under way. */
    bool after_puts;
    /* Neither quiet nor fence waits for it (ASH_AUX_UNCOUNTED). */
    bool uncounted;
    /* The transfer of which this is a piece, or NULL. */
    struct ash_xfer *whole;
    /* A fetched value, as memory holds it. */
    uint64_t result[2];
    uint64_t data[6];
    struct ash_message message;
    /* Payload of an answer; owned. */
    void *payload;
    /* When it began: tally.now_ms. */
    int64_t since_ms;
    /* For config.counts: ASH_HOST or ASH_GPU, the kind of call, what is done, and when it
     * was taken, in nanoseconds; 0: it is not counted. */
    uint8_t client, call, by;
    uint64_t taken_ns;
    /* Names the request in a trace; 0: none. */
    uint64_t flow;
};

/* Transfers in order. */
struct ash_xfer_list {
    struct ash_xfer *head;
    struct ash_xfer **tail;
};

/* Another PE (or this one) that was sent something, or sent something. */
struct ash_target {
    struct ash_proxy *proxy;
    uint32_t pe;
    /* Its process and its host, once there is a connection. */
    int64_t pid;
    char host[ASH_HOST_BYTES];
    /* NULL until something is sent. */
    ucp_ep_h ep;
    ucp_rkey_h rkey;
    uint64_t heap;

    /* Puts or atomics were posted since the last flush was started. */
    bool rma_dirty;
    /* Endpoint flushes under way. */
    uint32_t rma_flushes;
    /* Messages sent, the last one that a quiet or fence waits for, and messages
     * known to be handled, and asked about. */
    uint64_t sent, counted, acked, asked;
    /* What comes next waits until what was sent is complete. */
    bool fence;
    /* Fences of the proxy that this target knows of. */
    uint64_t fences;
    /* Transfers that wait, in order. */
    struct ash_xfer_list held;
    /* Flushes that wait for `acked`, in order. */
    struct ash_xfer_list acks;

    /* Messages from that PE that were handled, and those that came early. */
    uint64_t handled;
    struct ash_early *early;

    /* Links of the lists of dirty and of ready targets. */
    struct ash_target *next_dirty, *next_ready;
    bool is_dirty, is_ready;
};

enum ash_proxy_phase {
    ASH_PROXY_RUN,
    ASH_PROXY_FINISH,
    ASH_PROXY_FINISHED,
    ASH_PROXY_STOP
};

/* Whom the proxy serves: the host's threads, and a GPU while one is attached. */
enum { ASH_HOST, ASH_GPU, ASH_CLIENTS };

struct ash_client {
    /* channel NULL: nobody is there.  Of the host only channel and replies are set. */
    struct ash_proxy_gpu own;
    /* What the quiet under way, and the next one, says is complete; 0: it does not ask. */
    uint64_t quiet_now, quiet_next;
    /* Quiets that wait until the other channel is popped up to `until`, in order; later
     * ones join the second.  `below` 0: none. */
    struct {
        uint64_t below, until;
    } held[2];
};

struct ash_proxy {
    struct ash_proxy_config config;
    struct ash_client clients[ASH_CLIENTS];
    /* The GPU is the first to be served in this turn; it is about to be detached. */
    bool gpu_first, gpu_leaves;
    /* A GPU is attached; for all. */
    bool gpu_served;
    /* Calls the GPU's watch(), until it shall stop. */
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

    /* n_pes pointers; a target is made on first use. */
    struct ash_target **targets;
    struct ash_target *dirty, *ready;

    /* Transfers by cookie, in chunks, and the free ones. */
    struct ash_xfer **chunks;
    uint32_t n_chunks;
    struct ash_xfer *free_xfers;
    uint32_t live;
    /* Answers to send, made by message handlers. */
    struct ash_xfer_list outbox;

    /* Transfers under way of each generation; new ones count in `generation`. */
    uint32_t under_way[ASH_GENERATIONS + 1];
    uint8_t generation;
    /* A quiet is under way. */
    bool quiet_active;

    /* Fences that devices asked for. */
    uint64_t fences;

    /* Messages that were dropped: another job's, or not ours. */
    uint64_t dropped;

    /* How long it sleeps while no GPU is served; tests make it long. */
    uint64_t sleep_ns;

    struct ash_tally tally;
    struct ash_heartbeat heartbeat;
    /* What it has to tell, or NULL; the request that is taken, the message that was sent. */
    struct ash_trace_buffer *trace;
    uint64_t flow_taken, flow_sent;
    /* The first failure that was found, 0 or 1 of them, and when it ends the job (ash_seconds). */
    struct ash_cause failure;
    bool has_failed;
    double failure_due;
    /* The PEs leave: connections that break are no failure. */
    bool leaving;
    /* Turns of work, for who looks whether there are any; for all. */
    uint64_t turns;

    pthread_t thread;
    /* The thread's number, 0 until it runs. */
    int thread_id;
    bool started;
    /* Somebody does the proxy's work: a try-lock. */
    bool busy;
    /* A waiting thread did the proxy's work of late: the proxy may nap. */
    bool helped;
    /* The proxy sleeps until an event. */
    bool asleep;
    /* Written by: lib (CLOSE, STOP), proxy (CLOSED). */
    int phase;
};

static inline double ash_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* pool.c: how many transfers of `chunks` lie together. */
#define ASH_XFER_CHUNK 256u
int ash_xfer_pool_init(struct ash_proxy *proxy);
void ash_xfer_pool_finish(struct ash_proxy *proxy);
struct ash_xfer *ash_xfer_new(struct ash_proxy *proxy, struct ash_target *target, unsigned op);
void ash_xfer_free(struct ash_proxy *proxy, struct ash_xfer *xfer);
/* One part of a transfer is complete. */
void ash_xfer_part_done(struct ash_proxy *proxy, struct ash_xfer *xfer);
/* The live transfer with this cookie, or NULL. */
struct ash_xfer *ash_xfer_find(struct ash_proxy *proxy, uint64_t cookie);
void ash_xfer_list_init(struct ash_xfer_list *list);
void ash_xfer_list_push(struct ash_xfer_list *list, struct ash_xfer *xfer);
struct ash_xfer *ash_xfer_list_pop(struct ash_xfer_list *list);

/* setup.c */
int ash_ucx_start(struct ash_proxy *proxy);
void ash_ucx_stop(struct ash_proxy *proxy);
/* A part of a transfer failed, and never completes: the job will end. */
void ash_ucx_failed(struct ash_proxy *proxy, const struct ash_xfer *xfer, ucs_status_t status);

/* target.c */
struct ash_target *ash_target_get(struct ash_proxy *proxy, uint32_t pe);
/* Connect, where that was not done; not from a callback of UCX. */
void ash_target_connect(struct ash_proxy *proxy, struct ash_target *target);
/* Wait, within a time limit, until nothing is under way; nothing is sent after it. */
void ash_targets_finish(struct ash_proxy *proxy);
/* Not connected any more, or never; NULL is allowed. */
void ash_target_free(struct ash_target *target);
/* Send now, or hold it back until what it must follow is complete. */
void ash_target_submit(struct ash_proxy *proxy, struct ash_xfer *xfer);
void ash_target_mark_dirty(struct ash_proxy *proxy, struct ash_target *target);
/* Something completed: look at what is held, from the loop. */
void ash_target_mark_ready(struct ash_proxy *proxy, struct ash_target *target);
void ash_targets_serve_ready(struct ash_proxy *proxy);
void ash_target_acknowledge(struct ash_proxy *proxy, struct ash_target *target, uint64_t seq);

/* post.c: hand a transfer to UCX. */
void ash_post(struct ash_proxy *proxy, struct ash_xfer *xfer);
/* Will it be a message, and so be ordered with earlier messages? */
bool ash_post_is_message(const struct ash_proxy *proxy, const struct ash_xfer *xfer);
/* UCX's callback for a part of a transfer, which is the user data. */
void ash_xfer_completed(void *request, ucs_status_t status, void *user_data);

/* message.c */
int ash_messages_listen(struct ash_proxy *proxy);
/* How every message goes: at once, from memory of the host; `done` has user_data. */
ucp_request_param_t ash_message_param(ucp_send_nbx_callback_t done, void *user_data);
void ash_message_send(struct ash_proxy *proxy, struct ash_xfer *xfer, const void *payload,
                      size_t nbytes);
/* Messages that came before their turn, which will not come. */
void ash_messages_forget(struct ash_target *sender);

/* proxy.c: do a turn of its work, unless somebody else is at it. */
bool ash_proxy_turn(struct ash_proxy *proxy);

/* client.c: take requests from all channels; true if there were any. */
bool ash_clients_drain(struct ash_proxy *proxy);

/* gpu.c: what a turn does for a GPU beside its requests. */
void ash_gpu_serve(struct ash_proxy *proxy, struct ash_client *gpu);
/* A client asks to be told when all its requests below `below` are complete. */
void ash_client_quiet(struct ash_proxy *proxy, struct ash_client *client, uint64_t below);

/* dispatch.c: check a request and start its transfer. */
void ash_dispatch(struct ash_proxy *proxy, struct ash_client *client,
                  const struct ash_request *request, uint64_t ticket);

/* count.c: a request was taken of which this is the transfer, or which has none. */
void ash_request_taken(struct ash_proxy *proxy, const struct ash_client *client,
                       struct ash_xfer *xfer);
void ash_request_marker(struct ash_proxy *proxy, const struct ash_client *client, unsigned op);
/* Its transfer is complete; or another one goes on for it. */
void ash_request_done(struct ash_proxy *proxy, const struct ash_xfer *xfer);
void ash_request_pass(struct ash_xfer *from, struct ash_xfer *to);

/* trace.c: what it did, for ANYSHMEM_TRACE; only where proxy->trace is not NULL. */
void ash_tell_take(struct ash_proxy *proxy, const struct ash_request *request, uint64_t began);
void ash_tell_post(struct ash_proxy *proxy, const struct ash_event *event, bool message);
void ash_tell_done(struct ash_proxy *proxy, const struct ash_xfer *xfer);
void ash_tell_apply(struct ash_proxy *proxy, const struct ash_message *message, size_t nbytes,
                    uint64_t began);

/* direct.c: do a GPU's request to a PE that is mapped here. */
void ash_direct(struct ash_proxy *proxy, struct ash_xfer *xfer, unsigned char *heap);

/* quiet.c: tell the client when all its requests below `below` are complete. */
void ash_quiet_request(struct ash_proxy *proxy, struct ash_client *client, uint64_t below);
void ash_quiet_advance(struct ash_proxy *proxy);

/* heartbeat.c: wait for the end of the proxy's thread; if it does not come, the job ends. */
void ash_proxy_join(struct ash_proxy *proxy);

/* affinity.c: as ANYSHMEM_PROXY_CPUS says, or off a single CPU. */
int ash_proxy_bind(struct ash_proxy *proxy);

/* selftest.c */
bool ash_ucx_fetch_bitwise_works(struct ash_proxy *proxy);

#endif
