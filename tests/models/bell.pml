/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bell (device/target/bell.h): threads of a PE sleep until what each of them waits for was
 * stored; who stores looks at the bell and rings it.  Sleeps have no limit here, so a
 * ring that is missed is an invalid end state: somebody sleeps for ever.
 */
#define NONE 0
#define NO_FENCE 1     /* B5: who stores looks before its store can be seen */
#define LOOK_FIRST 2   /* B1, B2: the last look comes before the bell is armed */
#define NO_COMPARE 3   /* B3: the kernel does not compare */
#define CLEAR_ONLY 4   /* B6: a ring makes it not armed, but the number is an old one */
#define WAKE_FIRST 5   /* B6: wakes, and then makes it another number */
#define WAKE_ONE 6     /* B6: one of those who sleep is woken */
#define STAYS_ARMED 7  /* B6: wakes, and leaves it as it is */

#ifndef BUG
#define BUG NONE
#endif
#ifndef SLEEPERS
#define SLEEPERS 2
#endif
/* Who stores has so many words for each sleeper, one after the other. */
#ifndef K
#define K 2
#endif

/* Bit 0: armed; above it the rings. */
byte bell;
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
            atomic { bell = bell | 1; key = bell }; /* B1 */
#if BUG != LOOK_FIRST
            if
            :: word[me] >= want -> goto met /* B2 */
            :: else
            fi;
#endif
            atomic {
#if BUG == NO_COMPARE
                asleep[me] = 1
#else
                if
                :: bell == key -> asleep[me] = 1 /* B3 */
                :: else
                fi
#endif
            };
            asleep[me] == 0;
met:        skip
        fi
    od
}

/* B6, of a bell that was armed. */
inline ring()
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
        :: bell & 1 -> bell = bell - 1
#elif BUG == STAYS_ARMED
        :: bell & 1 -> skip
#else
        :: bell & 1 -> bell = bell + 1
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
        :: word[to] = k; armed = bell & 1
        :: armed = bell & 1; word[to] = k
        fi;
#else
        word[to] = k; /* B4 */
        armed = bell & 1; /* B5, B6 */
#endif
        if
        :: armed -> ring()
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
