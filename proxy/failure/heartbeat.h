/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heartbeats between nodes, each of which is monitored by two others.
 *
 * The first PE of each node sends heartbeats to the first PEs of the next two nodes, in a
 * ring, and gets replies: so each node is monitored by two others, and no node has more than
 * four heartbeat peers.  Heartbeats have connections of their own, so that a long transfer
 * does not delay a reply.
 */
#ifndef ASH_PROXY_FAILURE_HEARTBEAT_H
#define ASH_PROXY_FAILURE_HEARTBEAT_H

#include <ucp/api/ucp.h>

#include "lib/base/cause.h"
#include "lib/base/deadline.h"
#include "proxy/message.h"
#include "proxy/proxy.h"

/* Two peers that this PE monitors, two that monitor it, and as many again to be safe. */
#define ASH_HEARTBEAT_PEERS_MAX 8

/* Read and written by: the holder of the proxy's lock. */
struct ash_heartbeat_peer {
    struct ash_proxy *proxy;
    uint32_t pe;
    ucp_ep_h ep;
    int64_t pid;
    char host[ASH_HOST_BYTES];
    /* This PE monitors it; a heartbeat came since the last check; for how long none came. */
    bool monitored, received;
    struct ash_heartbeat_timer timer;
    /* It waits for a reply to its heartbeat. */
    bool reply_due;
    /* The connection broke, or cannot be made. */
    bool broken;
    /* The heartbeat that is sent to it, and whether UCX still has it. */
    struct ash_message message;
    bool sending;
};

struct ash_heartbeat {
    struct ash_heartbeat_peer peers[ASH_HEARTBEAT_PEERS_MAX];
    /* Written by: the holder of the proxy's lock.  Read by: the same, and without the lock the
     * watch thread and the thread that ends the job. */
    unsigned n;
    /* The heartbeat timeout; 0: none. */
    int limit_ms;
};

/* A heartbeat or a failure notification came, from a PE of this job. */
void ash_heartbeat_receive(struct ash_proxy *proxy, const struct ash_message *message,
                           const void *payload, size_t nbytes);

/* Reply to the peers that sent a heartbeat; called by an iteration. */
void ash_heartbeat_reply(struct ash_proxy *proxy);

/* Fill a message without a number from this PE, with this kind and operand alone. */
void ash_heartbeat_message(const struct ash_proxy *proxy, struct ash_message *ret_message,
                           enum ash_message_kind kind, uint64_t operand);

#endif
