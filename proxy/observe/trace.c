/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The proxy's events for ANYSHMEM_TRACE: they go into one buffer, on a track of their own,
 * whichever thread does the proxy's work.
 */
#include "device/target/bits.h"
#include "proxy/internal.h"

static void emit(struct ash_proxy *proxy, struct ash_event *event)
{
    event->track = ASH_TRACK_PROXY;
    event->ended = ash_now_ns();
    ash_trace_add(proxy->trace, event);
}

void ash_emit_take(struct ash_proxy *proxy, const struct ash_decoded *request, uint64_t began)
{
    struct ash_event event = {.began = began,
                              .pe = (int32_t)request->pe,
                              .kind = ASH_EVENT_TAKE,
                              .op = (uint8_t)request->op};
    /* No event follows for a fence, so its flow ends here. */
    char phase = event.op == ASH_OP_FENCE ? 'f' : 't';
    event.flow[ASH_FLOW_REQUEST] = (struct ash_flow){proxy->flow_taken, phase};
    emit(proxy, &event);
}

void ash_emit_post(struct ash_proxy *proxy, const struct ash_event *event, bool message)
{
    struct ash_event emitted = *event;
    emitted.kind = message ? ASH_EVENT_POST_AM : ASH_EVENT_POST_RMA;
    emitted.flow[ASH_FLOW_MESSAGE] = (struct ash_flow){proxy->flow_sent, 's'};
    emit(proxy, &emitted);
}

/* The last event of a request's flow, unless the caller waits for a reply. */
void ash_emit_done(struct ash_proxy *proxy, const struct ash_xfer *xfer)
{
    struct ash_event event = {.began = ash_now_ns(),
                              .nbytes = xfer->nbytes,
                              .pe = (int32_t)xfer->conn->pe,
                              .kind = ASH_EVENT_DONE,
                              .op = xfer->op};
    char phase = xfer->reply != NULL ? 't' : 'f';
    event.flow[ASH_FLOW_REQUEST] = (struct ash_flow){xfer->flow, phase};
    emit(proxy, &event);
}

void ash_emit_apply(struct ash_proxy *proxy, const struct ash_message *message, size_t nbytes,
                    uint64_t began)
{
    struct ash_event event = {.began = began,
                              .nbytes = nbytes,
                              .pe = (int32_t)message->source_pe,
                              .kind = ASH_EVENT_APPLY,
                              .op = message->op};
    uint32_t me = proxy->config.my_pe;
    uint64_t id = ash_flow_message(message->source_pe, me, message->seq), offset = message->offset;
    bool put = message->kind == ASH_MESSAGE_PUT, stores;
    if (message->seq == 0 || (!put && message->kind != ASH_MESSAGE_APPLY)) return;
    event.flow[ASH_FLOW_MESSAGE] = (struct ash_flow){id, 'f'};
    if (put) {
        offset = message->signal_offset;
        event.op = message->op == ASH_OP_NONE ? ASH_OP_PUT : ASH_OP_PUT_SIGNAL;
    }
    stores = put ? message->op != ASH_OP_NONE : ash_op_update(message->op) != ASH_UPDATE_LOAD;
    /* The variable still has the value that was stored, unless another thread has changed it. */
    if (stores)
        event.flow[ASH_FLOW_VALUE] = (struct ash_flow){
            ash_flow_value(me, offset, dev_load_relaxed(proxy->config.heap + offset,
                                                        put ? 8 : message->width)), 's'};
    emit(proxy, &event);
}
