/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans: PE i gets the sum of the sources of PEs 0 to i (inscan), or to i - 1 (exscan).
 *
 * In a small one all PEs give each other their sources (share.h), and each adds what it needs.  A
 * larger one is divided as a reduction is: each PE gets its part of all sources, adds them in the
 * order of the PEs' numbers, and puts to each PE the sum up to there.
 */
#ifndef ASH_DEVICE_ROUTINE_SCAN_H
#define ASH_DEVICE_ROUTINE_SCAN_H

#include "device/routine/collective.h"

/* The most PEs whose bytes a scan gets at once; the sum has one more area, the first one. */
#define ASH_SCAN_BATCH 15u

/* Add what PE `number` gave to the sum, which begins with the bytes of the first PE. */
DEV void ash_scan_add(const struct ash_collective *c, unsigned char *sum,
                      const unsigned char *from, uint64_t nbytes, uint32_t number)
{
    if (number == 0)
        ash_group_copy_as(true, c->scope, sum, from, nbytes);
    else
        ash_combine(c->number, c->op, sum, from, nbytes / c->size, 0, 1);
}

DEV void ash_scan_give(const struct ash_collective *c, unsigned char *to,
                       const unsigned char *sum, uint64_t nbytes, uint32_t number)
{
    if (number == (uint32_t)c->team->my_pe)
        ash_group_copy(c->scope, to, sum, nbytes);
    else
        ash_put_group(c->scope, c->function, to, sum, nbytes, ash_team_pe(c->team, number), true);
}

/*
 * The part of all PEs' sources that begins at byte `at`.  dest may be source: this PE alone reads
 * the part, and has copied a PE's when it puts the sum there.
 */
DEV void ash_scan_part(const struct ash_collective *c, const struct ash_reduce_areas *a,
                       uint64_t at, uint64_t nbytes)
{
    uint32_t first, i, end, n = (uint32_t)c->team->n_pes;
    bool before = c->kind == ASH_MEETING_EXSCAN;
    memset(a->first, 0, nbytes);
    for (first = 0; first < n; first = end) {
        struct ash_batch batch = ash_batch_begin();
        end = n - first < a->batch ? n : first + a->batch;
        for (i = first; i < end; i++)
            ash_batch_get(c, &batch, a->first + (i - first + 1) * a->room, c->source + at, nbytes,
                          i);
        ash_batch_wait(c, &batch);
        for (i = first; i < end; i++) {
            if (before) ash_scan_give(c, c->dest + at, a->first, nbytes, i);
            ash_scan_add(c, a->first, a->first + (i - first + 1) * a->room, nbytes, i);
            if (!before) ash_scan_give(c, c->dest + at, a->first, nbytes, i);
        }
    }
}

/* The caller's part of the elements. */
DEV void ash_scan_mine(const struct ash_collective *c)
{
    const struct ash_reduce_areas areas = ash_areas_divide(c, ASH_SCAN_BATCH, 1);
    uint64_t at, nbytes, left = ash_collective_my_part(c, &at);
    for (; left > 0; at += nbytes, left -= nbytes) {
        nbytes = left < areas.room ? left : areas.room;
        ash_scan_part(c, &areas, at, nbytes);
    }
}

/* Is it small enough?  The same on all PEs. */
DEV bool ash_scan_fits(const struct ash_collective *c)
{
    return c->team->n_pes > 1 && c->nbytes * (uint64_t)c->team->n_pes <= ASH_SHARE_REDUCE_SENT;
}

DEV void ash_scan_shared(const struct ash_collective *c)
{
    struct ash_collective all = *c;
    uint32_t i, n = (uint32_t)c->team->my_pe + (c->kind == ASH_MEETING_INSCAN ? 1 : 0);
    all.kind = ASH_MEETING_FCOLLECT;
    all.dest = c->team->scratch + ASH_SHARE_RESULTS;
    ash_share(&all);
    if (n == 0) memset(c->dest, 0, c->nbytes);
    for (i = 0; i < n; i++) ash_scan_add(c, c->dest, all.dest + i * c->nbytes, c->nbytes, i);
}

/* The routine of a team. */
DEV_NOINLINE int ash_scan(struct ash_collective_call call, enum ash_meeting kind,
                          enum ash_number number)
{
    struct ash_observed observed;
    struct ash_collective c = ash_collective_check(&call, kind);
    ash_collective_begin(&c, kind, ash_collective_how(number, ASH_REDUCE_SUM));
    ash_collective_enter(&c);
    ash_collective_observe(&c, &observed);
    if (c.nbytes > 0 && ash_scan_fits(&c)) {
        ash_scan_shared(&c);
    } else {
        ash_collective_sync(&c, false);
        ash_scan_mine(&c);
        if (c.nbytes > 0) ash_collective_sync(&c, true);
    }
    ash_collective_leave(&c);
    ash_observe_end(&observed);
    return 0;
}

#endif
