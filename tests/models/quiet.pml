/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Quiet: the proxy counts transfers in generations, has one active quiet and at most
 * one that waits, and publishes the ticket below which all requests are complete.
 * WAITERS threads send a transfer and wait until all is quiet, ROUNDS times.
 *
 * Fails by an assertion if a thread goes on while a transfer of its own is in flight,
 * or by an invalid end state if a thread waits indefinitely.
 */
#define NONE 0
#define TOO_EARLY 1       /* published when the quiet is popped */
#define COMPLETES_PENDING 2 /* the end of one quiet completes the waiting one as well */
#define FORGETS_PENDING 3 /* a quiet that comes while one is active is dropped */
#define NEVER_LAST 4      /* a quiet that comes while one is active replaces it */
#define OFF_BY_ONE 5      /* a thread goes on when its own transfer is the next to complete */
#define NO_GENERATION 6   /* a quiet completes without waiting for the transfers before it */
#define COMPLETED_BACK 7  /* the waiting quiet keeps its first ticket, not the last one */

#ifndef BUG
#define BUG NONE
#endif
#ifndef WAITERS
#define WAITERS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

#define ALL (WAITERS * ROUNDS * 2)

/* The ring: the thread that sent each request, and whether it is a quiet. */
byte owner[ALL];
bit is_quiet[ALL], published[ALL];
byte ticket, next, completed;
/* The number of transfers of each thread that are claimed and not complete. */
byte unfinished[WAITERS];
/* The number of transfers that the proxy posted, by generation and thread. */
byte posted[2 * WAITERS];
byte under_way[2];

proctype waiter(byte me)
{
    byte t, round;
    do
    :: round < ROUNDS ->
        d_step { t = ticket; ticket++; unfinished[me]++ };
        d_step { owner[t] = me; is_quiet[t] = 0; published[t] = 1 };
        d_step { t = ticket; ticket++ };
        d_step { owner[t] = me; is_quiet[t] = 1; published[t] = 1 };
#if BUG == OFF_BY_ONE
        (completed + 1 >= t);
#else
        (completed > t);
#endif
        assert(unfinished[me] == 0);
        round++
    :: else -> break
    od
}

inline start(q)
{
    busy = 1;
    busy_ticket = q;
    generation = 1 - generation
}

/* Complete a transfer of generation g, of any thread (at most three). */
inline finish(g)
{
    atomic {
        if
        :: posted[g * WAITERS] > 0 -> i = 0
        :: posted[g * WAITERS + 1] > 0 -> i = 1
        :: posted[g * WAITERS + WAITERS - 1] > 0 -> i = WAITERS - 1
        fi;
        posted[g * WAITERS + i]--;
        under_way[g]--;
        unfinished[i]--;
        i = 0
    }
}

proctype proxy()
{
    bit busy, waits, generation;
    byte busy_ticket, waiting_ticket, i;
    do
    /* Pop. */
    :: next < ALL && published[next] ->
        d_step {
            if
            :: !is_quiet[next] ->
                under_way[generation]++;
                posted[generation * WAITERS + owner[next]]++
            :: is_quiet[next] && busy ->
#if BUG == FORGETS_PENDING
                skip
#elif BUG == NEVER_LAST
                busy_ticket = next
#elif BUG == COMPLETED_BACK
                if
                :: !waits -> waiting_ticket = next
                :: else
                fi;
                waits = 1
#else
                waits = 1;
                waiting_ticket = next
#endif
            :: else ->
                start(next);
#if BUG == TOO_EARLY
                completed = next + 1
#endif
            fi;
            next++
        }
    /* A transfer completes, in any order. */
    :: under_way[0] > 0 -> finish(0)
    :: under_way[1] > 0 -> finish(1)
    /* The active quiet is complete: no transfer sent before it is in flight. */
#if BUG == NO_GENERATION
    :: busy ->
#else
    :: busy && under_way[1 - generation] == 0 ->
#endif
        d_step {
            assert(busy_ticket + 1 > completed);
            completed = busy_ticket + 1;
#if BUG == COMPLETES_PENDING
            if
            :: waits -> completed = waiting_ticket + 1
            :: else
            fi;
#endif
            busy = 0;
            if
            :: waits ->
                waits = 0;
                start(waiting_ticket)
            :: else
            fi
        }
    :: next == ALL && !busy -> break
    od
}

init
{
    byte i;
    atomic {
        do
        :: i < WAITERS -> run waiter(i); i++
        :: else -> break
        od;
        run proxy()
    }
}
