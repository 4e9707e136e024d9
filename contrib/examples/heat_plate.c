/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plate of heat: see heat_plate.h.
 */
#include "heat_plate.h"

#include <math.h>
#include <string.h>

/* What stays as it is: rings and discs, in parts of the plate's side. */
struct spot {
    double x, y;
    double inner, outer; /* radius */
    double degrees;
};

static const struct spot scene[] = {
    { 0.30, 0.32, 0.000, 0.045, 100 }, { 0.30, 0.32, 0.150, 0.160, 62 },
    { 0.70, 0.26, 0.000, 0.028, 88 },  { 0.80, 0.40, 0.000, 0.018, 95 },
    { 0.62, 0.68, 0.115, 0.140, 100 }, { 0.62, 0.68, 0.000, 0.030, 0 },
    { 0.24, 0.74, 0.000, 0.035, 74 },  { 0.36, 0.84, 0.000, 0.020, 90 },
    { 0.13, 0.60, 0.000, 0.015, 82 },
};

/* The temperature of a spot at this place, or -1 where there is none. */
static double degrees_at(double x, double y)
{
    double degrees = -1;

    for (size_t i = 0; i < sizeof(scene) / sizeof(*scene); i++) {
        double distance = hypot(x - scene[i].x, y - scene[i].y);

        if (distance >= scene[i].inner && distance <= scene[i].outer)
            degrees = scene[i].degrees;
    }
    return degrees;
}

void plate_fill(size_t size, size_t first, size_t n_rows, double *ret_points,
                unsigned char *ret_fixed)
{
    for (size_t i = 0; i < n_rows * size; i++) {
        size_t row = first + i / size, column = i % size;
        int edge = row == 0 || row == size - 1 || column == 0 || column == size - 1;
        double degrees = degrees_at((double)column / (double)(size - 1),
                                    (double)row / (double)(size - 1));

        ret_points[i] = degrees >= 0 ? degrees : 0;
        ret_fixed[i] = degrees >= 0 || edge;
    }
}

double plate_sweep(size_t size, size_t n_rows, const double *from, double *to,
                   const unsigned char *fixed)
{
    double largest = 0;

    for (size_t row = 1; row <= n_rows; row++) {
        for (size_t i = row * size + 1; i < (row + 1) * size - 1; i++) {
            double value = plate_point(size, i, from, fixed);
            double change = fabs(value - from[i]);

            to[i] = value;
            largest = change > largest ? change : largest;
        }
    }
    return largest;
}
