/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of a trace (ANYSHMEM_TRACE), on their way to the file: each thread, and
 * the proxy, has a buffer, and flushes it when it is full, when its first event is old
 * (trace.c), and when a wait lasts.  lib/report/trace.c writes the events.
 */
#ifndef ASH_DEVICE_OBSERVE_TRACE_H
#define ASH_DEVICE_OBSERVE_TRACE_H

#include "device/observe/count.h"

/*
 * What an event is about; X(NAME, what comes before the op's or the routine's name).
 * A part is a call within a call, such as a barrier's wait.
 */
#define ASH_EVENTS(X) \
    X(CALL, "") \
    X(PART, " in ") \
    X(PUSH, "push ") \
    X(TAKE, "take ") \
    X(POST_RMA, "post rma ") \
    X(POST_AM, "post am ") \
    X(DONE, "done ") \
    X(APPLY, "apply ")

enum ash_event_kind {
#define X(NAME, TEXT) ASH_EVENT_##NAME,
    ASH_EVENTS(X)
#undef X
    ASH_EVENT_KINDS
};

/*
 * A flow joins events; phases are those of Chrome's trace format: one start 's', any number
 * of steps 't', one finish 'f'.  The flow of a request has an id made of the PE, the channel
 * and the ticket; that of a message, of its PEs and its number; that of a value, of the PE,
 * the offset in the heap and the value.
 */
struct ash_flow {
    uint64_t id;
    char phase;
};
enum { ASH_FLOW_REQUEST, ASH_FLOW_MESSAGE, ASH_FLOW_VALUE, ASH_FLOWS };

struct ash_event {
    uint64_t began, ended;
    /* The routine, for a call and a part. */
    const char *function;
    uint64_t nbytes;
    int32_t pe;
    uint32_t track;
    struct ash_flow flow[ASH_FLOWS];
    /* An ash_event_kind; an ash_call for a call and a part, an ash_op for the others. */
    uint8_t kind, op;
};

/* The proxy's track; a device thread's is the number of its reply line + 1. */
#define ASH_TRACK_PROXY 1000000u

#define ASH_TRACE_EVENTS 512u
struct ash_trace_buffer {
    uint64_t n, oldest_ns;
    struct ash_event event[ASH_TRACE_EVENTS];
};

/* Takes n events; NULL: nothing is traced.  Any thread may call it. */
extern ASH_HIDDEN void (*ash_trace_sink)(const struct ash_event *events, uint64_t n);

ASH_HIDDEN void ash_trace_add(struct ash_trace_buffer *buffer, const struct ash_event *event);
ASH_HIDDEN void ash_trace_flush(struct ash_trace_buffer *buffer);

/* Flush the buffer of the calling thread; those of all threads, while none of them adds. */
ASH_HIDDEN void ash_trace_flush_caller(void);
ASH_HIDDEN void ash_trace_flush_all(void);

/* Ids of flows.  Numbers go in one at a time: two of them xored could equal another two. */
static inline uint64_t ash_flow_mix(uint64_t a, uint64_t b)
{
    a = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
    return a ^ a >> 29;
}

/* `doorbell` is that of the context in whose channel the request is, or 0. */
static inline uint64_t ash_flow_request(uint32_t pe, bool gpu, uint32_t doorbell, uint64_t ticket)
{
    if (doorbell != 0) return ash_flow_mix(ash_flow_mix((uint64_t)doorbell << 32 | pe, 3), ticket);
    return (uint64_t)pe << 44 | (uint64_t)gpu << 43 | (ticket & ((UINT64_C(1) << 43) - 1));
}

static inline uint64_t ash_flow_message(uint32_t from, uint32_t to, uint64_t seq)
{
    return ash_flow_mix(ash_flow_mix((uint64_t)from << 32 | to, 1), seq);
}

static inline uint64_t ash_flow_value(uint32_t pe, uint64_t offset, uint64_t value)
{
    return ash_flow_mix(ash_flow_mix(ash_flow_mix(offset, 2), pe), value);
}

#endif
