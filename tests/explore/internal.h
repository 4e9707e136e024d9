/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine, which the files of the explorer share: the state of all threads and of
 * the memory between them.
 */
#ifndef TESTS_EXPLORE_INTERNAL_H
#define TESTS_EXPLORE_INTERNAL_H

#include <setjmp.h>

#include "tests/explore/explore.h"

#define MAX_THREADS 5
#define MAX_CELLS 128
#define MAX_MESSAGES 128
#define MAX_HISTORY 32
#define MAX_WATCHED 16
#define MAX_EVENTS 4096
#define NOBODY MAX_THREADS

/*
 * What a thread knows, or learns from a message: for each cell, the oldest message that it
 * may still read; for each thread, the time up to which all accesses of that thread
 * happened before.
 */
struct view {
    uint8_t at[MAX_CELLS];
    uint8_t time[8];
};

/* A value that was stored, and the view that a thread gets by acquiring it. */
struct message {
    uint64_t value;
    struct view view;
    bool used;
    /* Stored by a read-modify-write that read the message before: nothing may come between. */
    bool is_update;
};

enum { ATOMIC_LOAD, ATOMIC_STORE, PLAIN_LOAD, PLAIN_STORE, ACCESSES };

/* The messages of a cell in modification order; the value of the last is in memory. */
struct cell {
    /* The number of messages besides the first. */
    uint8_t more;
    /* Indices into machine.message; 0 stands for the initial value, or that of a plain store. */
    uint8_t message[MAX_HISTORY];
    /* Each thread's time of its last access of each kind; 0: none, or all threads know of it. */
    uint8_t last[ACCESSES][MAX_THREADS];
};

enum op_kind { OP_LOAD, OP_STORE, OP_ADD, OP_EXCHANGE, OP_COMPARE_SWAP, OP_FENCE, OP_CHOOSE };

/* What a thread is about to do. */
struct op {
    uint8_t kind;
    uint8_t width;
    uint8_t cell;
    bool acquires, releases, total;
    /* A fence that the other threads pass, too. */
    bool everywhere;
    uint16_t site;
    void *p;
    uint64_t operand, expected;
};

enum status { THREAD_READY, THREAD_ALONE, THREAD_WAITING, THREAD_ENDED };

struct thread {
    jmp_buf at;
    char *low;
    uint8_t status;
    struct op op;
    uint64_t result;
    bool swapped;
    /* A hash of what it has read: now, before its last load, and when it began to wait. */
    uint64_t history, before_load, before_wait;
    /* The cells that it has read since it last waited, and the values. */
    uint8_t watched[MAX_WATCHED];
    uint8_t n_watched;
    uint64_t read[MAX_WATCHED];
    /* What it knows; what its relaxed stores release since its last release fence; what its next
     * acquire fence adds. */
    struct view now, released, pending;
};

/* For the report of a failure. */
struct event {
    uint8_t thread, kind, cell, order, position, of;
    uint16_t site;
    uint64_t value;
};

struct machine {
    unsigned n_events;
    struct view total;
    struct thread thread[MAX_THREADS];
    struct cell cell[MAX_CELLS];
    struct message message[MAX_MESSAGES];
};

extern struct machine machine;
/* The thread that runs, or NOBODY. */
extern unsigned running;
extern struct event events[MAX_EVENTS];

/* cells.c: the memory of a scenario; a cell is a word, or a smaller variable. */
bool cells_find(const void *p, unsigned width, uint8_t *ret_cell);
const char *cell_name(unsigned cell, char *text, size_t nbytes);
uint64_t cell_memory(unsigned cell);
unsigned cells_count(void);
size_t cells_image(char *image, bool restore);
uint64_t cells_private_hash(void);
bool cells_on_stack(const void *p);

/* memory.c: C11's memory model, except that no load reads from a store that comes later. */
uint32_t memory_choices(unsigned thread, const struct op *op);
void memory_perform(unsigned thread, const struct op *op, unsigned position);
void memory_plain(unsigned thread, unsigned cell, bool store);
void memory_tidy(void);
static inline unsigned memory_last(unsigned cell) { return machine.cell[cell].more; }

/* hash.c: the states that were seen. */
bool hash_seen(void);
uint64_t hash_mix(uint64_t hash, uint64_t value);
uint64_t hash_states(void);

/* fiber.c: threads with stacks of their own. */
void fiber_start_all(void);
void fiber_run(unsigned thread);
void fiber_park(enum status status);
size_t fiber_image(char *image, bool restore);

/* sites.c: the places in the code that order memory, one of which may be weakened. */
#define SITE_NONE 0xffff
uint16_t site_of(const void *code, const struct op *op, int order, int *ret_order);
void site_weaken(unsigned number);
void sites_print(void);
const char *order_name(int order);

/* trace.c */
void trace(unsigned thread, const struct op *op, unsigned position, uint64_t value);
_Noreturn void fail(const char *what, const char *detail);

#endif
