/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Failures: what this PE finds or is notified of, what it makes of UCX's part in it, and
 * which PEs of other nodes it notifies when it ends the job.
 *
 * A PE that ends for a failure notifies its peers of the heartbeats.  The other PEs of
 * a node have none, and the first one may be the one that has failed: so they tell
 * some of the PEs that they are connected to.
 */
#ifndef ASH_PROXY_FAILURE_FAILURE_H
#define ASH_PROXY_FAILURE_FAILURE_H

#include "lib/base/cause.h"
#include "proxy/connection.h"
#include "proxy/message.h"

struct ash_xfer;

/* That many of those that this PE is connected to are notified. */
#define ASH_NOTIFIED_MAX 16

/* The notification of a failure that this PE sends to others. */
struct ash_notification {
    struct ash_connection *connections[ASH_NOTIFIED_MAX];
    unsigned n_connections;
    /* The same for all; how many times UCX still has it. */
    struct ash_message message;
    struct ash_cause cause;
    unsigned under_way;
};

/* UCX's word for it; `why` is what failed, such as "put". */
void ash_failure_cause(struct ash_cause *ret_cause, uint32_t pe, int64_t pid, const char *host,
                       const char *why, ucs_status_t status);

/* The job will end for it: at once, or where a connection broke, and no other PE says so, when
 * there was time for a better cause. */
void ash_failure_keep(struct ash_proxy *proxy, const struct ash_cause *cause, bool notified);

/* A PE of this job notifies this one of a failure. */
void ash_failure_receive(struct ash_proxy *proxy, const void *payload, size_t nbytes);

/* A connection broke, or an operation failed: the job will end, but not at once. */
void ash_failure_lost(struct ash_proxy *proxy, const struct ash_cause *cause);

/* With on_failure: a PE of another node; those of this one see each other's end at once. */
bool ash_failure_is_far(const struct ash_proxy *proxy, uint32_t pe);

/* A PE that this one has connected to, and notifies of a failure. */
void ash_notification_add(struct ash_proxy *proxy, struct ash_connection *conn);
/* There are PEs that this one would notify. */
bool ash_notification_has_peers(const struct ash_proxy *proxy);

/* A part of a transfer failed, and never completes: the job will end. */
void ash_ucx_failed(struct ash_proxy *proxy, const struct ash_xfer *xfer, ucs_status_t status);

/* ucx_abort.c: a handler of UCX's aborts, which should not end this process before the job ends
 * for what has happened; the grace period in which the end of a PE of this node is known. */
void ash_ucx_abort_start(struct ash_proxy *proxy);
void ash_ucx_abort_grace(struct ash_proxy *proxy, uint32_t pe);
void ash_ucx_abort_stop(const struct ash_proxy *proxy);

#endif
