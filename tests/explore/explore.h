/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between the explorer (explore.c) and its scenarios.
 *
 * A scenario is a few threads over memory that it names.  Its code, and the real
 * code that it includes, is compiled with -fsanitize=thread, so that each access
 * to memory comes to hooks.c; the compiler's own run-time library is not linked.
 * start, check and finish run outside the threads: their accesses are not explored.
 */
#ifndef TESTS_EXPLORE_EXPLORE_H
#define TESTS_EXPLORE_EXPLORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct explore_scenario {
    const char *name;
    unsigned n_threads;
    /* The name of thread i; several threads may share one. */
    const char *(*role)(unsigned thread);
    /* Declares the scenario's memory, names it and fills it. */
    void (*start)(void);
    void (*run)(unsigned thread);
    /* Checks what must hold in every state; NULL: nothing. */
    void (*check)(void);
    /* Checks what must hold when all threads have ended; NULL: nothing. */
    void (*finish)(void);
    /* True for a thread that may stay blocked when the others have ended; NULL: none may. */
    bool (*may_stay_blocked)(unsigned thread);
    /* It calls explore_fence_threads.  Without, a store is performed at once, for others may still
     * read what was before; that fence tells what was stored before it from what comes later. */
    bool fences_threads;
};

/* Each scenario's program defines it. */
extern const struct explore_scenario explore_scenario;

/* Memory that threads share: the memory model (memory.c) decides what an access sees. */
void explore_share(void *memory, size_t nbytes);
/* Memory of one thread that is not on its stack: saved and restored, but not ordered. */
void explore_keep(void *memory, size_t nbytes);
/* A part of shared memory whose accesses do not matter, such as a counter for reports. */
void explore_ignore(void *memory, size_t nbytes);
/* A name for messages; `n` elements of `nbytes` each, numbered if there is more than one. */
void explore_name(const char *name, const void *memory, size_t nbytes, unsigned n);

/*
 * A thread says that what it has read no longer matters, except what is in memory and the
 * label.  States that differ only in what it had read before are then one state.
 */
void explore_forget(uint64_t label);
/*
 * As explore_forget, and then wait until the thread can see a change of one of the words that
 * it has read since its last wait: reading the same values once more would lead nowhere.
 */
void explore_wait(uint64_t label);
/* The wait in a loop with a single load; `turns` is how often that loop has waited. */
void explore_spin(uint32_t turns);
/* A full fence of the calling thread, which all the others pass as well. */
void explore_fence_threads(void);
/* The number of the calling thread. */
unsigned explore_thread(void);
/* Returns any number below n: the explorer tries them all. */
unsigned explore_choose(unsigned n);

/* Ends the program with the steps that led here, unless `holds`. */
void explore_check(bool holds, const char *what, uint64_t got, uint64_t wanted);

#endif
