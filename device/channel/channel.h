/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 2 of 6: the channel, a lock-free ring from device threads to the proxy.
 *
 *   device threads                     proxy (one thread)
 *   t = ticket++        (claim)        slot[next % N] has next's tag?
 *   wait until t - seen < N            copy its words
 *   write the slot's words             next++
 *   word 0 with tag(t)  (publish)      tail = next, now and then
 *
 *   N slots of 64 bytes, N a power of two.  Ticket t owns slot t % N.
 *   tag(t) = (t / N + 1) mod 65536, in the top 16 bits of words 0 and 3.  The
 *   ring starts with the tags of the lap before the first (zeros for ticket 0).
 *
 * Glossary, in reading order
 *   slot           64 bytes of the ring, for one request of eight words (request.h)
 *   ticket         the number of a request, from a counter that only grows
 *   claim          take the next ticket, and with it the slot
 *   lap            one pass of the tickets over all slots: ticket t is in lap t / N
 *   tag            16 bits in words 0 and 3 of a slot that name its request's lap
 *   publish        write a request's words; storing word 0 releases what was written before
 *   alone          a request that is nothing but words 0..3: published without that order
 *   pop            the proxy copies the request of ticket next, and adds 1 to next
 *   tail           published by the proxy: slots of tickets below it are free again
 *   seen           the device threads' own copy of tail, passed among them; may be stale
 *   room           ticket t has room once tail > t - N: its slot's last request is copied
 *   slow path      a push that did not find room in seen, or that found the armed bit
 *   armed          bit 63 of the ticket word is set: the proxy sleeps, or is about to; or it does
 *                  not look at this channel, which is a context's
 *   doorbell       a request in the host's channel: look at the channel of this context again
 *   wake           write to the eventfd that the proxy sleeps on
 *   reply          a value, for one device thread that waits for its request
 *   reply line     64 bytes in which a reply comes; the request has its number (reply.h)
 *   sequence       how many replies came in a line so far
 *   pending reply  a line, and the sequence that it has when the awaited reply is there
 *   marker         the request by which a fence or a quiet takes its place in the ring
 *   fence          requests to a PE after its marker take effect after those before it
 *   fenced         the ticket after the last fence's marker: while it is next, none is needed
 *   quiet          a wait until all requests before its marker are complete
 *   complete       done, and visible at the request's PE; later than popped
 *   completed      published by the proxy: all requests of lower tickets are complete
 *   idle below     while the next ticket is below it, a quiet has nothing to wait for
 *
 * Invariants
 *   I1  A ticket is given once: ticket only grows, by fetch-and-add, and 63
 *       bits do not wrap.  Bit 63 is ASH_CHANNEL_ARMED and no part of it.
 *   I2  seen <= next and tail <= next <= t for every unpublished t, so t - seen
 *       never underflows.  A seen that is stale, or goes back, costs time only.
 *   I3  Ticket t is written only after next > t - N was seen, from tail or, on a
 *       GPU, from a later request's reply: no slot is overwritten before the proxy
 *       has copied its last request.
 *   I4  Every lap writes words 0..3 of a slot, so each tag that the proxy finds
 *       while it waits for t is tag(t - N) or tag(t), and these differ.
 *   I5  Words 4..7 belong to the requests that use them and carry no tag; they
 *       are covered by the release of word 0 alone.  A request without them, and
 *       without data in memory, is published "alone": words 0,1 and words 2,3
 *       are two stores in any order, and each pair comes with its tag.
 *   I6  The proxy never writes a slot and never waits for a device thread, and
 *       publishes tail whenever the slot that it polls is not ready: a claimed
 *       ticket can always be published.
 *
 * Edges: release -> acquire, the two sides, and what becomes visible
 *   R0 -> A0  word 0 of a slot     device -> proxy   the request, and the data
 *                                                    that it points to
 *   R1 -> A1  progress->tail       proxy -> device   the slot may be reused
 *   R1'-> A1' seen                 device -> device  the same, passed on
 *   R2 -> A2  progress->completed  proxy -> device   all requests with a lower
 *                                                    ticket are complete
 *   R3 -> A3  reply->sequence      proxy -> device   the reply's value, and the
 *                                                    data of a blocking get
 *
 * Sleeping.  The proxy sets ASH_CHANNEL_ARMED in the ticket word and sleeps
 * only if the ticket that the word had then equals next.  Ticket and bit are one word
 * with one modification order: either the proxy sees the claim, or the claimer
 * sees the bit, clears it and wakes the proxy.
 *
 * Progress: claiming is wait-free while the ring has room (lock-free where fetch-and-add
 * is a loop of compare-and-swap); popping is wait-free.  A full ring makes producers wait
 * for the proxy, never for each other.  A device thread that stops between claim and
 * publish stops the proxy at its slot, so nothing stands between the two but stores, and on
 * the slow path the wait for room.
 *
 *   ring.h      what the ring is made of, and an empty one
 *   publish.h   a request is written
 *   push.h      device threads send; producer.h: a thread that sends alone
 *   order.h     device threads wait for what they sent: fence and quiet
 *   pop.h       the proxy receives, and completes a quiet
 */
#ifndef ASH_DEVICE_CHANNEL_CHANNEL_H
#define ASH_DEVICE_CHANNEL_CHANNEL_H

#include "device/channel/order.h"
#include "device/channel/pop.h"
#include "device/channel/push.h"
#include "device/channel/ring.h"

#ifdef ASH_ROUTINES_OF_CONTEXTS
#include "device/state/ctx.h"
#endif

/* The channel that a routine sends in: in OpenSHMEM's routines with a context that context's
 * (ash_ctx_enter); NULL where all PEs are mapped. */
DEV struct ash_channel *ash_channel(void)
{
#ifdef ASH_ROUTINES_OF_CONTEXTS
    return ash_ctx_channel;
#else
    return dev_state->channel;
#endif
}

#endif
