/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words of a file, and a map from words to numbers: the part of wordcount that
 * one PE does alone.
 *
 * A word is a run of ASCII letters that is as long as possible; capitals are
 * turned into small letters.  "Don't" is the words "don" and "t".
 */
#ifndef EXAMPLES_WORDS_H
#define EXAMPLES_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The longest word, in letters, for which the programs have room. */
#define WORD_MAX_LENGTH ((1u << 24) - 1)

/* Reads the words that start in bytes [begin, end) of a file. */
struct word_reader {
    FILE *file;
    uint64_t position; /* of the next byte */
    uint64_t end;
    char *text; /* the latest word, without a 0 at its end */
    size_t room;
};

/*
 * Opens path for the words that start in [begin, end).  A word that started
 * before begin belongs to somebody else, one that goes on behind end is ours.
 * 0, or -1 with errno.
 */
int word_reader_init(struct word_reader *reader, const char *path, uint64_t begin, uint64_t end);
void word_reader_finish(struct word_reader *reader);

/* The next word's length, its text in reader->text; 0 at the end; -1 with errno. */
long word_reader_next(struct word_reader *reader);

/* A number that is the same for the same text on every PE. */
uint64_t word_hash(const char *text, size_t length);

/* One word of a map.  count and place are the caller's, 0 at first. */
struct word {
    char *text; /* NULL: an entry that is not in use */
    size_t length;
    uint64_t hash;
    uint64_t count;
    uint64_t place;
};

struct word_map {
    struct word *entries;
    size_t n_entries; /* a power of two */
    size_t n_words;
};

int word_map_init(struct word_map *map);
void word_map_finish(struct word_map *map);

/*
 * The entry of a word, which is made if need be; *ret_new says whether it was.
 * NULL if there is no memory.  Valid until the next call.
 */
struct word *word_map_find(struct word_map *map, const char *text, size_t length, int *ret_new);

#endif
