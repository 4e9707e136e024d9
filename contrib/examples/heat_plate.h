/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plate of heat, and one step of its computation: what one PE does alone.
 */
#ifndef EXAMPLES_HEAT_PLATE_H
#define EXAMPLES_HEAT_PLATE_H

#include <anyshmem_kernel.h>

#include <stddef.h>

#define PLATE_HOTTEST 100.0 /* degrees; the coldest is 0 */

/*
 * Rows first to first + n_rows - 1 of the plate of size x size points as they
 * are at the start, and which of the points stay like that.
 */
void plate_fill(size_t size, size_t first, size_t n_rows, double *ret_points,
                unsigned char *ret_fixed);

/* A point after an iteration: the mean of its neighbours, if it does not stay as it is. */
ANYSHMEM_DEVICE static inline double plate_point(size_t size, size_t i, const double *from,
                                                 const unsigned char *fixed)
{
    return fixed[i] ? from[i]
                    : 0.25 * ((from[i - size] + from[i + size]) + (from[i - 1] + from[i + 1]));
}

/*
 * One iteration for n_rows rows, which lie in all three arrays between one row
 * above and one below.  The largest change of a point.
 */
double plate_sweep(size_t size, size_t n_rows, const double *from, double *to,
                   const unsigned char *fixed);

#endif
