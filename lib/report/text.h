/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes in words what a thread waits for.
 */
#ifndef ASH_LIB_REPORT_TEXT_H
#define ASH_LIB_REPORT_TEXT_H

#include "device/hostdev/running.h"
#include "device/hostdev/wait_table.h"
#include "lib/base/text.h"

/*
 * "nvshmem_int_wait_until: ivar 0x7f0000000040 (heap + 64) == 5, is 3".  Reads the
 * variables that are waited for, and leaves out those that cannot be read.
 */
void ash_report_wait(struct ash_text *text, const struct ash_wait_entry *entry);

/* "block 1,0,0, thread 3,0,0 and 12 others: waits for __syncthreads at heat.cu:31 (kernel)" */
void ash_report_group(struct ash_text *text, const struct ash_waiting_group *group);

struct ash_report_list {
    struct ash_text text;
    /* The waits that were added. */
    unsigned n;
};

/* Add a wait; only the first three are named. */
void ash_report_list_add(struct ash_report_list *list, const struct ash_wait_entry *entry);

/* Add how many more there are, with `unlisted` that found no entry in the wait table; or that
 * there are none. */
void ash_report_list_end(struct ash_report_list *list, unsigned unlisted);

#endif
