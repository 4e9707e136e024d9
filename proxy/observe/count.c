/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts requests for ANYSHMEM_STATS by client, kind of call and how they were done, with
 * the time from here to their completion.  Fragments and replies are not requests.
 */
#include "proxy/internal.h"

static struct ash_count *count_of(struct ash_proxy *proxy, unsigned client, unsigned call,
                                  unsigned by)
{
    return &proxy->config.counts->count[client][call][by];
}

void ash_request_taken(struct ash_proxy *proxy, const struct ash_client *client,
                       struct ash_xfer *xfer)
{
    xfer->client = client->kind;
    /* Only a barrier sends signals for which no quiet waits. */
    xfer->call = (uint8_t)(xfer->uncounted ? ASH_CALL_BARRIER : ash_call_of_op(xfer->op));
    xfer->taken_ns = ash_now_ns();
    xfer->flow = proxy->flow_taken;
}

void ash_request_marker(struct ash_proxy *proxy, const struct ash_client *client, unsigned op)
{
    ash_count_add(count_of(proxy, client->kind, ash_call_of_op(op), ASH_BY_DIRECT), 0,
                  ASH_COUNT_NO_TIME);
}

void ash_request_done(struct ash_proxy *proxy, const struct ash_xfer *xfer)
{
    uint64_t nbytes = xfer->nbytes > 0 ? xfer->nbytes : xfer->width;
    ash_count_add(count_of(proxy, xfer->client, xfer->call, xfer->by), nbytes,
                  ash_now_ns() - xfer->taken_ns);
    if (proxy->trace != NULL) ash_emit_done(proxy, xfer);
}

void ash_request_pass(struct ash_xfer *from, struct ash_xfer *to)
{
    if (from->taken_ns == 0) return;
    to->client = from->client;
    to->call = from->call;
    to->by = from->by;
    to->nbytes = from->nbytes;
    to->taken_ns = from->taken_ns;
    to->flow = from->flow;
    from->taken_ns = 0;
}
