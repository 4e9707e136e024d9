/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PE's part of the plate, and the kernel that computes it.
 */
#ifndef EXAMPLES_HEAT_PART_H
#define EXAMPLES_HEAT_PART_H

#include <stddef.h>
#include <stdint.h>

#define PART_THREADS 128

/*
 * A PE's part of the plate: n_rows rows of its own, and one row above and one
 * below that belong to the neighbours or to the edge of the plate.  All of it is
 * symmetric memory, which the kernel reaches on a GPU as well.
 */
struct part {
    int me, n_pes;
    size_t size;                /* points of a row */
    size_t first, n_rows;       /* own rows, as rows of the plate */
    size_t max_rows;            /* of any PE */
    unsigned char *fixed;       /* which points stay as they are */
    double *points[2];          /* (max_rows + 2) rows; row 0 is the one above */
    uint64_t *above, *below;    /* iteration of the rows that arrived */
    double *change;             /* largest change in the last iteration */
    uint64_t done, steps;       /* iterations before this launch, and of it */
    double changes[PART_THREADS];    /* largest change that each thread of the kernel made */
};

/* Collective: the part as it is at the start.  Ends the job if there is no room. */
struct part *part_create(size_t size);
void part_destroy(struct part *part);

/* Collective: by launches of a kernel. */
void part_iterate(struct part *part, uint64_t iterations);

/* PE 0, afterwards: the inner rows of the whole plate; the largest change of all PEs. */
double part_gather(const struct part *part, const double *points, double *ret_plate);

#endif
