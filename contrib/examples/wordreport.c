/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What wordcount prints, and how it checks its count: see wordreport.h.
 */
#include "wordreport.h"

#include "fail.h"
#include "words.h"

#include <errno.h>
#include <string.h>

#define NAME "wordcount"
#define N_SHOWN 20

/* One word of the whole table. */
struct total {
    const char *text;
    size_t length;
    uint64_t count;
};

/* Counts all words of all files without the other PEs. */
static void count_alone(const struct word_files *files, struct word_map *ret_map)
{
    if (word_map_init(ret_map) < 0)
        fail(NAME, "no memory");
    for (size_t f = 0; f < files->n_files; f++) {
        const struct word_file *file = &files->files[f];
        struct word_reader reader;
        struct word *word;
        long length;
        int is_new;

        if (word_reader_init(&reader, file->path, 0, file->size) < 0)
            fail(NAME, "%s: %s", file->path, strerror(errno));
        while ((length = word_reader_next(&reader)) > 0) {
            word = word_map_find(ret_map, reader.text, (size_t)length, &is_new);
            if (!word)
                fail(NAME, "no memory");
            word->count++;
        }
        if (length < 0)
            fail(NAME, "%s: %s", file->path, strerror(errno));
        word_reader_finish(&reader);
    }
}

/* The more frequent word first, then by the alphabet. */
static int compare_totals(const void *left, const void *right)
{
    const struct total *a = (const struct total *)left, *b = (const struct total *)right;
    int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);

    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    if (order != 0)
        return order;
    return (a->length > b->length) - (a->length < b->length);
}

/* The words of all parts, sorted; their number. */
static size_t collect(const struct word_table *table, const struct word_table_part *parts,
                      struct total **ret_totals)
{
    size_t n_totals = 0, all_slots = (size_t)table->n_pes * table->n_slots;
    struct total *totals = (struct total *)malloc(all_slots * sizeof(*totals));

    if (!totals)
        fail(NAME, "no memory");
    for (size_t i = 0; i < all_slots; i++) {
        const struct word_table_part *part = &parts[i / table->n_slots];
        size_t slot = i % table->n_slots;
        struct total *total = &totals[n_totals];

        if (part->slots[slot].fingerprint == 0)
            continue;
        total->text = word_slot_text(part, slot, &total->length);
        total->count = part->slots[slot].count;
        n_totals++;
    }
    qsort(totals, n_totals, sizeof(*totals), compare_totals);
    *ret_totals = totals;
    return n_totals;
}

/*
 * The number of words that are not as the serial count has them.  A word that
 * had got two slots would have two counts, both wrong.
 */
static size_t compare_with_serial(const struct word_files *files, const struct total *totals,
                                  size_t n_totals)
{
    struct word_map serial;
    size_t n_words, wrong = 0;

    count_alone(files, &serial);
    n_words = serial.n_words;
    for (size_t i = 0; i < n_totals; i++) {
        int is_new;
        struct word *word = word_map_find(&serial, totals[i].text, totals[i].length, &is_new);

        if (!word)
            fail(NAME, "no memory");
        if (word->count == totals[i].count)
            continue;
        if (wrong++ < 10)
            fprintf(stderr, "wordcount: \"%.*s\": %llu, but %llu in the serial count\n",
                    (int)totals[i].length, totals[i].text, (unsigned long long)totals[i].count,
                    (unsigned long long)word->count);
    }
    if (n_words != n_totals) {
        fprintf(stderr, "wordcount: %zu distinct words, but %zu in the serial count\n", n_totals,
                n_words);
        wrong++;
    }
    word_map_finish(&serial);
    return wrong;
}

int word_report(const struct word_files *files, const struct word_table *table, uint64_t n_words,
                int check)
{
    size_t nbytes = (size_t)table->n_pes * sizeof(struct word_table_part);
    struct word_table_part *parts = (struct word_table_part *)malloc(nbytes);
    struct total *totals;
    uint64_t sum = 0;
    size_t n_totals, wrong = 0;

    if (!parts)
        fail(NAME, "no memory");
    for (int pe = 0; pe < table->n_pes; pe++) {
        if (word_table_read(table, pe, &parts[pe]) < 0)
            fail(NAME, "no memory");
    }
    n_totals = collect(table, parts, &totals);
    for (size_t i = 0; i < n_totals; i++) {
        sum += totals[i].count;
        if (i < N_SHOWN)
            printf("%10llu %.*s\n", (unsigned long long)totals[i].count, (int)totals[i].length,
                   totals[i].text);
    }
    if (sum != n_words) {
        fprintf(stderr, "wordcount: the counts add up to %llu, but %llu words were read\n",
                (unsigned long long)sum, (unsigned long long)n_words);
        wrong++;
    }
    if (check)
        wrong += compare_with_serial(files, totals, n_totals);
    printf("wordcount: %llu words, %zu distinct: %s\n", (unsigned long long)n_words, n_totals,
           wrong ? "WRONG" : check ? "equal to the serial count" : "not checked");
    free(totals);
    for (int pe = 0; pe < table->n_pes; pe++)
        word_table_part_finish(&parts[pe]);
    free(parts);
    return wrong ? -1 : 0;
}
