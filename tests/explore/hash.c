/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The states that were seen, as a table of hashes of 64 bits.
 *
 * What a thread will do follows from what it has read.  Only the order of times matters,
 * so a time is hashed as its rank: the number of times, up to and including it, at which
 * the thread made an access that can still race.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/explore/internal.h"

static uint64_t *table;
static size_t n_slots, n_used;

/* For each thread, a bit for each time at which it made an access that can still race. */
static uint64_t times[MAX_THREADS][4];

uint64_t hash_mix(uint64_t hash, uint64_t value)
{
    hash ^= value + UINT64_C(0x9e3779b97f4a7c15) + (hash << 6) + (hash >> 2);
    hash *= UINT64_C(0xbf58476d1ce4e5b9);
    hash ^= hash >> 31;
    hash *= UINT64_C(0x94d049bb133111eb);
    return hash ^ hash >> 29;
}

static void collect_times(void)
{
    memset(times, 0, sizeof(times));
    for (unsigned cell = 0; cell < cells_count(); cell++)
        for (unsigned access = 0; access < ACCESSES; access++)
            for (unsigned i = 0; i < explore_scenario.n_threads; i++) {
                uint8_t time = machine.cell[cell].last[access][i];
                if (time != 0) times[i][time / 64] |= UINT64_C(1) << time % 64;
            }
}

static uint64_t rank(unsigned thread, uint8_t time)
{
    unsigned word = time / 64, sum = 0;
    for (unsigned i = 0; i < word; i++) sum += (unsigned)__builtin_popcountll(times[thread][i]);
    return sum + (unsigned)__builtin_popcountll(times[thread][word] << (63 - time % 64));
}

static uint64_t hash_view(uint64_t hash, const struct view *view)
{
    uint64_t ranks = 0, word;
    for (unsigned i = 0; i < MAX_CELLS; i += sizeof(word)) {
        memcpy(&word, &view->at[i], sizeof(word));
        if (word != 0) hash = hash_mix(hash_mix(hash, i), word);
    }
    for (unsigned i = 0; i < explore_scenario.n_threads; i++)
        ranks = ranks << 8 | rank(i, view->time[i]);
    return hash_mix(hash, ranks);
}

static uint64_t hash_thread(uint64_t hash, const struct thread *t)
{
    hash = hash_mix(hash, t->status);
    if (t->status == THREAD_ENDED) return hash;
    hash = hash_mix(hash, t->history);
    if (t->status == THREAD_WAITING)
        for (unsigned i = 0; i < t->n_watched; i++)
            hash = hash_mix(hash_mix(hash, t->watched[i]), t->read[i]);
    hash = hash_view(hash, &t->now);
    hash = hash_view(hash, &t->released);
    return hash_view(hash, &t->pending);
}

static uint64_t hash_cell(uint64_t hash, unsigned cell)
{
    const struct cell *c = &machine.cell[cell];
    hash = hash_mix(hash, cell_memory(cell));
    for (unsigned i = 0; i <= c->more; i++) {
        const struct message *message = &machine.message[c->message[i]];
        if (c->message[i] == 0 && c->more == 0) continue;
        hash = hash_mix(hash, i == c->more ? 0 : message->value);
        hash = hash_view(hash_mix(hash, i > 0 && message->is_update), &message->view);
    }
    for (unsigned access = 0; access < ACCESSES; access++)
        for (unsigned i = 0; i < explore_scenario.n_threads; i++) {
            uint8_t time = c->last[access][i];
            if (time != 0) hash = hash_mix(hash_mix(hash, access * MAX_THREADS + i), rank(i, time));
        }
    return hash;
}

static uint64_t hash_state(void)
{
    uint64_t hash = cells_private_hash();
    collect_times();
    for (unsigned i = 0; i < explore_scenario.n_threads; i++)
        hash = hash_thread(hash, &machine.thread[i]);
    hash = hash_view(hash, &machine.total);
    for (unsigned cell = 0; cell < cells_count(); cell++)
        hash = hash_mix(hash, hash_cell(cell, cell));
    return hash != 0 ? hash : 1;
}

static bool put(uint64_t hash)
{
    size_t i = hash & (n_slots - 1);
    while (table[i] != 0 && table[i] != hash) i = (i + 1) & (n_slots - 1);
    if (table[i] == hash) return true;
    table[i] = hash;
    n_used++;
    return false;
}

static void grow(void)
{
    uint64_t *old = table;
    size_t n_old = n_slots;
    n_slots = n_old > 0 ? 2 * n_old : 1 << 16;
    table = calloc(n_slots, sizeof(*table));
    if (table == NULL) fail("out of memory", "");
    n_used = 0;
    for (size_t i = 0; i < n_old; i++)
        if (old[i] != 0) put(old[i]);
    free(old);
}

/* True if the machine's state was seen before; it counts as seen from now on. */
bool hash_seen(void)
{
    if (2 * n_used >= n_slots) grow();
    return put(hash_state());
}

uint64_t hash_states(void) { return n_used; }
