/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sleeping in device/channel/producer.h, where one thread sends alone: the flag is a word of its
 * own (invariant P3).  What the producer publishes is visible to the proxy only once it has left the
 * store buffer of the producer's CPU, at any time, or when all threads pass the proxy's fence.
 * After a lost doorbell the proxy sleeps indefinitely, which is an invalid end state.
 */
#define NONE 0
#define NO_FENCE 1    /* the proxy looks at the ring without a fence */
#define LATE_FENCE 2  /* the proxy looks at the ring, then passes the fence */
#define NO_LOOK 3     /* the proxy sleeps after the fence without a look */
#define LOOK_FIRST 4  /* the producer looks at the flag, then publishes */
#define NO_TAIL 5     /* the proxy sleeps with tail unpublished */
#define CLEAR_ONLY 6  /* the producer clears the flag, but rings no bell */

#ifndef BUG
#define BUG NONE
#endif
#ifndef K
#define K 4
#endif
#ifndef N
#define N 2
#endif

/* Requests published in the producer's order, and as the proxy sees them. */
byte sent, visible, tail, next;
bit armed, bell;

/* A locked exchange empties the store buffer. */
inline ring()
{
    d_step { visible = sent; must_ring = armed; armed = 0 };
    if
#if BUG != CLEAR_ONLY
    :: must_ring -> bell = 1
#endif
    :: else
    fi
}

proctype producer()
{
    bit must_ring;
    do
    :: sent < K ->
        (sent - tail < N);
#if BUG == LOOK_FIRST
        must_ring = armed;
        sent++;
        if
        :: must_ring -> ring()
        :: else
        fi
#else
        sent++;
        if
        :: armed -> ring()
        :: else
        fi
#endif
    :: else -> break
    od
}

proctype store_buffer()
{
    do
    :: visible < sent -> visible = sent
    :: visible == K -> break
    od
}

proctype proxy()
{
    bit drained;
    do
    :: next == K -> break
    :: next < visible ->
        next++;
        if
        :: tail = next
        :: skip
        fi
    :: next < K && next == visible ->
#if BUG != NO_TAIL
        tail = next;
#endif
        armed = 1;
#if BUG == LATE_FENCE
        drained = (next == visible);
        visible = sent;
#else
#if BUG != NO_FENCE
        visible = sent;
#endif
        drained = (next == visible);
#endif
#if BUG == NO_LOOK
        drained = 1;
#endif
        if
        :: drained ->
            (bell);
            bell = 0
        :: else -> armed = 0
        fi
    od
}

init
{
    atomic {
        run producer();
        run store_buffer();
        run proxy()
    }
}
