/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The proxy: one thread that turns requests into UCX calls.  What lib/ sees.
 *
 * Life cycle: ash_proxy_create (UCX is up, the address can be published),
 * ash_proxy_start (the thread runs), ash_proxy_finish (all that was sent has come,
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

/* How to reach a PE, as it published it. */
struct ash_peer_info {
    /* Address of its heap, in its own address space. */
    uint64_t heap;
    const void *address;
    const void *rkey;
    /* Its process and its host, for messages. */
    int64_t pid;
    const char *host;
    /* What ret_info points into; the caller frees it. */
    void *storage;
};

struct ash_proxy_config {
    uint32_t my_pe;
    uint32_t n_pes;
    unsigned char *heap;
    uint64_t heap_size;
    struct ash_channel *channel;
    struct ash_reply *replies;
    uint32_t n_replies;
    /* Random, the same on all PEs: messages without it are dropped, and all are while it
     * is zero. */
    uint64_t job_key[2];
    /* All operations as messages (ANYSHMEM_REMOTE=am). */
    bool messages_only;
    /* Largest payload of a put-with-signal that goes as one message, in bytes. */
    uint64_t message_max;
    /* What it counts requests in, or NULL; only while a thread does its work. */
    struct ash_request_counts *counts;
    /* CPUs that the thread is bound to, as "0,2-3"; empty: not bound. */
    const char *cpus;
    /* Finds a PE's record; called by the proxy thread on first use.  0 or an error. */
    int (*lookup)(uint32_t pe, struct ash_peer_info *ret_info);
    /*
     * Called when ash_proxy_failure has something to say: by any thread, which must
     * not end the job itself.  NULL: the proxy ends it, at once.
     */
    void (*on_failure)(void);
    /* With on_failure: the end of this PE would be known at once, without the proxy. */
    bool (*is_monitored)(uint32_t pe);
    /* With on_failure: end the job for it after all, for this thread cannot go on. */
    void (*end_for)(const struct ash_cause *cause);
};

/*
 * What a GPU of this PE adds: a channel of its own, with its reply lines, its
 * staging area, and the place where it reports a fault.  All of it is memory
 * that the CPU reads and writes; `channel` is the host's copy of the structure,
 * of which the proxy uses nothing but `proxy`.
 */
struct ash_proxy_gpu {
    struct ash_channel *channel;
    struct ash_reply *replies;
    uint32_t n_replies;
    /* Staging buffers of 1 << stage_shift bytes, and how often each was given back. */
    unsigned char *stage;
    uint32_t n_stage;
    uint32_t stage_shift;
    uint64_t *stage_released;
    const struct ash_fault_box *fault;
    /* n_pes entries: where PEs are mapped here; the proxy does their operations itself. */
    unsigned char *const *peer;
    /*
     * Called every 10 ms or so; ends the job if the GPU has failed.  Called by a
     * thread of its own: a call of the driver may wait for another one, that one
     * for a kernel, and the kernel for the proxy.  NULL: nothing to call.
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
};

/* Start UCX on this heap.  0, or an error that was logged. */
int ash_proxy_create(const struct ash_proxy_config *config, struct ash_proxy **ret_proxy);

/* The proxy owns what it returns. */
void ash_proxy_address(const struct ash_proxy *proxy, struct ash_proxy_address *ret_address);

/* Config values that are known only after the address was published. */
void ash_proxy_set_job_key(struct ash_proxy *proxy, const uint64_t job_key[2]);

int ash_proxy_start(struct ash_proxy *proxy);

/*
 * Serve a GPU's channel as well, from now on; and no longer: what it published
 * is complete when detach returns, so no kernel may run.  One at a time; detach
 * without a GPU does nothing.  The structure is copied; what it points to is
 * used until detach.  While a GPU is served, a quiet of the host's channel
 * completes what the GPU sent before, too.  Callable: any thread but the proxy's.
 */
void ash_proxy_attach_gpu(struct ash_proxy *proxy, const struct ash_proxy_gpu *gpu);
void ash_proxy_detach_gpu(struct ash_proxy *proxy);

/*
 * Progress: do one iteration of the proxy's work in the calling thread, if nobody is at it;
 * a thread that waits for the proxy need not wait until it is awake.  True if
 * there was something to do.  For the one proxy that was started.
 */
bool ash_proxy_progress(void);

/* Yield progress to the proxy thread: the caller has made it and will not for a while. */
void ash_proxy_yield_progress(void);

/*
 * Kick the progress thread: a request was sent that nobody waits for, and the proxy is in a
 * timed sleep.  Does one iteration of its work, or ends the sleep where that will not do (in
 * a kernel, or again and again).
 */
void ash_proxy_kick(void);

/* What an op of requests is called in messages, or one of the proxy's own. */
const char *ash_op_name(unsigned op);

/*
 * What the proxy has under way, its last operation, its connections: lines, cut
 * to fit.  False, and no text, if its data are in use for `ms` milliseconds.
 */
bool ash_proxy_report(struct ash_proxy *proxy, unsigned ms, char *ret_text, size_t nbytes);

/*
 * Heartbeats (heartbeat.h).  All of these: any thread but the proxy's.
 *
 * From now on monitor these PEs, of other nodes, by heartbeats; limit_ms: when
 * one that sends none is given up; 0: never.
 */
void ash_proxy_monitor(struct ash_proxy *proxy, const uint32_t *pes, unsigned n, int limit_ms);
/* So much time has passed: send heartbeats to them again. */
void ash_proxy_heartbeat(struct ash_proxy *proxy, int elapsed_ms);
/* Has the job failed, as far as the proxy knows?  If not, *ret_ms is when to ask again, or -1. */
bool ash_proxy_failure(struct ash_proxy *proxy, struct ash_cause *ret_cause, int *ret_ms);
/* This PE ends the job: notify some of those on other nodes.  Takes 0.2 s at most. */
void ash_proxy_notify(struct ash_proxy *proxy, const struct ash_cause *cause);
/* The PEs leave: that a connection breaks is no failure any more. */
void ash_proxy_leave(struct ash_proxy *proxy);

/* A number that grows while the proxy works; false: its thread has ended. */
bool ash_proxy_iterations(struct ash_proxy *proxy, uint64_t *ret_iterations);

/* Wait, within a time limit, until nothing of this PE's is on its way; others are served on. */
void ash_proxy_finish(struct ash_proxy *proxy);

/* Stop the thread and give everything back.  NULL is allowed. */
void ash_proxy_destroy(struct ash_proxy *proxy);

#endif
