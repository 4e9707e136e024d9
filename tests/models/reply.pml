/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reply line (device/channel/reply.h): a thread that owns a line asks a question, waits
 * until one answer more was counted than before it asked, and reads the value.
 * Answers to different threads come in any order.  A line goes to another thread
 * after its owner has its answer.
 */
#define NONE 0
#define COUNT_FIRST 1  /* answered is stored before the value */
#define FLAG 2         /* a flag that is never lowered instead of a count */
#define SHARED_LINE 3  /* two threads use one line at once */
#define GIVEN_EARLY 4  /* the line is given back before the answer came */
#define RESET_LATE 5   /* a flag that the asker lowers after sending */
#define ANSWERED_TWICE 6 /* a question that failed is answered again */
#define COUNT_LATE 7   /* the answers are counted after the question was sent */

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

byte value[LINES], answered[LINES];
bit taken[LINES];
/* Questions under way: what each asker asks on which line, or NOBODY. */
byte line_of[OWNERS], question[OWNERS];
byte done;

inline ask()
{
    q++;
#if BUG == RESET_LATE
    d_step { question[me] = 16 * me + q; line_of[me] = line };
    answered[line] = 0
#elif BUG == COUNT_LATE
    d_step { question[me] = 16 * me + q; line_of[me] = line };
    answers = answered[line] + 1
#else
    answers = answered[line] + 1;
    d_step { question[me] = 16 * me + q; line_of[me] = line }
#endif
}

inline await()
{
#if BUG == FLAG || BUG == RESET_LATE
    (answered[line] != 0);
#else
    (answered[line] == answers);
#endif
    assert(value[line] == 16 * me + q)
}

proctype asker(byte me)
{
    byte line, q, answers;
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
        ask();
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
        /* Any question that is under way. */
        atomic {
            if
            :: line_of[0] != NOBODY -> i = 0
            :: line_of[1] != NOBODY -> i = 1
            :: line_of[OWNERS - 1] != NOBODY -> i = OWNERS - 1
            :: done == OWNERS -> break
            fi;
            line = line_of[i];
            what = question[i];
            line_of[i] = NOBODY
        };
#if BUG == COUNT_FIRST
        answered[line] = answered[line] + 1;
        value[line] = what
#else
        value[line] = what;
        answered[line] = answered[line] + 1
#if BUG == ANSWERED_TWICE
        ;
        if
        :: answered[line] = answered[line] + 1
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
        :: i < OWNERS -> line_of[i] = NOBODY; run asker(i); i++
        :: else -> break
        od;
        run proxy()
    }
}
