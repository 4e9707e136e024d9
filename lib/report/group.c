/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of threads of a kernel that wait together.
 */
#include "lib/base/place.h"
#include "lib/report/text.h"

void ash_report_group(struct ash_text *text, const struct ash_waiting_group *group)
{
    const struct anyshmem_index *b = &group->block, *t = &group->thread;
    char place[ASH_PLACE_TEXT];
    ash_print(text, "block %u,%u,%u, thread %u,%u,%u", b->x, b->y, b->z, t->x, t->y, t->z);
    if (group->n > 1) ash_print(text, " and %u others", group->n - 1);
    ash_print(text, ": %s%s", group->what != NULL ? "waits for " : "runs, or is in a routine",
              group->what != NULL ? group->what : "");
    if (group->detail != 0) ash_print(text, " 0x%x", group->detail);
    if (group->site == NULL) return;
    ash_place_text(group->site, place, sizeof(place));
    ash_print(text, " at %s", place);
}
