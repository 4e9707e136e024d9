/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words of a file, and a map from words to numbers: see words.h.
 */
#include "words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The small letter, or 0 for a byte that is no letter (or the file's end). */
static int letter_of(int byte)
{
    if (byte >= 'A' && byte <= 'Z')
        return byte - 'A' + 'a';
    return byte >= 'a' && byte <= 'z' ? byte : 0;
}

static int next_byte(struct word_reader *reader)
{
    reader->position++;
    return getc_unlocked(reader->file);
}

int word_reader_init(struct word_reader *reader, const char *path, uint64_t begin, uint64_t end)
{
    reader->end = end;
    reader->position = begin > 0 ? begin - 1 : 0;
    reader->room = 256;
    reader->text = (char *)malloc(reader->room);
    if (!reader->text)
        return -1;
    reader->file = fopen(path, "r");
    if (!reader->file)
        goto free_text;
    if (fseeko(reader->file, (off_t)reader->position, SEEK_SET) != 0)
        goto close_file;
    if (begin > 0) {
        /* Up to the first byte behind a word that may have begun before us. */
        while (letter_of(next_byte(reader)))
            ;
    }
    return 0;

close_file:
    fclose(reader->file);
free_text:
    free(reader->text);
    return -1;
}

void word_reader_finish(struct word_reader *reader)
{
    fclose(reader->file);
    free(reader->text);
}

static int append(struct word_reader *reader, size_t length, int letter)
{
    if (length == WORD_MAX_LENGTH) {
        errno = EOVERFLOW;
        return -1;
    }
    if (length == reader->room) {
        char *text = (char *)realloc(reader->text, 2 * reader->room);

        if (!text)
            return -1;
        reader->text = text;
        reader->room *= 2;
    }
    reader->text[length] = (char)letter;
    return 0;
}

long word_reader_next(struct word_reader *reader)
{
    size_t length = 0;
    int letter = 0;

    while (reader->position < reader->end && !letter) {
        int byte = next_byte(reader);

        if (byte == EOF)
            break;
        letter = letter_of(byte);
    }
    while (letter) {
        if (append(reader, length++, letter) < 0)
            return -1;
        letter = letter_of(next_byte(reader));
    }
    if (length == 0 && ferror(reader->file))
        return -1;
    return (long)length;
}

/* FNV-1a, and a last mixing so that all bits depend on all letters. */
uint64_t word_hash(const char *text, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325;

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3;
    hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93;
    return hash ^ (hash >> 32);
}

int word_map_init(struct word_map *map)
{
    map->n_words = 0;
    map->n_entries = 1024;
    map->entries = (struct word *)calloc(map->n_entries, sizeof(*map->entries));
    return map->entries ? 0 : -1;
}

void word_map_finish(struct word_map *map)
{
    for (size_t i = 0; i < map->n_entries; i++)
        free(map->entries[i].text);
    free(map->entries);
}

/* The word's entry, or the free one where it belongs. */
static struct word *look_up(const struct word_map *map, const char *text, size_t length,
                            uint64_t hash)
{
    for (size_t i = hash;; i++) {
        struct word *word = &map->entries[i & (map->n_entries - 1)];

        if (!word->text || (word->hash == hash && word->length == length &&
                            memcmp(word->text, text, length) == 0))
            return word;
    }
}

static int grow(struct word_map *map)
{
    struct word_map larger = { NULL, 2 * map->n_entries, map->n_words };

    larger.entries = (struct word *)calloc(larger.n_entries, sizeof(*larger.entries));
    if (!larger.entries)
        return -1;
    for (size_t i = 0; i < map->n_entries; i++) {
        const struct word *word = &map->entries[i];

        if (word->text)
            *look_up(&larger, word->text, word->length, word->hash) = *word;
    }
    free(map->entries);
    *map = larger;
    return 0;
}

struct word *word_map_find(struct word_map *map, const char *text, size_t length, int *ret_new)
{
    uint64_t hash = word_hash(text, length);
    struct word *word;

    if (2 * map->n_words >= map->n_entries && grow(map) < 0)
        return NULL;
    word = look_up(map, text, length, hash);
    *ret_new = !word->text;
    if (word->text)
        return word;
    word->text = (char *)malloc(length);
    if (!word->text)
        return NULL;
    memcpy(word->text, text, length);
    word->length = length;
    word->hash = hash;
    map->n_words++;
    return word;
}
