/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of threads of a kernel that wait together.
 */
#include <stdio.h>

#include "lib/base/place.h"
#include "lib/report/text.h"

void ash_report_group(const struct ash_waiting_group *group, char *ret_text, size_t nbytes)
{
    const struct anyshmem_index *b = &group->block, *t = &group->thread;
    char others[32] = "", detail[48] = "", place[ASH_PLACE_TEXT] = "";
    if (group->n > 1) snprintf(others, sizeof(others), " and %u others", group->n - 1);
    if (group->detail != 0) snprintf(detail, sizeof(detail), " 0x%x", group->detail);
    if (group->site != NULL) ash_place_text(group->site, place, sizeof(place));
    snprintf(ret_text, nbytes, "block %u,%u,%u, thread %u,%u,%u%s: %s%s%s%s%s", b->x, b->y, b->z,
             t->x, t->y, t->z, others,
             group->what != NULL ? "waits for " : "runs, or is in a routine",
             group->what != NULL ? group->what : "", detail, group->site != NULL ? " at " : "",
             place);
}
