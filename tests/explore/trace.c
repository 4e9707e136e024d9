/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records each step of the current execution, and prints them all when it fails.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/explore/internal.h"

struct event events[MAX_EVENTS];

void trace(unsigned thread, const struct op *op, unsigned position, uint64_t value)
{
    struct event *event = &events[machine.n_events];
    bool has_cell = op->kind != OP_FENCE && op->kind != OP_CHOOSE;
    if (machine.n_events + 1 < MAX_EVENTS) machine.n_events++;
    event->thread = (uint8_t)thread;
    event->kind = op->kind;
    event->cell = op->cell;
    event->order = (uint8_t)(op->acquires | op->releases << 1);
    event->position = (uint8_t)position;
    event->of = (uint8_t)(has_cell ? memory_last(op->cell) : 0);
    event->site = op->site;
    event->value = value;
}

static void print(const struct event *event)
{
    static const char *const kinds[] = {"load", "store", "add", "exchange", "swap", "fence",
                                        "choose"};
    static const char *const orders[] = {"", " acquire", " release", " acquire, release"};
    const char *role = explore_scenario.role(event->thread);
    unsigned long long value = event->value;
    unsigned age = event->of - event->position;
    char name[48];
    fprintf(stderr, "# %s %u: %s", role, event->thread, kinds[event->kind]);
    if (event->kind == OP_FENCE)
        fprintf(stderr, "%s\n", orders[event->order]);
    else if (event->kind == OP_CHOOSE)
        fprintf(stderr, " %llu\n", value);
    else if (event->kind == OP_LOAD && age > 0)
        fprintf(stderr, " %s = %#llx%s, %u behind\n", cell_name(event->cell, name, sizeof(name)),
                value, orders[event->order], age);
    else
        fprintf(stderr, " %s = %#llx%s\n", cell_name(event->cell, name, sizeof(name)), value,
                orders[event->order]);
}

_Noreturn void fail(const char *what, const char *detail)
{
    fprintf(stderr, "# %s\n", explore_scenario.name);
    for (unsigned i = 0; i < machine.n_events; i++) print(&events[i]);
    if (running < MAX_THREADS)
        fprintf(stderr, "# in %s %u\n", explore_scenario.role(running), running);
    fflush(stderr);
    printf("failed: %s%s%s\n", what, detail[0] != '\0' ? ": " : "", detail);
    exit(1);
}

void explore_check(bool holds, const char *what, uint64_t got, uint64_t wanted)
{
    char text[64];
    if (holds) return;
    snprintf(text, sizeof(text), "%llu, not %llu", (unsigned long long)got,
             (unsigned long long)wanted);
    fail(what, text);
}
