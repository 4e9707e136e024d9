/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The wake word (device/target/waiters.h): each thread of a PE sleeps until the value that it
 * waits for is stored; a thread that stores checks for waiters and notifies them.  Sleeps have
 * no limit here, so a missed notification is an invalid end state: a thread sleeps indefinitely.
 */
#define NONE 0
#define NO_FENCE 1     /* W5: the storing thread looks before its store is visible */
#define LOOK_FIRST 2   /* W1, W2: the last look comes before the wake word is armed */
#define NO_COMPARE 3   /* W3: the kernel does not compare */
#define CLEAR_ONLY 4   /* W6: a notification disarms the word, but does not count itself */
#define WAKE_FIRST 5   /* W6: wakes the sleepers, and only then changes the word */
#define WAKE_ONE 6     /* W6: wakes only one of the sleepers */
#define STAYS_ARMED 7  /* W6: wakes the sleepers, but leaves the word as it is */

#ifndef BUG
#define BUG NONE
#endif
#ifndef SLEEPERS
#define SLEEPERS 2
#endif
/* Each writer stores the values 1 to K into its sleeper's word, one after the other. */
#ifndef K
#define K 2
#endif

/* Bit 0: armed; above it the count of notifications. */
byte wake_word;
byte word[SLEEPERS];
bit asleep[SLEEPERS];

inline wake(first, n)
{
    d_step {
        w = first;
        do
        :: w < SLEEPERS ->
            if
            :: asleep[w] && n > 0 -> asleep[w] = 0; n = n - 1
            :: else
            fi;
            w++
        :: else -> break
        od;
        w = 0
    }
}

proctype sleeper(byte me)
{
    byte want = 1, key;
    do
    :: want > K -> break
    :: want <= K ->
        if
        :: word[me] >= want -> want++
        :: else ->
#if BUG == LOOK_FIRST
            if
            :: word[me] >= want -> goto met
            :: else
            fi;
#endif
            atomic { wake_word = wake_word | 1; key = wake_word }; /* W1: comes before W2 */
#if BUG != LOOK_FIRST
            if
            :: word[me] >= want -> goto met /* W2: it sees the store, or W6 sees W1 */
            :: else
            fi;
#endif
            atomic {
#if BUG == NO_COMPARE
                asleep[me] = 1
#else
                if
                :: wake_word == key -> asleep[me] = 1 /* W3: only if not notified since W1 */
                :: else
                fi
#endif
            };
            asleep[me] == 0;
met:        skip
        fi
    od
}

/* W6, when the writer has seen the wake word armed: change it first, then wake all sleepers. */
inline notify()
{
    n = SLEEPERS;
#if BUG == WAKE_ONE
    n = 1;
#endif
#if BUG == WAKE_FIRST
    wake(0, n);
#endif
    atomic {
        if
#if BUG == CLEAR_ONLY
        :: wake_word & 1 -> wake_word = wake_word - 1
#elif BUG == STAYS_ARMED
        :: wake_word & 1 -> skip
#else
        :: wake_word & 1 -> wake_word = wake_word + 1
#endif
        :: else -> n = 0
        fi
    };
#if BUG != WAKE_FIRST
    wake(0, n)
#else
    skip
#endif
}

proctype writer(byte to)
{
    byte k, n, w;
    bit armed;
    do
    :: k == K -> break
    :: k < K ->
        k++;
#if BUG == NO_FENCE
        if
        :: word[to] = k; armed = wake_word & 1
        :: armed = wake_word & 1; word[to] = k
        fi;
#else
        word[to] = k; /* W4 */
        armed = wake_word & 1; /* W6; W5 is the order of these two statements */
#endif
        if
        :: armed -> notify()
        :: else
        fi;
        armed = 0
    od
}

init
{
    byte i;
    atomic {
        do
        :: i < SLEEPERS -> run sleeper(i); run writer(i); i++
        :: else -> break
        od
    }
}
