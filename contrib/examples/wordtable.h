/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A hash table of words in symmetric memory that all PEs fill at the same time.
 *
 * A word has a home PE, hash % n_pes, and there a slot.  Three atomic words make
 * a slot, each written in one way only:
 *
 *   fingerprint  0: free.  One compare_swap claims the slot for a word's hash;
 *                of two PEs that want it at once, one gets it.
 *   published    0: the text is not there yet.  The claimer allots room with
 *                fetch_add and sends the text by put-with-signal: this is the
 *                signal, so whoever sees it finds the text.
 *   count        only ever added to, without a reply.
 *
 * A PE that finds its own fingerprint waits for published and compares the text:
 * two words of one hash get two slots.  A slot is never given back, so every PE
 * that looks for a word passes the same slots and stops at the same one.
 */
#ifndef EXAMPLES_WORDTABLE_H
#define EXAMPLES_WORDTABLE_H

#include <nvshmem.h>
#include <anyshmem_kernel.h>

#include <stddef.h>
#include <stdint.h>

struct word_slot {
    uint64_t fingerprint;
    uint64_t published; /* where the text is: offset << 24 | length */
    uint64_t count;
};

struct word_table {
    int n_pes;
    size_t n_slots;          /* of each PE */
    size_t text_room;        /* bytes, of each PE */
    uint64_t hash_mask;      /* which bits of a hash are used */
    struct word_slot *slots; /* symmetric, as all that follows */
    uint64_t *text_used;     /* bytes allotted on this PE */
    char *text;
};

/*
 * Collective.  Room for the words of nbytes bytes of text, or for n_slots words
 * on each PE if that is not 0.  hash_bits, 1 to 64: use only so many bits of the
 * hashes (few bits: many words with one fingerprint).  0, or -1: no memory.
 */
int word_table_init(struct word_table *table, uint64_t nbytes, size_t n_slots, int hash_bits);
void word_table_finish(struct word_table *table);

/*
 * Finds or makes the slot of a word: a number that is the same on all PEs.
 * 0; -1: the word's home has no free slot; -2: it has no room for the text.
 */
int word_table_find(struct word_table *table, const char *text, size_t length, uint64_t hash,
                    uint64_t *ret_place);

/* Counts the word of a slot once more, in a kernel.  Done at the next barrier, or before. */
ANYSHMEM_DEVICE static inline void word_table_add(struct word_table *table, uint64_t place)
{
    uint64_t n_pes = (uint64_t)table->n_pes;

    nvshmem_uint64_atomic_add(&table->slots[place / n_pes].count, 1, (int)(place % n_pes));
}

/* A copy of one PE's part, made after a barrier. */
struct word_table_part {
    struct word_slot *slots;
    char *text;
};
int word_table_read(const struct word_table *table, int pe, struct word_table_part *ret_part);
void word_table_part_finish(struct word_table_part *part);

/* The text of a slot that is in use, and its length. */
const char *word_slot_text(const struct word_table_part *part, size_t slot, size_t *ret_length);

#endif
