/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A buffer has one owner, which adds events without a lock; another thread may flush it while
 * the owner adds nothing, since the buffer's count is released after the events it counts.
 */
#include "device/observe/trace.h"

/* An event that is older is flushed with the next one. */
#define OLD_NS 50000000u

void (*ash_trace_sink)(const struct ash_event *events, uint64_t n);

void ash_trace_flush(struct ash_trace_buffer *buffer)
{
    /* Pairs with the release in ash_trace_add: n events are complete. */
    uint64_t n = dev_load_acquire64(&buffer->n);
    if (n > 0 && ash_trace_sink != NULL) ash_trace_sink(buffer->event, n);
    dev_store_release64(&buffer->n, 0);
}

void ash_trace_add(struct ash_trace_buffer *buffer, const struct ash_event *event)
{
    uint64_t n = dev_load_relaxed(&buffer->n, 8);
    if (n == 0) buffer->oldest_ns = event->ended;
    buffer->event[n] = *event;
    dev_store_release64(&buffer->n, n + 1);
    if (n + 1 == ASH_TRACE_EVENTS || event->ended - buffer->oldest_ns > OLD_NS)
        ash_trace_flush(buffer);
}
