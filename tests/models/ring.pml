/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ring of device/channel/channel.h: P producers push K requests each through N
 * slots with tags of TAG_BITS bits.
 *
 * A slot has three chunks: 0 (words 0, 1) and 1 (words 2, 3), which every
 * request writes with its tag, and 2 (words 4..7 and the data pointed to), which
 * only long requests write.  Short requests make their chunks visible in any
 * order, as a GPU may; long ones make chunk 0 visible last, as a release does.
 * Each chunk carries its ticket as data, so the proxy knows what it must find.
 *
 * Mutants: -DBUG=NAME, with a name of this list.
 */
#define NONE 0
#define PUBLISH_FIRST 1  /* chunk 0 becomes visible before the chunks that it covers */
#define NO_ROOM_CHECK 2  /* no flow control */
#define ROOM_OFF_BY_ONE 3
#define NO_IDLE_TAIL 4   /* tail is not published when nothing is ready */
#define PARTIAL_TAG 5    /* chunk 2 unordered, validated by a tag of its own */
#define ONE_TAG 6        /* the proxy checks only the tag of chunk 0 */
#define TAIL_BEFORE_COPY 7
#define SPLIT_CLAIM 8    /* ticket loaded and stored, not fetched-and-added */
#define SEEN_AHEAD 9     /* a producer stores its own ticket in seen, not the tail that it saw */
#define PROXY_CLEARS 10  /* the proxy clears slots, after freeing them */
#define SAME_TAG 11      /* every lap has the same tag */

#ifndef BUG
#define BUG NONE
#endif
#ifndef N
#define N 2
#endif
#ifndef P
#define P 2
#endif
#ifndef K
#define K 3
#endif
#ifndef TAG_BITS
#define TAG_BITS 1
#endif

#define ALL (P * K)
#if BUG == SAME_TAG
#define TAG(t) 1
#else
#define TAG(t) (((t) / N + 1) & ((1 << TAG_BITS) - 1))
#endif

byte tag0[N], tag1[N], tag2[N];
byte data0[N], data1[N], data2[N];
bit has_more[N];
byte ticket, seen, tail, next, finished;

inline write0()
{
    d_step { data0[t % N] = t; has_more[t % N] = more; tag0[t % N] = TAG(t); w0 = 1 }
}
inline write1() { d_step { data1[t % N] = t; tag1[t % N] = TAG(t); w1 = 1 } }
inline write2() { d_step { data2[t % N] = t; tag2[t % N] = TAG(t); w2 = 1 } }

inline claim()
{
#if BUG == SPLIT_CLAIM
    t = ticket;
    ticket = t + 1;
#endif
    atomic {
#if BUG != SPLIT_CLAIM
        t = ticket;
        ticket++;
#endif
        if
        :: more = 0; w2 = 1
        :: more = 1
        fi
    }
}

inline wait_room()
{
#if BUG == NO_ROOM_CHECK
    skip
#elif BUG == ROOM_OFF_BY_ONE
    if
    :: t - seen <= N
    :: else -> (t - tail <= N)
    fi
#else
    if
    :: t - seen < N
    :: else ->
        /* Between this load and our store another producer may store the tail that it saw. */
        atomic { (t - tail < N); saw = tail };
#if BUG == SEEN_AHEAD
        saw = t;
#endif
        d_step { seen = saw; saw = 0 }
    fi
#endif
}

proctype producer()
{
    byte t, saw, k;
    bit more, w0, w1, w2;
    do
    :: k < K ->
        claim();
        wait_room();
        do
#if BUG == PUBLISH_FIRST || BUG == PARTIAL_TAG
        :: !w0 -> write0()
#else
        :: !w0 && (!more || (w1 && w2)) -> write0()
#endif
        :: !w1 -> write1()
        :: !w2 -> write2()
        :: atomic { w0 && w1 && w2 -> t = 0; more = 0; w0 = 0; w1 = 0; w2 = 0; k++; break }
        od
    :: else -> break
    od;
    finished++
}

proctype proxy()
{
    byte i;
    bit more;
    do
    :: next < ALL ->
        d_step { more = 0; i = next % N };
        if
        :: tag0[i] == TAG(next)
        :: else ->
#if BUG != NO_IDLE_TAIL
            tail = next;
#endif
            (tag0[i] == TAG(next))
        fi;
#if BUG != ONE_TAG
        if
        :: tag1[i] == TAG(next)
        :: else ->
#if BUG != NO_IDLE_TAIL
            tail = next;
#endif
            (tag1[i] == TAG(next))
        fi;
#endif
#if BUG == TAIL_BEFORE_COPY
        tail = next + 1;
#endif
        d_step { assert(data0[i] == next); more = has_more[i] };
        assert(data1[i] == next);
        if
        :: more ->
#if BUG == PARTIAL_TAG
            (tag2[i] == TAG(next));
#endif
            assert(data2[i] == next)
        :: else
        fi;
        next++;
        /* Publish tail at the end of a batch, which may have any size. */
        atomic {
            if
            :: tail = next
            :: skip
            fi;
            assert(seen <= tail && tail <= next) /* I2: so t - seen never underflows */
        };
#if BUG == PROXY_CLEARS
        tail = next;
        d_step { tag0[(next - 1) % N] = TAG(next - 1) + 1; data0[(next - 1) % N] = 0 }
#endif
    :: else ->
        tail = next;
        break
    od;
    (finished == P);
    assert(ticket == ALL)
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
