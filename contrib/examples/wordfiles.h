/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which files wordcount reads.
 */
#ifndef EXAMPLES_WORDFILES_H
#define EXAMPLES_WORDFILES_H

#include <stddef.h>
#include <stdint.h>

struct word_file {
    char *path;
    uint64_t size; /* bytes; what is written to it later is not read */
};

struct word_files {
    struct word_file *files;
    size_t n_files;
    uint64_t n_bytes; /* of all files */
};

/*
 * The named files; with no name, texts that come with the system, at least one
 * million bytes.  0, or -1 after a message.
 */
int word_files_find(struct word_files *files, char *const *paths, size_t n_paths);
void word_files_finish(struct word_files *files);

#endif
