/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a scenario of the explorer (explore.c) gives and gets.
 *
 * A scenario is a few threads over memory that it names.  Its code, and the real
 * code that it includes, is compiled with -fsanitize=thread, so that each access
 * to memory comes to hooks.c; the compiler's own run-time library is not linked.
 * start, check and finish run outside of the threads: their accesses are no part
 * of what is explored.
 */
#ifndef TESTS_EXPLORE_EXPLORE_H
#define TESTS_EXPLORE_EXPLORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct explore_scenario {
    const char *name;
    unsigned n_threads;
    /* What thread i is called; several may have one name. */
    const char *(*role)(unsigned thread);
    /* Names its memory, and fills it. */
    void (*start)(void);
    void (*run)(unsigned thread);
    /* What holds in every state; NULL: nothing. */
    void (*check)(void);
    /* What holds when all threads have ended; NULL: nothing. */
    void (*finish)(void);
    /* A thread that may stay blocked when the others have ended; NULL: none. */
    bool (*may_stay_blocked)(unsigned thread);
};

/* Each program has one. */
extern const struct explore_scenario explore_scenario;

/* Memory of several threads: each access has its place in the order of memory. */
void explore_share(void *memory, size_t nbytes);
/* Memory of one thread that is not on its stack. */
void explore_keep(void *memory, size_t nbytes);
/* A part of what was shared that says nothing, as a counter for reports. */
void explore_ignore(void *memory, size_t nbytes);
/* For messages; elements of `nbytes`, numbered if there are more than one. */
void explore_name(const char *name, const void *memory, size_t nbytes, unsigned n);

/*
 * Of a thread: nothing that it has read is of any use but what lies in memory, and
 * the label; so that states that differ in nothing else are one.
 */
void explore_forget(uint64_t label);
/*
 * The same, and wait until one of the words read since the last wait has changed, and
 * can be seen to have: to find all as before again would lead nowhere.
 */
void explore_wait(uint64_t label);
/* The wait of a loop that has one load, and says how often it waited. */
void explore_spin(uint32_t turns);
/* Which thread this is. */
unsigned explore_thread(void);
/* Any number below n. */
unsigned explore_choose(unsigned n);

/* Ends the program with the steps that led here, unless `holds`. */
void explore_check(bool holds, const char *what, uint64_t got, uint64_t wanted);

#endif
