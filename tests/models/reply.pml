/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reply line (device/channel/reply.h): a thread that owns a line sends a request, waits
 * until the line's count of replies is one higher than before, and reads the value.
 * Replies to different threads come in any order.  A line goes to another thread only
 * after its owner has got its reply.
 */
#define NONE 0
#define COUNT_FIRST 1  /* sequence is stored before the value */
#define FLAG 2         /* a flag that is never lowered instead of a count */
#define SHARED_LINE 3  /* two threads use one line at once */
#define GIVEN_EARLY 4  /* the line is given back before the reply came */
#define RESET_LATE 5   /* a flag that the requester lowers after sending */
#define REPLIED_TWICE 6 /* a request that failed gets a second reply */
#define COUNT_LATE 7   /* the thread reads the count after it has sent the request */

#ifndef BUG
#define BUG NONE
#endif
#ifndef LINES
#define LINES 2
#endif
#ifndef OWNERS
#define OWNERS 3
#endif
#ifndef K
#define K 2
#endif

#define NOBODY 255

byte value[LINES], sequence[LINES];
bit taken[LINES];
/* Requests in flight: the line of each requester, or NOBODY, and its request. */
byte line_of[OWNERS], request[OWNERS];
byte done;

inline send()
{
    q++;
#if BUG == RESET_LATE
    d_step { request[me] = 16 * me + q; line_of[me] = line };
    sequence[line] = 0
#elif BUG == COUNT_LATE
    d_step { request[me] = 16 * me + q; line_of[me] = line };
    expected = sequence[line] + 1
#else
    expected = sequence[line] + 1;
    d_step { request[me] = 16 * me + q; line_of[me] = line }
#endif
}

inline await()
{
#if BUG == FLAG || BUG == RESET_LATE
    (sequence[line] != 0);
#else
    (sequence[line] == expected);
#endif
    assert(value[line] == 16 * me + q)
}

proctype requester(byte me)
{
    byte line, q, expected;
    do
    :: q < K ->
        atomic {
#if BUG == SHARED_LINE
            line = 0;
#else
            if
            :: !taken[0] -> line = 0
            :: !taken[LINES - 1] -> line = LINES - 1
            fi;
#endif
            taken[line] = 1
        };
        send();
#if BUG == GIVEN_EARLY
        taken[line] = 0;
        await()
#else
        await();
        taken[line] = 0
#endif
    :: else -> break
    od;
    done++
}

proctype proxy()
{
    byte i, line, what;
    do
    :: done == OWNERS -> break
    :: done < OWNERS ->
        /* Reply to any request in flight. */
        atomic {
            if
            :: line_of[0] != NOBODY -> i = 0
            :: line_of[1] != NOBODY -> i = 1
            :: line_of[OWNERS - 1] != NOBODY -> i = OWNERS - 1
            :: done == OWNERS -> break
            fi;
            line = line_of[i];
            what = request[i];
            line_of[i] = NOBODY
        };
#if BUG == COUNT_FIRST
        sequence[line] = sequence[line] + 1;
        value[line] = what
#else
        value[line] = what;
        sequence[line] = sequence[line] + 1
#if BUG == REPLIED_TWICE
        ;
        if
        :: sequence[line] = sequence[line] + 1
        :: skip
        fi
#endif
#endif
    od
}

init
{
    byte i;
    atomic {
        do
        :: i < OWNERS -> line_of[i] = NOBODY; run requester(i); i++
        :: else -> break
        od;
        run proxy()
    }
}
