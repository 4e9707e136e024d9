/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linearizability of the fetching atomics: what they returned to all PEs, and
 * when, must be what one PE alone could have seen that did them one by one.
 *
 * PEs do random operations on one variable at a time and note what they
 * replaced, by what, and between which two times.  A value that was replaced
 * must have been made before, once for each time: lost updates and values that
 * nobody wrote show here.  Values are drawn from so many that nearly always each
 * occurs once; then the operations form one chain from the first value to the
 * last, and along it no operation may stand after one that began only when it
 * had ended.
 *
 * Times are numbers of a counter in PE 0's memory where all PEs have it mapped, and otherwise of
 * the system's clock, because the PEs are on one machine (also in the lab).  The counter does not
 * depend on the clocks of two CPUs being equal: in a virtual machine that is paused they may
 * differ.
 */
#include <stdlib.h>
#include <time.h>

#include "tests/support/amo_table.h"
#include "tests/support/pe.h"

/* Operations of each PE; many where one takes nanoseconds, so that PEs collide. */
#define DIRECT_OPERATIONS 2000u
#define CHANNEL_OPERATIONS 100u
#define FIRST UINT64_C(0x5bd1e995a3c59ac3)

/* One operation, as its PE saw it. */
struct event {
    /* First, for events are ordered by it. */
    uint64_t before;
    uint64_t after;
    uint64_t began, ended;
};

/* In symmetric memory: the variable, and on its PE everybody's notes. */
static uint64_t *variable;
/* PE 0's counter, or NULL. */
static uint64_t *counter;
static struct event *notes, *mine;
static unsigned operations;

static uint64_t now(void)
{
    struct timespec t;
    if (counter != NULL) return __atomic_fetch_add(counter, 1, __ATOMIC_SEQ_CST);
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* The operations that fetch; the bitwise one where a type has it. */
static const enum amo_kind kinds[] = {AMO_FETCH,     AMO_SWAP,      AMO_COMPARE_SWAP,
                                      AMO_FETCH_ADD, AMO_FETCH_INC, AMO_FETCH_XOR};

/* One random operation; what it saw last is what it compares with next. */
static void operate(const struct amo_type *type, void *word, int owner, uint64_t *random,
                    uint64_t *seen, struct event *ret_event)
{
    size_t n = PE_COUNT(kinds) - (type->row[AMO_FETCH_XOR] == NULL);
    const struct amo_row *row = type->row[kinds[pe_random(random) % n]];
    uint64_t value = pe_random(random) & amo_mask(type->width);
    ret_event->began = now();
    ret_event->before = row->run(word, value, *seen, owner);
    ret_event->ended = now();
    ret_event->after = amo_model(row, ret_event->before, value, *seen);
    *seen = ret_event->after;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Put the operations that change the variable first, ordered by what they replaced. */
static size_t split(struct event *events, size_t n)
{
    size_t changes = 0;
    for (size_t i = 0; i < n; i++) {
        struct event event = events[i];
        if (event.before == event.after) continue;
        events[i] = events[changes];
        events[changes++] = event;
    }
    qsort(events, changes, sizeof(*events), compare);
    return changes;
}

/*
 * Each value that was made was replaced, but the last; and each that was
 * replaced was made, but the first.  Returns whether each occurs once.
 */
static bool check_values(const struct event *changes, size_t n, uint64_t first, uint64_t last)
{
    uint64_t *made = calloc(2 * (n + 1), sizeof(*made)), *replaced = made + n + 1;
    size_t different = 0, twice = 0;
    PE_NEED(made != NULL);
    for (size_t i = 0; i < n; i++) {
        made[i] = changes[i].after;
        replaced[i] = changes[i].before;
    }
    made[n] = first;
    replaced[n] = last;
    qsort(made, n + 1, sizeof(*made), compare);
    qsort(replaced, n + 1, sizeof(*replaced), compare);
    for (size_t i = 0; i <= n; i++) {
        different += made[i] != replaced[i];
        twice += i > 0 && made[i] == made[i - 1];
    }
    PE_EQUAL(different, 0);
    free(made);
    return twice == 0;
}

/* Follow the chain from its first value; returns its length. */
static size_t follow(const struct event *changes, size_t n, uint64_t first,
                     struct event *ret_chain)
{
    size_t length = 0;
    while (length < n) {
        const struct event *next = bsearch(&first, changes, n, sizeof(*changes), compare);
        if (next == NULL) break;
        ret_chain[length++] = *next;
        first = next->after;
    }
    return length;
}

/* The first time is not later than the second one; else by how much. */
static void check_order(uint64_t first, uint64_t second)
{
    uint64_t late_by = first > second ? first - second : 0;
    PE_EQUAL(late_by, 0);
}

/* No change stands after one that began only when it had ended. */
static void check_times(const struct event *chain, size_t n)
{
    uint64_t latest_begin = 0;
    for (size_t i = 0; i < n; i++) {
        check_order(latest_begin, chain[i].ended);
        if (chain[i].began > latest_begin) latest_begin = chain[i].began;
    }
}

/*
 * A read of a value: not before the change that made it had begun, and not
 * after the change that replaced it had ended.
 */
static void check_read(const struct event *read, const struct event *chain, size_t n,
                       uint64_t first)
{
    size_t i = 0;
    bool from_start = read->before == first;
    while (i < n && chain[i].after != read->before) i++;
    PE_TRUE(from_start || i < n);
    if (!from_start && i < n) check_order(chain[i].began, read->ended);
    i = from_start ? 0 : i + 1;
    if (i < n) check_order(read->began, chain[i].ended);
}

static void check_history(struct event *events, size_t n, uint64_t first, uint64_t last)
{
    struct event *chain = calloc(n, sizeof(*chain));
    size_t changes = split(events, n);
    PE_NEED(chain != NULL);
    if (check_values(events, changes, first, last)) {
        PE_EQUAL(follow(events, changes, first, chain), changes);
        check_times(chain, changes);
        for (size_t i = changes; i < n; i++) check_read(&events[i], chain, changes, first);
    }
    free(chain);
}

/* All PEs on the variable of one, which checks what everybody saw. */
static void run(const struct amo_type *type, int owner, uint64_t *random)
{
    uint64_t seen = 0, first = FIRST & amo_mask(type->width);
    pe_step("%s: the variable of PE %d", type->name, owner);
    pe_store_bits(variable, type->width, first);
    nvshmem_barrier_all();
    for (unsigned i = 0; i < operations; i++)
        operate(type, variable, owner, random, &seen, &mine[i]);
    nvshmem_putmem(notes + (size_t)pe_me * operations, mine, operations * sizeof(*mine), owner);
    nvshmem_barrier_all();
    if (pe_me == owner)
        check_history(notes, (size_t)pe_n * operations, first,
                      pe_load_bits(variable, type->width));
}

int main(void)
{
    struct amo_type type;
    uint64_t random, *ticks;
    pe_start("amo_linear");
    random = (uint64_t)pe_me * 7919 + 17;
    variable = pe_alloc(sizeof(*variable));
    ticks = pe_alloc(sizeof(*ticks));
    counter = pe_all_mapped(ticks) ? nvshmem_ptr(ticks, 0) : NULL;
    /* The same number for all PEs. */
    operations = pe_all_mapped(variable) ? DIRECT_OPERATIONS : CHANNEL_OPERATIONS;
    notes = pe_alloc((size_t)pe_n * operations * sizeof(*notes));
    mine = calloc(operations, sizeof(*mine));
    PE_NEED(mine != NULL);
    for (size_t t = 0; amo_get_type(t, &type); t++)
        for (int owner = 0; owner < pe_n && type.row[AMO_FETCH_ADD] != NULL; owner++)
            run(&type, owner, &random);
    free(mine);
    nvshmem_free(notes);
    nvshmem_free(ticks);
    nvshmem_free(variable);
    return pe_finish();
}
