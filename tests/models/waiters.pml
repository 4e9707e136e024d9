/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The wake word (device/target/waiters.h): threads of a PE sleep until what each of them waits for was
 * stored; a thread that stores checks for waiters and notifies them.  Sleeps have no limit here,
 * so a missed notification is an invalid end state: a thread sleeps indefinitely.
 */
#define NONE 0
#define NO_FENCE 1     /* W5: who stores looks before its store can be seen */
#define LOOK_FIRST 2   /* W1, W2: the last look comes before the wake word is armed */
#define NO_COMPARE 3   /* W3: the kernel does not compare */
#define CLEAR_ONLY 4   /* W6: a notification makes it not armed, but the number is an old one */
#define WAKE_FIRST 5   /* W6: wakes, and then makes it another number */
#define WAKE_ONE 6     /* W6: one of those who sleep is woken */
#define STAYS_ARMED 7  /* W6: wakes, and leaves it as it is */

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
            atomic { wake_word = wake_word | 1; key = wake_word }; /* W1 */
#if BUG != LOOK_FIRST
            if
            :: word[me] >= want -> goto met /* W2 */
            :: else
            fi;
#endif
            atomic {
#if BUG == NO_COMPARE
                asleep[me] = 1
#else
                if
                :: wake_word == key -> asleep[me] = 1 /* W3 */
                :: else
                fi
#endif
            };
            asleep[me] == 0;
met:        skip
        fi
    od
}

/* W6, of a wake word that was armed. */
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
        armed = wake_word & 1; /* W5, W6 */
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
