/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a wait is for, in words.
 */
#ifndef ASH_LIB_REPORT_TEXT_H
#define ASH_LIB_REPORT_TEXT_H

#include <stddef.h>

#include "device/hostdev/wait_table.h"

/*
 * "nvshmem_int_wait_until: ivar 0x7f0000000040 (heap + 64) == 5, is 3".  Reads
 * what is waited for, wherever it is, and says nothing of what cannot be read.
 * Returns the length of the text, which is cut to fit.
 */
size_t ash_report_wait(const struct ash_wait_entry *entry, char *ret_text, size_t nbytes);

/* A list of waits: a text of nbytes that is filled from its begin. */
struct ash_report_list {
    char *text;
    size_t used, nbytes;
    unsigned n;
};

/* The first three are named. */
void ash_report_list_add(struct ash_report_list *list, const struct ash_wait_entry *entry);

/* How many more there are, with those that found no entry; or that there are none. */
void ash_report_list_end(struct ash_report_list *list, unsigned unlisted);

#endif
