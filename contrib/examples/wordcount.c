/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wordcount: counts the words of files in a hash table that is spread over the
 * PEs (wordtable.h says how).
 *
 * Each PE reads its share of every file; a word belongs to the share in which
 * it starts.  A PE looks a word up in the table once and remembers the slot.  A
 * kernel (on the CPU the host device runs it) then does one atomic add to the
 * word's home PE for every occurrence.  PE 0 prints the most frequent words and
 * compares the whole table with a count of its own.
 *
 *     prterun -n 4 wordcount [OPTION...] [FILE...]
 */
#include "fail.h"
#include "launch.h"
#include "progress.h"
#include "wordfiles.h"
#include "wordreport.h"
#include "words.h"
#include "wordtable.h"

#include <nvshmem.h>

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define NAME "wordcount"
#define THREADS 128

struct options {
    size_t n_slots;
    int hash_bits;
    int check;
};

/* The slots of all words of a PE's share.  Symmetric, for the kernel. */
struct share {
    struct word_table table;
    size_t n_words, room;
    uint64_t *places;
};

/* One block of device threads. */
ANYSHMEM_KERNEL(count_occurrences)
{
    struct share *share = (struct share *)arg;
    size_t step = blockDim.x;

    for (size_t i = threadIdx.x; i < share->n_words; i += step)
        word_table_add(&share->table, share->places[i]);
}

static void note_word(struct share *share, struct word_map *known,
                      const struct word_reader *reader, size_t length)
{
    struct word_table *table = &share->table;
    int is_new, status;
    struct word *word = word_map_find(known, reader->text, length, &is_new);

    if (!word)
        fail(NAME, "no memory");
    if (is_new) {
        status = word_table_find(table, word->text, length, word->hash, &word->place);
        if (status == -1)
            fail(NAME, "the table is full: %zu slots on each PE; see --slots", table->n_slots);
        if (status < 0)
            fail(NAME, "the table is full: %zu bytes of text on each PE", table->text_room);
    }
    if (share->n_words == share->room)
        fail(NAME, "a file has become larger");
    share->places[share->n_words++] = word->place;
}

/* Reads the words of the calling PE's share of the files. */
static void read_share(const struct word_files *files, struct share *share)
{
    uint64_t me = (uint64_t)nvshmem_my_pe(), n_pes = (uint64_t)nvshmem_n_pes();
    uint64_t bytes_done = 0;
    struct progress progress;
    struct word_map known;

    progress_init(&progress, NAME);
    if (word_map_init(&known) < 0)
        fail(NAME, "no memory");
    for (size_t f = 0; f < files->n_files; f++) {
        const struct word_file *file = &files->files[f];
        uint64_t begin = file->size * me / n_pes, end = file->size * (me + 1) / n_pes;
        struct word_reader reader;
        long length;

        if (word_reader_init(&reader, file->path, begin, end) < 0)
            fail(NAME, "%s: %s", file->path, strerror(errno));
        while ((length = word_reader_next(&reader)) > 0) {
            note_word(share, &known, &reader, (size_t)length);
            if (share->n_words % 1024 == 0 && me == 0)
                progress_show(&progress,
                              (double)(bytes_done + reader.position - begin) * (double)n_pes /
                                  (double)files->n_bytes,
                              "its share");
        }
        if (length < 0)
            fail(NAME, "%s: %s", file->path, strerror(errno));
        word_reader_finish(&reader);
        bytes_done += end - begin;
    }
    progress_finish(&progress);
    word_map_finish(&known);
}

/* Collective.  No share has more words than every other byte of it begins one. */
static struct share *share_create(const struct word_files *files, const struct options *options)
{
    struct share *share = (struct share *)nvshmem_malloc(sizeof(*share));
    uint64_t *places;
    size_t room = files->n_bytes / (uint64_t)nvshmem_n_pes() / 2 + 2 * files->n_files + 1;

    places = (uint64_t *)nvshmem_malloc(room * sizeof(*places));
    if (!share || !places ||
        word_table_init(&share->table, files->n_bytes, options->n_slots, options->hash_bits) < 0)
        fail(NAME, "no symmetric memory for the table; see NVSHMEM_SYMMETRIC_SIZE");
    share->n_words = 0;
    share->room = room;
    share->places = places;
    return share;
}

static void share_destroy(struct share *share)
{
    word_table_finish(&share->table);
    nvshmem_free(share->places);
    nvshmem_free(share);
}

static int count_words(const struct options *options, const struct word_files *files)
{
    uint64_t *n_words = (uint64_t *)nvshmem_calloc(1, sizeof(*n_words));
    struct share *share = share_create(files, options);
    double started = progress_seconds();
    int status = 0, me = nvshmem_my_pe();

    if (!n_words)
        fail(NAME, "no symmetric memory; see NVSHMEM_SYMMETRIC_SIZE");
    if (me == 0)
        printf("wordcount: %zu files, %.1f MB, %d PEs\n", files->n_files,
               (double)files->n_bytes * 1e-6, share->table.n_pes);
    read_share(files, share);
    if (launch_block((const void *)count_occurrences, THREADS, share) != 0)
        fail(NAME, "the kernel could not be launched");
    nvshmem_uint64_atomic_add(n_words, share->n_words, 0);
    nvshmem_barrier_all();
    if (me == 0) {
        printf("wordcount: counted in %.2f s\n", progress_seconds() - started);
        status = word_report(files, &share->table, *n_words, options->check);
    }
    share_destroy(share);
    nvshmem_free(n_words);
    return status;
}

static const char usage[] =
    "usage: wordcount [OPTION...] [FILE...]\n"
    "Counts the words of the files (runs of ASCII letters, without regard to case);\n"
    "without a FILE, of texts that come with the system.\n"
    "  --no-check       do not compare with a serial count\n"
    "  --slots N        room for N words on each PE, instead of what fits the files\n"
    "  --hash-bits N    use N bits of each hash, 1 to 64 [64]\n";

/* The number of arguments that were options, or -1. */
static int parse(int argc, char **argv, struct options *ret_options)
{
    static const struct option names[] = { { "no-check", no_argument, NULL, 'n' },
                                           { "slots", required_argument, NULL, 's' },
                                           { "hash-bits", required_argument, NULL, 'b' },
                                           { "help", no_argument, NULL, 'h' },
                                           { NULL, 0, NULL, 0 } };
    int option;

    *ret_options = (struct options){ 0, 64, 1 };
    while ((option = getopt_long(argc, argv, "h", names, NULL)) != -1) {
        switch (option) {
        case 'n':
            ret_options->check = 0;
            break;
        case 's':
            ret_options->n_slots = strtoull(optarg, NULL, 10);
            break;
        case 'b':
            ret_options->hash_bits = (int)strtol(optarg, NULL, 10);
            break;
        case 'h':
            fputs(usage, stdout);
            exit(EXIT_SUCCESS);
        default:
            return -1;
        }
    }
    return ret_options->hash_bits < 1 || ret_options->hash_bits > 64 ? -1 : optind;
}

int main(int argc, char **argv)
{
    struct options options;
    struct word_files files;
    int first = parse(argc, argv, &options);
    int status;

    if (first < 0) {
        fputs(usage, stderr);
        return 2;
    }
    /* Before the start: no PE has to be told that another one cannot read. */
    if (word_files_find(&files, argv + first, (size_t)(argc - first)) < 0)
        return EXIT_FAILURE;
    nvshmem_init();
    status = count_words(&options, &files);
    nvshmem_finalize();
    word_files_finish(&files);
    return status < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
