/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of threads of a kernel that wait together.
 */
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/report/text.h"

void ash_report_group(const struct ash_waiting_group *group, char *ret_text, size_t nbytes)
{
    const struct anyshmem_index *b = &group->block, *t = &group->thread;
    void *site = (void *)(uintptr_t)group->site;
    /* "PROGRAM(FUNCTION+OFFSET) [ADDRESS]", as the system has it, from which addr2line gives the
     * line. */
    char **place = site != NULL ? backtrace_symbols(&site, 1) : NULL;
    char others[32] = "", lanes[48] = "";
    if (group->n > 1) snprintf(others, sizeof(others), " and %u others", group->n - 1);
    if (group->detail != 0) snprintf(lanes, sizeof(lanes), " 0x%x", group->detail);
    snprintf(ret_text, nbytes, "block %u,%u,%u, thread %u,%u,%u%s: %s%s%s%s%s", b->x, b->y, b->z,
             t->x, t->y, t->z, others,
             group->what != NULL ? "waits for " : "runs, or is in a routine",
             group->what != NULL ? group->what : "", lanes, place != NULL ? " at " : "",
             place != NULL ? place[0] : "");
    free(place);
}
