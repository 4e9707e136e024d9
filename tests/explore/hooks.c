/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions that gcc and clang call for each access to memory with -fsanitize=thread.
 *
 * Accesses to memory that no scenario shares are made directly.
 */
#include <string.h>

#include "tests/explore/internal.h"

/* No header declares the functions that the compilers call. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

static void remember(struct thread *t, uint64_t value) { t->history = hash_mix(t->history, value); }

static void watch(struct thread *t, uint8_t cell, uint64_t value)
{
    unsigned i = 0;
    while (i < t->n_watched && t->watched[i] != cell) i++;
    if (i == MAX_WATCHED) return;
    if (i == t->n_watched) t->n_watched++;
    t->watched[i] = cell;
    t->read[i] = value;
}

/* Perform the operation now, or park the thread until the explorer chooses it to go on. */
static void perform(struct op *op)
{
    struct thread *t = &machine.thread[running];
    uint32_t choices = op->kind == OP_STORE ? memory_choices(running, op) : 0;
    t->op = *op;
    if (op->kind == OP_FENCE && !op->total) {
        memory_perform(running, op, 0);
        trace(running, op, 0, 0);
    } else if (choices != 0 && (choices & (choices - 1)) == 0 &&
               !explore_scenario.fences_threads) {
        memory_perform(running, op, (unsigned)__builtin_ctz(choices));
        trace(running, op, 0, op->operand);
    } else {
        bool stays = op->kind == OP_STORE && !explore_scenario.fences_threads;
        fiber_park(stays || op->kind == OP_CHOOSE ? THREAD_ALONE : THREAD_READY);
    }
    if (op->kind == OP_STORE || op->kind == OP_FENCE) return;
    t->before_load = t->history;
    remember(t, t->result);
    if (op->kind == OP_CHOOSE) return;
    watch(t, op->cell, op->kind == OP_LOAD || !t->swapped ? t->result : cell_memory(op->cell));
}

static void set_order(struct op *op, int order, const void *code)
{
    op->site = site_of(code, op, order, &order);
    op->acquires = order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
    op->releases = order >= __ATOMIC_RELEASE;
    op->total = order == __ATOMIC_SEQ_CST;
}

/* False if the access is not explored: then the caller makes it. */
static bool atomic(enum op_kind kind, void *p, unsigned width, uint64_t operand, uint64_t expected,
                   int order, const void *code)
{
    struct op op = {.kind = (uint8_t)kind, .width = (uint8_t)width, .p = p};
    if (running == NOBODY || !cells_find(p, width, &op.cell)) return false;
    op.operand = operand;
    op.expected = expected;
    set_order(&op, order, code);
    perform(&op);
    return true;
}

static uint64_t result(void) { return machine.thread[running].result; }

#define CODE __builtin_return_address(0)

#define ATOMICS(BITS) \
    uint##BITS##_t __tsan_atomic##BITS##_load(uint##BITS##_t *p, int order) \
    { \
        if (atomic(OP_LOAD, p, BITS / 8, 0, 0, order, CODE)) return (uint##BITS##_t)result(); \
        return *p; \
    } \
    void __tsan_atomic##BITS##_store(uint##BITS##_t *p, uint##BITS##_t value, int order) \
    { \
        if (!atomic(OP_STORE, p, BITS / 8, value, 0, order, CODE)) *p = value; \
    } \
    uint##BITS##_t __tsan_atomic##BITS##_exchange(uint##BITS##_t *p, uint##BITS##_t value, \
                                                  int order) \
    { \
        uint##BITS##_t old = *p; \
        if (atomic(OP_EXCHANGE, p, BITS / 8, value, 0, order, CODE)) \
            return (uint##BITS##_t)result(); \
        *p = value; \
        return old; \
    } \
    uint##BITS##_t __tsan_atomic##BITS##_fetch_add(uint##BITS##_t *p, uint##BITS##_t value, \
                                                   int order) \
    { \
        uint##BITS##_t old = *p; \
        if (atomic(OP_ADD, p, BITS / 8, value, 0, order, CODE)) return (uint##BITS##_t)result(); \
        *p = (uint##BITS##_t)(old + value); \
        return old; \
    } \
    int __tsan_atomic##BITS##_compare_exchange_strong( \
        uint##BITS##_t *p, uint##BITS##_t *expected, uint##BITS##_t value, int order, int failure) \
    { \
        uint##BITS##_t old = *p, wanted = *expected; \
        (void)failure; \
        if (atomic(OP_COMPARE_SWAP, p, BITS / 8, value, wanted, order, CODE)) \
            old = (uint##BITS##_t)result(); \
        else if (old == wanted) \
            *p = value; \
        *expected = old; \
        return old == wanted; \
    } \
    uint##BITS##_t __tsan_atomic##BITS##_compare_exchange_val( \
        uint##BITS##_t *p, uint##BITS##_t expected, uint##BITS##_t value, int order, int failure) \
    { \
        uint##BITS##_t old = *p; \
        (void)failure; \
        if (atomic(OP_COMPARE_SWAP, p, BITS / 8, value, expected, order, CODE)) \
            return (uint##BITS##_t)result(); \
        if (old == expected) *p = value; \
        return old; \
    }
ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)
#undef ATOMICS

void __tsan_atomic_thread_fence(int order)
{
    struct op op = {.kind = OP_FENCE};
    if (running == NOBODY) return;
    set_order(&op, order, CODE);
    if (order != __ATOMIC_RELAXED) perform(&op);
}

void explore_fence_threads(void)
{
    struct op op = {.kind = OP_FENCE, .everywhere = true};
    set_order(&op, __ATOMIC_SEQ_CST, CODE);
    perform(&op);
}

void __tsan_atomic_signal_fence(int order) { (void)order; }

static void plain_cell(const void *p, unsigned width, bool store)
{
    uint8_t cell;
    if (!cells_find(p, width, &cell)) return;
    memory_plain(running, cell, store);
    if (!store) remember(&machine.thread[running], cell_memory(cell));
}

static void plain(const void *p, size_t nbytes, bool store)
{
    if (running == NOBODY || cells_on_stack(p)) return;
    if (nbytes < 8) plain_cell(p, (unsigned)nbytes, store);
    for (size_t i = 0; i + 8 <= nbytes; i += 8) plain_cell((const char *)p + i, 8, store);
}

#define PLAIN(N) \
    void __tsan_read##N(void *p) { plain(p, N, false); } \
    void __tsan_write##N(void *p) { plain(p, N, true); } \
    void __tsan_unaligned_read##N(void *p) { plain(p, N, false); } \
    void __tsan_unaligned_write##N(void *p) { plain(p, N, true); }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)
#undef PLAIN

void __tsan_read_range(void *p, size_t nbytes) { plain(p, nbytes, false); }
void __tsan_write_range(void *p, size_t nbytes) { plain(p, nbytes, true); }
void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}

/* clang calls these to copy and to fill memory. */
void *__real_memcpy(void *to, const void *from, size_t nbytes);
void *__real_memset(void *to, int value, size_t nbytes);

void *__wrap_memcpy(void *to, const void *from, size_t nbytes)
{
    plain(from, nbytes, false);
    plain(to, nbytes, true);
    return __real_memcpy(to, from, nbytes);
}

void *__wrap_memset(void *to, int value, size_t nbytes)
{
    plain(to, nbytes, true);
    return __real_memset(to, value, nbytes);
}

/* The functions that scenarios call. */

static void forget(uint64_t label)
{
    machine.thread[running].history = hash_mix(label, 1);
    machine.thread[running].n_watched = 0;
}

void explore_forget(uint64_t label)
{
    if (running != NOBODY) forget(label);
}

/* The thread sees the change of one of the words that have changed: which one is a choice. */
static void see_change(struct thread *t)
{
    uint8_t changed[MAX_WATCHED];
    unsigned n = 0;
    for (unsigned i = 0; i < t->n_watched; i++)
        if (t->now.at[t->watched[i]] < memory_last(t->watched[i])) changed[n++] = t->watched[i];
    t->n_watched = 0;
    if (n > 0) t->now.at[changed[n > 1 ? explore_choose(n) : 0]]++;
}

void explore_wait(uint64_t label)
{
    machine.thread[running].history = hash_mix(label, 2);
    fiber_park(THREAD_WAITING);
    see_change(&machine.thread[running]);
}

void explore_spin(uint32_t turns)
{
    struct thread *t = &machine.thread[running];
    if (turns == 0) t->before_wait = t->before_load;
    t->history = hash_mix(t->before_wait, 3);
    fiber_park(THREAD_WAITING);
    machine.thread[running].n_watched = 0;
}

unsigned explore_thread(void) { return running; }

unsigned explore_choose(unsigned n)
{
    struct op op = {.kind = OP_CHOOSE, .operand = n};
    perform(&op);
    return (unsigned)machine.thread[running].result;
}
