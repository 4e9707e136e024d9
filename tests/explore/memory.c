/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C11's memory model, executed forward.
 *
 * Each cell has its messages in modification order.  A load may return the newest message
 * that the thread knows of, or any later one.  A store may be placed anywhere behind that
 * message, but not between an update and the message that it read.  A thread that acquires
 * a message learns what its sender knew.  Two accesses of which one is plain are a race
 * unless one happened before the other.
 *
 * One behaviour that C11 allows is left out: a load never returns a value that is stored
 * later.  Where that could do harm here, which is for data that is read after it was given
 * back, the accesses race, and the race is found.  As in C++20, a relaxed store of the same
 * thread that follows a release store is no part of its release sequence.
 */
#include <stdio.h>
#include <string.h>

#include "tests/explore/internal.h"

static void raise_to(uint8_t *at, const uint8_t *other, unsigned n)
{
    for (unsigned i = 0; i < n; i++) at[i] = other[i] > at[i] ? other[i] : at[i];
}

static void join(struct view *view, const struct view *other)
{
    raise_to(view->at, other->at, MAX_CELLS);
    raise_to(view->time, other->time, sizeof(view->time));
}

/* Races. */

static void look_for(unsigned thread, unsigned cell, unsigned access, unsigned other)
{
    static const char *const texts[] = {"load", "store", "plain load", "plain store"};
    const struct view *now = &machine.thread[thread].now;
    char name[48], text[160];
    for (unsigned i = 0; i < explore_scenario.n_threads; i++) {
        if (machine.cell[cell].last[other][i] <= now->time[i] || i == thread) continue;
        snprintf(text, sizeof(text), "%s of %s by %s, and %s by %s", texts[access],
                 cell_name(cell, name, sizeof(name)), explore_scenario.role(thread), texts[other],
                 explore_scenario.role(i));
        fail("data race", text);
    }
}

static void note_access(unsigned thread, unsigned cell, unsigned access)
{
    bool stores = access == ATOMIC_STORE || access == PLAIN_STORE;
    bool plain = access == PLAIN_LOAD || access == PLAIN_STORE;
    look_for(thread, cell, access, PLAIN_STORE);
    if (stores) look_for(thread, cell, access, PLAIN_LOAD);
    if (plain) look_for(thread, cell, access, ATOMIC_STORE);
    if (stores && plain) look_for(thread, cell, access, ATOMIC_LOAD);
    machine.cell[cell].last[access][thread] = machine.thread[thread].now.time[thread];
}

/* After a release the thread's time advances: later accesses are no part of the release. */
static void pass_time(unsigned thread)
{
    if (++machine.thread[thread].now.time[thread] == UINT8_MAX) fail("too many releases", "");
}

/* Messages. */

static unsigned message_new(void)
{
    for (unsigned i = 1; i < MAX_MESSAGES; i++) {
        if (machine.message[i].used) continue;
        memset(&machine.message[i], 0, sizeof(machine.message[i]));
        machine.message[i].used = true;
        return i;
    }
    fail("too many messages", "");
}

static void message_free(unsigned message)
{
    if (message != 0) machine.message[message].used = false;
}

static uint64_t value_at(unsigned cell, unsigned position)
{
    const struct cell *c = &machine.cell[cell];
    return position == c->more ? cell_memory(cell) : machine.message[c->message[position]].value;
}

/* In all views, move the positions in a cell from `from` on by `by`; not below 0. */
static void all_views(unsigned cell, unsigned from, int by)
{
    struct view *views[3 * MAX_THREADS + MAX_MESSAGES + 1];
    unsigned n = 0;
    for (unsigned i = 0; i < explore_scenario.n_threads; i++) {
        views[n++] = &machine.thread[i].now;
        views[n++] = &machine.thread[i].released;
        views[n++] = &machine.thread[i].pending;
    }
    views[n++] = &machine.total;
    for (unsigned i = 1; i < MAX_MESSAGES; i++)
        if (machine.message[i].used) views[n++] = &machine.message[i].view;
    while (n-- > 0) {
        int at = views[n]->at[cell];
        if ((unsigned)at >= from) views[n]->at[cell] = (uint8_t)(at + by > 0 ? at + by : 0);
    }
}

/* Insert a message into the modification order; memory keeps the value of the last message. */
static unsigned insert(unsigned cell, unsigned position, uint64_t value, const struct op *op)
{
    struct cell *c = &machine.cell[cell];
    unsigned message = message_new(), last = c->more;
    if (last + 2 > MAX_HISTORY) fail("too long a history", "");
    if (position > last) {
        if (c->message[last] == 0) c->message[last] = (uint8_t)message_new();
        machine.message[c->message[last]].value = cell_memory(cell);
        memcpy(op->p, &value, op->width);
    } else {
        all_views(cell, position, 1);
        memmove(&c->message[position + 1], &c->message[position], last + 1 - position);
    }
    c->message[position] = (uint8_t)message;
    c->more++;
    machine.message[message].value = value;
    return message;
}

static bool is_glued(unsigned cell, unsigned position)
{
    const struct cell *c = &machine.cell[cell];
    return position <= c->more && machine.message[c->message[position]].is_update;
}

/* The possible positions of the operation in the order of its cell, a bit for each. */
uint32_t memory_choices(unsigned thread, const struct op *op)
{
    unsigned first, last, i;
    uint32_t choices = 0;
    if (op->kind == OP_FENCE) return 1;
    if (op->kind == OP_CHOOSE) return (UINT32_C(1) << op->operand) - 1;
    first = machine.thread[thread].now.at[op->cell];
    last = machine.cell[op->cell].more;
    for (i = first; i <= last; i++) {
        bool stores = op->kind != OP_LOAD &&
                      (op->kind != OP_COMPARE_SWAP || value_at(op->cell, i) == op->expected);
        if (stores && is_glued(op->cell, i + 1)) continue;
        choices |= UINT32_C(1) << i;
    }
    return choices;
}

static void acquire(unsigned thread, const struct op *op, unsigned message)
{
    struct thread *t = &machine.thread[thread];
    join(op->acquires ? &t->now : &t->pending, &machine.message[message].view);
}

static void store(unsigned thread, const struct op *op, unsigned position, uint64_t value)
{
    struct thread *t = &machine.thread[thread];
    unsigned message = insert(op->cell, position, value, op);
    note_access(thread, op->cell, ATOMIC_STORE);
    t->now.at[op->cell] = (uint8_t)position;
    machine.message[message].view = op->releases ? t->now : t->released;
    machine.message[message].view.at[op->cell] = (uint8_t)position;
    if (op->kind != OP_STORE) {
        unsigned before = machine.cell[op->cell].message[position - 1];
        machine.message[message].is_update = true;
        join(&machine.message[message].view, &machine.message[before].view);
    }
    if (op->releases) pass_time(thread);
    /* A thread does not wait for its own store; perform() adds an update's cell only later. */
    for (unsigned i = 0; i < t->n_watched; i++)
        if (t->watched[i] == op->cell) t->read[i] = value;
}

static void fence(unsigned thread, const struct op *op)
{
    struct thread *t = &machine.thread[thread];
    if (op->acquires) join(&t->now, &t->pending);
    if (op->total) {
        raise_to(t->now.at, machine.total.at, MAX_CELLS);
        raise_to(machine.total.at, t->now.at, MAX_CELLS);
    }
    if (!op->releases) return;
    t->released = t->now;
    pass_time(thread);
}

/* All others pass it between two fences of `thread`. */
static void fence_others(unsigned thread, const struct op *op)
{
    for (unsigned i = 0; i < explore_scenario.n_threads; i++)
        if (i != thread) fence(i, op);
    fence(thread, op);
}

/* `position` of a store is that of the message before it. */
void memory_perform(unsigned thread, const struct op *op, unsigned position)
{
    struct thread *t = &machine.thread[thread];
    uint64_t old;
    if (op->kind == OP_FENCE) {
        fence(thread, op);
        if (op->everywhere) fence_others(thread, op);
        return;
    }
    if (op->kind == OP_STORE) {
        store(thread, op, position + 1, op->operand);
        return;
    }
    old = value_at(op->cell, position);
    note_access(thread, op->cell, ATOMIC_LOAD);
    t->now.at[op->cell] = (uint8_t)position;
    acquire(thread, op, machine.cell[op->cell].message[position]);
    t->result = old;
    t->swapped = op->kind != OP_LOAD && (op->kind != OP_COMPARE_SWAP || old == op->expected);
    if (t->swapped)
        store(thread, op, position + 1, op->operand + (op->kind == OP_ADD ? old : 0));
}

/* Later accesses either know of a plain store or race with it: older messages can go. */
void memory_plain(unsigned thread, unsigned cell, bool stores)
{
    struct cell *c = &machine.cell[cell];
    note_access(thread, cell, stores ? PLAIN_STORE : PLAIN_LOAD);
    if (!stores) return;
    for (unsigned i = 0; i <= c->more; i++) message_free(c->message[i]);
    if (c->more > 0) all_views(cell, 0, -MAX_HISTORY);
    c->more = 0;
    c->message[0] = 0;
}

static void forget_old(unsigned cell)
{
    struct cell *c = &machine.cell[cell];
    unsigned oldest = c->more;
    for (unsigned i = 0; i < explore_scenario.n_threads; i++)
        if (machine.thread[i].status != THREAD_ENDED && machine.thread[i].now.at[cell] < oldest)
            oldest = machine.thread[i].now.at[cell];
    if (oldest == 0) return;
    for (unsigned i = 0; i < oldest; i++) message_free(c->message[i]);
    memmove(&c->message[0], &c->message[oldest], c->more + 1 - oldest);
    c->more = (uint8_t)(c->more - oldest);
    all_views(cell, 0, -(int)oldest);
}

/* True if all other threads that have not ended know what `thread` did at `time`. */
static bool is_known(unsigned thread, uint8_t time)
{
    for (unsigned i = 0; i < explore_scenario.n_threads; i++)
        if (i != thread && machine.thread[i].status != THREAD_ENDED &&
            machine.thread[i].now.time[thread] < time)
            return false;
    return true;
}

/* Drop messages and accesses that can have no effect any more, so that equal states meet. */
void memory_tidy(void)
{
    for (unsigned cell = 0; cell < cells_count(); cell++) {
        struct cell *c = &machine.cell[cell];
        if (c->more > 0) forget_old(cell);
        for (unsigned access = 0; access < ACCESSES; access++)
            for (unsigned i = 0; i < explore_scenario.n_threads; i++)
                if (c->last[access][i] != 0 && is_known(i, c->last[access][i]))
                    c->last[access][i] = 0;
    }
}
