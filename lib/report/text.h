/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes in words what a thread waits for.
 */
#ifndef ASH_LIB_REPORT_TEXT_H
#define ASH_LIB_REPORT_TEXT_H

#include <stddef.h>

#include "device/hostdev/running.h"
#include "device/hostdev/wait_table.h"

/*
 * "nvshmem_int_wait_until: ivar 0x7f0000000040 (heap + 64) == 5, is 3".  Reads the
 * variables that are waited for, and leaves out those that cannot be read.
 * Returns the length of the text, which is cut to fit.
 */
size_t ash_report_wait(const struct ash_wait_entry *entry, char *ret_text, size_t nbytes);

/* "block 1,0,0, thread 3,0,0 and 12 others: waits for __syncthreads at heat.cu:31 (kernel)" */
void ash_report_group(const struct ash_waiting_group *group, char *ret_text, size_t nbytes);

/* A list of waits in a buffer of nbytes, `used` of which are filled. */
struct ash_report_list {
    char *text;
    size_t used, nbytes;
    unsigned n;
};

/* Add a wait; only the first three are named. */
void ash_report_list_add(struct ash_report_list *list, const struct ash_wait_entry *entry);

/* Add how many more there are, with `unlisted` that found no entry in the wait table; or that
 * there are none. */
void ash_report_list_end(struct ash_report_list *list, unsigned unlisted);

#endif
