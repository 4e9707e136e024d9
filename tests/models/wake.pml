/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sleeping in device/channel/channel.h: the armed bit is in the ticket word, so a claim
 * and the proxy's decision to sleep have one order.  After a lost wake-up the proxy sleeps
 * indefinitely, which is an invalid end state.
 */
#define NONE 0
#define TWO_WORDS 1        /* the flag is a word of its own */
#define NO_COMPARE 2       /* the proxy sleeps although a ticket was claimed */
#define WAKE_FIRST 3       /* the producer writes the event, then clears the bit */
#define LATE_DRAIN 4       /* the proxy empties the event before it sleeps */
#define WAKE_BEFORE_PUBLISH 5 /* and the proxy takes an unpublished slot for an unclaimed one */
#define NO_TAIL 6          /* the proxy sleeps with tail unpublished */
#define CLEAR_ONLY 7       /* the producer clears the bit, but does not write the event */

#ifndef BUG
#define BUG NONE
#endif
#ifndef P
#define P 2
#endif
#ifndef K
#define K 3
#endif
#ifndef N
#define N 2
#endif

#define ALL (P * K)

byte ticket, tail, next;
bit armed, event;
bit published[ALL];

inline wake()
{
#if BUG == WAKE_FIRST
    event = 1;
    armed = 0
#elif BUG == CLEAR_ONLY
    armed = 0
#else
    armed = 0;
    event = 1
#endif
}

proctype producer()
{
    byte t, k;
    bit must_wake;
    do
    :: k < K ->
        d_step { t = ticket; must_wake = armed; ticket++ };
        (t - tail < N);
#if BUG == WAKE_BEFORE_PUBLISH
        if
        :: must_wake -> wake()
        :: else
        fi;
        published[t] = 1;
#else
        published[t] = 1;
#if BUG == TWO_WORDS
        must_wake = armed;
#endif
        if
        :: must_wake -> wake()
        :: else
        fi;
#endif
        k++
    :: else -> break
    od
}

proctype proxy()
{
    bit sleep;
    do
    :: next == ALL -> break
    :: next < ALL && published[next] ->
        next++;
        if
        :: tail = next
        :: skip
        fi
    :: next < ALL && !published[next] ->
#if BUG != NO_TAIL
        tail = next;
#endif
#if BUG == TWO_WORDS
        armed = 1;
        sleep = 1;
#elif BUG == NO_COMPARE || BUG == WAKE_BEFORE_PUBLISH
        d_step { armed = 1; sleep = !published[next] };
#else
        d_step { armed = 1; sleep = (ticket == next) };
#endif
        if
        :: sleep ->
#if BUG == LATE_DRAIN
            event = 0;
            (event)
#else
            (event);
            event = 0
#endif
        :: else
        fi;
        armed = 0
    /* Something else woke the proxy, and the event came only after it had cleared the bit. */
    :: next < ALL && !published[next] && event -> event = 0
    od
}

init
{
    byte i;
    atomic {
        do
        :: i < P -> run producer(); i++
        :: else -> break
        od;
        run proxy()
    }
}
