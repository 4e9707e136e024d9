/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The proxy, as lib/ sees it: one thread that turns requests into UCX calls.
 *
 * Its states: ash_proxy_create (UCX is up, the address can be published),
 * ash_proxy_start (the thread runs), ash_proxy_finish (all that was sent has arrived,
 * the thread still serves others), ash_proxy_destroy.
 */
#ifndef ASH_PROXY_PROXY_H
#define ASH_PROXY_PROXY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/channel/channel.h"
#include "device/state/state.h"
#include "lib/base/cause.h"

struct ash_proxy;
struct ash_request_counts;

/* How to reach a PE, as that PE published it. */
struct ash_peer_info {
    /* Address of its heap, in its own address space. */
    uint64_t heap;
    const void *address;
    const void *rkey;
    /* Its process and its host, for messages. */
    int64_t pid;
    const char *host;
    /* The memory that the pointers above point into; the caller of lookup frees it. */
    void *storage;
};

struct ash_proxy_config {
    uint32_t my_pe;
    uint32_t n_pes;
    /* Those of this node, which share its network devices. */
    uint32_t n_local;
    unsigned char *heap;
    uint64_t heap_size;
    /* The heap begins with this PE's wake word. */
    bool has_wake_word;
    struct ash_channel *channel;
    struct ash_reply *replies;
    uint32_t n_replies;
    /* Random, the same on all PEs: messages without it are dropped; while it is zero, all
     * messages are. */
    uint64_t job_key[2];
    /* All operations as messages (ANYSHMEM_REMOTE=am). */
    bool messages_only;
    /* Largest payload of a put-with-signal that goes as one message, in bytes. */
    uint64_t message_max;
    /* Counts of requests, or NULL.  Written by: the holder of the proxy's lock.  Read by: any. */
    struct ash_request_counts *counts;
    /* CPUs to which the thread is bound, as "0,2-3"; NULL or empty: not bound. */
    const char *cpus;
    /* Finds a PE's record; called with the proxy's lock held, on first use.  0 or an error. */
    int (*lookup)(uint32_t pe, struct ash_peer_info *ret_info);
    /* True if the end of this PE becomes known at once, without the proxy; NULL: of none. */
    bool (*is_monitored)(uint32_t pe);
};

/*
 * A GPU of this PE: its own channel, with reply lines, its staging area, and the
 * place where it reports a fault.  All of it is memory that the CPU reads and writes;
 * `channel` is the host's copy of the structure, of which the proxy uses only the
 * member `proxy`.
 */
struct ash_proxy_gpu {
    struct ash_channel *channel;
    struct ash_reply *replies;
    uint32_t n_replies;
    /* n_stage staging buffers of 1 << stage_shift bytes, and how often each was given back. */
    unsigned char *stage;
    uint32_t n_stage;
    uint32_t stage_shift;
    uint64_t *stage_released;
    const struct ash_fault_box *fault;
    /* n_pes entries: where that PE's heap is mapped here, or NULL; the proxy itself does
     * operations on a mapped heap. */
    unsigned char *const *peer;
    /*
     * Called about every 10 ms; ends the job if the GPU has failed.  A thread of its
     * own calls it: a call of the driver may wait for another call, which waits for a
     * kernel, which waits for the proxy.  NULL: nothing to call.
     */
    void (*watch)(void);
};

/* What this PE publishes. */
struct ash_proxy_address {
    void *address;
    size_t address_length;
    void *rkey;
    size_t rkey_length;
    /* UCX's version: 0x011601 is 1.22.1. */
    uint32_t ucx;
    /* UCX_TCP_RX_SEG_SIZE as UCX has it, or NULL where there is no TCP. */
    const char *tcp_segment;
};

/* Start UCX on this heap.  0, or an error that was logged. */
int ash_proxy_create(const struct ash_proxy_config *config, struct ash_proxy **ret_proxy);

/* What the result points to stays the proxy's. */
void ash_proxy_address(const struct ash_proxy *proxy, struct ash_proxy_address *ret_address);

/* The configuration value that is known only after the address was published. */
void ash_proxy_set_job_key(struct ash_proxy *proxy, const uint64_t job_key[2]);

int ash_proxy_start(struct ash_proxy *proxy);

/*
 * Attach: serve a GPU's channel as well, from now on.  Detach: complete all requests that
 * it published, and stop serving it; no kernel may run.  One GPU at a time; detach
 * without a GPU does nothing.  The structure is copied; the memory that it points to is
 * used until detach.  While a GPU is attached, a quiet of the host's channel also
 * completes what the GPU sent before.  Callable: any thread but the proxy's.
 */
void ash_proxy_attach_gpu(struct ash_proxy *proxy, const struct ash_proxy_gpu *gpu);
void ash_proxy_detach_gpu(struct ash_proxy *proxy);

/*
 * Serve a context's channel, which is armed, and rings `number` + 1 (channel->doorbell): its
 * requests are the host's, and its quiets complete them alone.  It stays until the proxy is
 * destroyed.  0 or an error.  Callable: any thread but the proxy's.
 */
int ash_proxy_add_ctx(struct ash_proxy *proxy, uint32_t number, struct ash_channel *channel);

/*
 * Between two contexts of a channel, when nothing is under way in it: one thread alone sends in it,
 * which has *producer; or, with NULL, any.  Without effect where the system has no fence of all
 * threads (membarrier).
 */
void ash_proxy_set_producer(struct ash_proxy *proxy, struct ash_channel *channel,
                            struct ash_producer *producer);

/*
 * Progress: do one iteration of the proxy's work in the calling thread, unless another
 * thread does, so that a thread that waits for the proxy need not wait until it is awake.
 * True if there was work.  For the one proxy that was started.
 */
bool ash_proxy_progress(void);

/*
 * True if the caller is a signal handler that has interrupted its thread in the proxy's work: a
 * wait would have no end, and the job must end, without another call of UCX.
 */
bool ash_proxy_interrupted(void);

/* Yield progress to the proxy thread: the caller has made it and will not for a while. */
void ash_proxy_yield_progress(void);

/*
 * Kick the proxy thread: a request was sent for which no thread waits, and the proxy is in a
 * timed sleep.  Does one iteration of its work; in a kernel, and after many kicks without
 * an exchange whose requests cannot wait, it ends the sleep instead.  can_wait: the request is
 * small, and may be left to the next kick or wait.
 */
void ash_proxy_kick(bool can_wait);

/* The name for messages of an op, of requests or of the proxy's own. */
const char *ash_op_name(unsigned op);

/*
 * Report transfers in flight, the last operation and connections: lines, as many as
 * fit.  False, and no text, if the proxy's lock cannot be had within `ms` milliseconds.
 */
bool ash_proxy_report(struct ash_proxy *proxy, unsigned ms, char *ret_text, size_t nbytes);

/*
 * Heartbeats (heartbeat.h).  All of these: any thread but the proxy's.
 *
 * From now on monitor these PEs, of other nodes, by heartbeats; limit_ms: the heartbeat
 * timeout, after which a PE has failed; 0: none.
 */
void ash_proxy_monitor(struct ash_proxy *proxy, const uint32_t *pes, unsigned n, int limit_ms);
/* elapsed_ms have passed: check the monitored peers, and send heartbeats to them again. */
void ash_proxy_heartbeat(struct ash_proxy *proxy, int elapsed_ms);
/* This PE ends the job: notify some of those on other nodes.  Takes 0.2 s at most. */
void ash_proxy_notify(struct ash_proxy *proxy, const struct ash_cause *cause);
/* The PEs leave: a connection that breaks is no failure any more. */
void ash_proxy_leave(struct ash_proxy *proxy);

/* The number of iterations, which grows while the proxy works; false: its thread has ended. */
bool ash_proxy_iterations(struct ash_proxy *proxy, uint64_t *ret_iterations);

/* True if a host thread has claimed the slot with this ticket and not published it, yet. */
bool ash_proxy_unpublished(const struct ash_proxy *proxy, uint64_t *ret_ticket);

/* Wait, within a time limit, until nothing that this PE has sent is in flight; the thread still
 * serves other PEs. */
void ash_proxy_finish(struct ash_proxy *proxy);

/* Stop the thread and give everything back.  NULL is allowed. */
void ash_proxy_destroy(struct ash_proxy *proxy);

#endif
