/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heartbeats between nodes: who is asked, who asks, and who is told of a failure.
 *
 * The first PE of each node asks those of the next two nodes, round, and is
 * answered: so each node is looked at by two others, and no node has more than
 * four such neighbours.  They have connections of their own, so that a long
 * transfer does not keep an answer waiting.
 */
#ifndef ASH_PROXY_HEARTBEAT_H
#define ASH_PROXY_HEARTBEAT_H

#include <ucp/api/ucp.h>

#include "lib/error.h"
#include "proxy/message.h"
#include "proxy/proxy.h"

/* Two that this PE asks, two that ask it; and as many again to be safe. */
#define ASH_NEIGHBOURS_MAX 8

/* A message in UCX's hands; one at a time. */
struct ash_beat_message {
    struct ash_message message;
    struct ash_cause cause;
    bool sending;
};

struct ash_neighbour {
    struct ash_proxy *proxy;
    uint32_t pe;
    ucp_ep_h ep;
    int64_t pid;
    char host[ASH_HOST_BYTES];
    /* This PE asks it; it was heard of since the last look; for how long it was not. */
    bool asked, heard;
    struct ash_silence silence;
    /* It waits for an answer. */
    bool owed;
    /* The connection broke, or cannot be made. */
    bool broken;
    struct ash_beat_message beat, failure;
};

struct ash_heartbeat {
    struct ash_neighbour neighbours[ASH_NEIGHBOURS_MAX];
    unsigned n;
    int limit_ms;
};

/* A message of the heartbeats came, from a PE of this job. */
void ash_heartbeat_receive(struct ash_proxy *proxy, const struct ash_message *message,
                           const void *payload, size_t nbytes);

/* Answer those who asked; from the loop. */
void ash_heartbeat_answer(struct ash_proxy *proxy);

/* A connection broke, or an operation failed: the job will end, but not at once. */
void ash_proxy_lost(struct ash_proxy *proxy, const struct ash_cause *cause);

/* broken.c: UCX shall not end this process before the job ends for what has happened. */
void ash_broken_start(struct ash_proxy *proxy);
void ash_broken(struct ash_proxy *proxy, uint32_t pe);
void ash_broken_forget(const struct ash_proxy *proxy);

/* target.c: a connection; UCX says when it finds that it broke. */
ucs_status_t ash_endpoint_make(struct ash_proxy *proxy, const void *address,
                               ucp_err_handler_cb_t on_error, void *arg, ucp_ep_h *ret_ep);

/* UCX's word for it; `why` is what failed, such as "put". */
void ash_heartbeat_cause(struct ash_cause *ret_cause, uint32_t pe, int64_t pid, const char *host,
                         const char *why, ucs_status_t status);

#endif
