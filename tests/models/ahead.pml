/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives of two PEs that send (device/routine/ahead.h): broadcasts whose root goes ahead, at
 * most R in a row, and meetings, in any order.  What a PE sends is read from its own slot when it
 * is sent, in order, and comes with the signal of its call.  A PE looks twice at what has come:
 * nobody may write there before it leaves the call.
 */
#define NONE 0
#define NO_LIMIT 1     /* rows do not end */
#define PARITY 2       /* a meeting's slot is chosen by the number of all calls */
#define SHARED_SLOTS 3 /* a broadcast that goes ahead uses the slots of meetings */
#define TWO_WORDS 4    /* two words in turn, as among more PEs */
#define SIGNAL_FIRST 5 /* the signal comes before the bytes */
#define STAYS_ROW 6    /* a broadcast at the end of a row is no meeting, but starts the next row */

#ifndef BUG
#define BUG NONE
#endif
#ifndef R
#define R 2
#endif
#ifndef K
#define K 7
#endif
#if BUG == TWO_WORDS
#define WORDS 2
#else
#define WORDS (2 * (R + 1))
#endif

#define UNKNOWN 0
#define ROOT_0 1
#define ROOT_1 2
#define MEETING 3

/* Slots: two of meetings, then those of broadcasts that go ahead. */
#define SLOTS (2 + R)

byte kind[K + 1];
byte slot[2 * SLOTS], word[2 * WORDS];
chan sent0 = [K] of { byte, byte };
chan sent1 = [K] of { byte, byte };
byte over;

inline send(at, e)
{
    if
    :: me == 0 -> sent0 ! at, e
    :: me == 1 -> sent1 ! at, e
    fi
}

inline choose()
{
    atomic {
        if
        :: kind[e] != UNKNOWN -> skip
        :: kind[e] == UNKNOWN -> kind[e] = ROOT_0
        :: kind[e] == UNKNOWN -> kind[e] = ROOT_1
        :: kind[e] == UNKNOWN -> kind[e] = MEETING
        fi
    }
}

inline receive()
{
    (word[me * WORDS + e % WORDS] == e);
    assert(slot[me * SLOTS + at] == e);
    assert(slot[me * SLOTS + at] == e)
}

proctype pe(byte me)
{
    byte e, row, ahead, at;
    bit goes;
    do
    :: e < K ->
        e++;
        choose();
        goes = kind[e] != MEETING;
#if BUG == STAYS_ROW
        if
        :: row == R -> row = 0
        :: else -> skip
        fi;
#elif BUG != NO_LIMIT
        goes = goes && row < R;
#endif
        if
        :: goes ->
#if BUG == SHARED_SLOTS
            at = e % 2;
#else
            at = 2 + row % R;
#endif
            if
            :: kind[e] == ROOT_0 + me -> slot[me * SLOTS + at] = e; send(at, e)
            :: else -> receive()
            fi;
            row++;
            ahead++
        :: else ->
#if BUG == PARITY
            at = e % 2;
#else
            at = (e - ahead) % 2;
#endif
            /* Both send, from a part of the slot that nobody else writes. */
            send(at, e);
            receive();
            row = 0
        fi
    :: else -> break
    od;
    over++
}

/* The way from PE `me` to the other one. */
inline deliver(from_slot, e, other)
{
#if BUG == SIGNAL_FIRST
    word[other * WORDS + e % WORDS] = e;
    slot[other * SLOTS + from_slot] = e
#else
    /* A broadcast's bytes are read now; those of a meeting stay as they are. */
    if
    :: from_slot >= 2 -> slot[other * SLOTS + from_slot] = slot[me * SLOTS + from_slot]
    :: else -> slot[other * SLOTS + from_slot] = e
    fi;
    word[other * WORDS + e % WORDS] = e
#endif
}

proctype way(byte me)
{
    byte at, e;
end:
    do
    :: me == 0 && sent0 ? [at, e] -> sent0 ? at, e; deliver(at, e, 1)
    :: me == 1 && sent1 ? [at, e] -> sent1 ? at, e; deliver(at, e, 0)
    :: over == 2 && len(sent0) == 0 && len(sent1) == 0 -> break
    od
}

init
{
    atomic {
        run pe(0);
        run pe(1);
        run way(0);
        run way(1)
    }
}
