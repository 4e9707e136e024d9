/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A hash table of words in symmetric memory: see wordtable.h.
 */
#include "wordtable.h"

#include <nvshmem.h>

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH_BITS 24
#define LENGTH_MASK (((uint64_t)1 << LENGTH_BITS) - 1)

int word_table_init(struct word_table *table, uint64_t nbytes, size_t n_slots, int hash_bits)
{
    size_t share = nbytes / (size_t)nvshmem_n_pes() + 1;

    table->n_pes = nvshmem_n_pes();
    /* Few texts have a new word every four bytes; hashes spread them well. */
    table->n_slots = n_slots ? n_slots : share / 4 + 1024;
    table->text_room = share + share / 4 + 65536;
    table->hash_mask = UINT64_MAX >> (64 - hash_bits);
    table->slots = (struct word_slot *)nvshmem_calloc(table->n_slots, sizeof(*table->slots));
    table->text_used = (uint64_t *)nvshmem_calloc(1, sizeof(*table->text_used));
    table->text = (char *)nvshmem_malloc(table->text_room);
    return table->slots && table->text_used && table->text ? 0 : -1;
}

void word_table_finish(struct word_table *table)
{
    nvshmem_free(table->text);
    nvshmem_free(table->text_used);
    nvshmem_free(table->slots);
}

/* The claimer of a slot stores the word's text and tells everybody. */
static int publish(struct word_table *table, struct word_slot *slot, int home, const char *text,
                   size_t length)
{
    uint64_t offset = nvshmem_uint64_atomic_fetch_add(table->text_used, length, home);

    if (offset + length > table->text_room)
        return -2;
    nvshmem_putmem_signal(table->text + offset, text, length, &slot->published,
                          offset << LENGTH_BITS | length, NVSHMEM_SIGNAL_SET, home);
    return 0;
}

/* Does a claimed slot hold this word?  Waits for its claimer where need be. */
static int holds(const struct word_table *table, const struct word_slot *slot, int home,
                 const char *text, size_t length)
{
    char buffer[256];
    uint64_t published;

    while ((published = nvshmem_uint64_atomic_fetch(&slot->published, home)) == 0)
        sched_yield();
    if ((published & LENGTH_MASK) != length)
        return 0;
    for (size_t done = 0; done < length; done += sizeof(buffer)) {
        size_t piece = length - done < sizeof(buffer) ? length - done : sizeof(buffer);

        nvshmem_getmem(buffer, table->text + (published >> LENGTH_BITS) + done, piece, home);
        if (memcmp(buffer, text + done, piece) != 0)
            return 0;
    }
    return 1;
}

int word_table_find(struct word_table *table, const char *text, size_t length, uint64_t hash,
                    uint64_t *ret_place)
{
    uint64_t fingerprint = hash & table->hash_mask ? hash & table->hash_mask : 1;
    uint64_t n_pes = (uint64_t)table->n_pes;
    int home = (int)(fingerprint % n_pes);

    for (size_t i = 0; i < table->n_slots; i++) {
        size_t number = (fingerprint / n_pes + i) % table->n_slots;
        struct word_slot *slot = &table->slots[number];
        uint64_t found = nvshmem_uint64_atomic_fetch(&slot->fingerprint, home);

        *ret_place = number * n_pes + (uint64_t)home;
        if (found == 0) {
            found = nvshmem_uint64_atomic_compare_swap(&slot->fingerprint, 0, fingerprint, home);
            if (found == 0)
                return publish(table, slot, home, text, length);
        }
        if (found == fingerprint && holds(table, slot, home, text, length))
            return 0;
    }
    return -1;
}

int word_table_read(const struct word_table *table, int pe, struct word_table_part *ret_part)
{
    size_t used = nvshmem_uint64_atomic_fetch(table->text_used, pe);
    size_t nbytes = table->n_slots * sizeof(*ret_part->slots);

    ret_part->slots = (struct word_slot *)malloc(nbytes);
    ret_part->text = (char *)malloc(used + 1);
    if (!ret_part->slots || !ret_part->text) {
        word_table_part_finish(ret_part);
        return -1;
    }
    nvshmem_getmem(ret_part->slots, table->slots, nbytes, pe);
    nvshmem_getmem(ret_part->text, table->text, used, pe);
    return 0;
}

void word_table_part_finish(struct word_table_part *part)
{
    free(part->slots);
    free(part->text);
}

const char *word_slot_text(const struct word_table_part *part, size_t slot, size_t *ret_length)
{
    *ret_length = part->slots[slot].published & LENGTH_MASK;
    return part->text + (part->slots[slot].published >> LENGTH_BITS);
}
