/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Failures: those that UCX or another node's PE reports, how UCX's aborts are handled, and
 * which PEs of other nodes this one notifies when it ends the job.
 *
 * A PE that ends the job for a failure notifies its heartbeat peers.  Only the first PE of a
 * node has any, and it may be the PE that has failed: so the others notify some of the PEs
 * that they are connected to.
 */
#ifndef ASH_PROXY_FAILURE_FAILURE_H
#define ASH_PROXY_FAILURE_FAILURE_H

#include "lib/base/cause.h"
#include "proxy/connection.h"
#include "proxy/message.h"

struct ash_xfer;

/* The most connected PEs that are notified. */
#define ASH_NOTIFIED_MAX 16

/* The notification of a failure that this PE sends to others. */
struct ash_notification {
    /* Written by: the holder of the proxy's lock.  Read by: the same; the number also by the
     * thread that ends the job. */
    struct ash_connection *connections[ASH_NOTIFIED_MAX];
    unsigned n_connections;
    /* The same for all PEs; under_way: how many times UCX still has it. */
    struct ash_message message;
    struct ash_cause cause;
    unsigned under_way;
};

/* A cause that UCX reports by `status`; `why` is what failed, such as "put". */
void ash_failure_cause(struct ash_cause *ret_cause, uint32_t pe, int64_t pid, const char *host,
                       const char *why, ucs_status_t status);

/* A failure notification came, from a PE of this job. */
void ash_failure_receive(struct ash_proxy *proxy, const void *payload, size_t nbytes);

/* A connection broke, or an operation failed: the job will end, after the grace period, in which
 * another PE may notify this one of a better cause. */
void ash_failure_lost(struct ash_proxy *proxy, const struct ash_cause *cause);

/* UCX has failed in a connection, in `what`, such as "put": the job will end, for this PE's own
 * error if that is the cause, or for the other PE.  Only the first of a connection counts: all its
 * requests fail at once, and to look at the sources of all for each takes seconds. */
void ash_failure_of_connection(struct ash_proxy *proxy, struct ash_connection *conn,
                               const char *what, ucs_status_t status);
/* bad_source.c: end the job if bytes that the connection sends are not in readable memory. */
void ash_failure_check_sources(const struct ash_proxy *proxy, const struct ash_connection *conn);

/* True for a PE of another node; the PEs of this node see each other's end at once. */
bool ash_failure_is_far(const struct ash_proxy *proxy, uint32_t pe);

/* This PE has connected to a PE: notify that one as well, if it is on another node. */
void ash_notification_add(struct ash_proxy *proxy, struct ash_connection *conn);
/* True if there are PEs that this one would notify.  Callable: any thread. */
bool ash_notification_has_peers(const struct ash_proxy *proxy);

/* A part of a transfer failed and never completes: the job will end. */
void ash_ucx_failed(struct ash_proxy *proxy, const struct ash_xfer *xfer, ucs_status_t status);

/* ucx_abort.c: install the handler of UCX's aborts, which must not end this process before the job
 * ends for the failure; wait out the grace period if the lost PE is of this node; uninstall. */
void ash_ucx_abort_start(struct ash_proxy *proxy);
void ash_ucx_abort_grace(const struct ash_proxy *proxy, uint32_t pe);
void ash_ucx_abort_stop(const struct ash_proxy *proxy);

#endif
