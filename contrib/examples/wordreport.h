/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What wordcount prints, and how it checks its count.
 */
#ifndef EXAMPLES_WORDREPORT_H
#define EXAMPLES_WORDREPORT_H

#include "wordfiles.h"
#include "wordtable.h"

/*
 * By one PE, after a barrier: prints the most frequent words of the whole table
 * and compares it with n_words, the number of words that the PEs have read, and,
 * if check, with a serial count of the files.  0, or -1 if something is wrong.
 */
int word_report(const struct word_files *files, const struct word_table *table, uint64_t n_words,
                int check);

#endif
