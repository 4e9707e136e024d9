/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PE's part of the plate: see heat_part.h, and heat.c for why it is right.
 */
#include "heat_part.h"

#include "fail.h"
#include "heat_plate.h"
#include "launch.h"
#include "progress.h"

#include <nvshmem.h>

#include <math.h>
#include <string.h>

#define NAME "heat"
/* Iterations of one launch; how far the run is can be shown after each. */
#define STEPS 50

/* The inner rows, 1 to size - 2, are spread evenly; the first PEs take one more. */
ANYSHMEM_DEVICE static void rows_of(size_t size, int pe, int n_pes, size_t *ret_first,
                                    size_t *ret_n_rows)
{
    size_t inner = size - 2, share = inner / (size_t)n_pes, more = inner % (size_t)n_pes;
    size_t before = (size_t)pe < more ? (size_t)pe : more;

    *ret_first = 1 + (size_t)pe * share + before;
    *ret_n_rows = share + ((size_t)pe < more);
}

struct part *part_create(size_t size)
{
    struct part *part = (struct part *)nvshmem_malloc(sizeof(*part));
    size_t n_points;
    uint64_t *signals;

    if (!part)
        fail(NAME, "no memory; see NVSHMEM_SYMMETRIC_SIZE");
    part->me = nvshmem_my_pe();
    part->n_pes = nvshmem_n_pes();
    part->size = size;
    memset(part->changes, 0, sizeof(part->changes));
    if (size - 2 < (size_t)part->n_pes)
        fail(NAME, "%zu rows are too few for %d PEs", size - 2, part->n_pes);
    rows_of(size, part->me, part->n_pes, &part->first, &part->n_rows);
    part->max_rows = (size - 2) / (size_t)part->n_pes + 1;
    n_points = (part->max_rows + 2) * size;
    part->points[0] = (double *)nvshmem_malloc(n_points * sizeof(double));
    part->points[1] = (double *)nvshmem_malloc(n_points * sizeof(double));
    part->change = (double *)nvshmem_malloc(sizeof(*part->change));
    signals = (uint64_t *)nvshmem_calloc(2, sizeof(*signals));
    part->fixed = (unsigned char *)nvshmem_malloc(n_points);
    if (!part->points[0] || !part->points[1] || !part->change || !signals || !part->fixed)
        fail(NAME, "no memory; see NVSHMEM_SYMMETRIC_SIZE");
    part->above = &signals[0];
    part->below = &signals[1];
    plate_fill(size, part->first - 1, part->n_rows + 2, part->points[0], part->fixed);
    memcpy(part->points[1], part->points[0], (part->n_rows + 2) * size * sizeof(double));
    /* No neighbour may send before this PE's arrays are filled. */
    nvshmem_barrier_all();
    return part;
}

void part_destroy(struct part *part)
{
    nvshmem_free(part->fixed);
    nvshmem_free(part->above);
    nvshmem_free(part->change);
    nvshmem_free(part->points[1]);
    nvshmem_free(part->points[0]);
    nvshmem_free(part);
}

/* Sends the edge rows of iteration t to the neighbours and waits for theirs. */
ANYSHMEM_DEVICE static void exchange(struct part *part, double *points, uint64_t t)
{
    size_t size = part->size, first, rows_above;
    double *below_last = points + (part->n_rows + 1) * size;

    if (part->me > 0) {
        rows_of(size, part->me - 1, part->n_pes, &first, &rows_above);
        nvshmem_double_put_signal(points + (rows_above + 1) * size, points + size, size,
                                  part->below, t, NVSHMEM_SIGNAL_SET, part->me - 1);
    }
    if (part->me < part->n_pes - 1)
        nvshmem_double_put_signal(points, below_last - size, size, part->above, t,
                                  NVSHMEM_SIGNAL_SET, part->me + 1);
    if (part->me > 0)
        nvshmem_signal_wait_until(part->above, NVSHMEM_CMP_GE, t);
    if (part->me < part->n_pes - 1)
        nvshmem_signal_wait_until(part->below, NVSHMEM_CMP_GE, t);
}

/* Every step-th column: the largest change of a point. */
ANYSHMEM_DEVICE static double sweep(const struct part *part, const double *from, double *to,
                                    size_t first, size_t step)
{
    size_t size = part->size;
    double largest = 0;

    for (size_t row = 1; row <= part->n_rows; row++) {
        for (size_t column = first; column < size - 1; column += step) {
            size_t i = row * size + column;
            double value = plate_point(size, i, from, part->fixed);
            double change = fabs(value - from[i]);

            to[i] = value;
            largest = change > largest ? change : largest;
        }
    }
    return largest;
}

/* Some iterations, by one block of device threads. */
ANYSHMEM_KERNEL(heat_steps)
{
    struct part *part = (struct part *)arg;

    for (uint64_t t = part->done + 1; t <= part->done + part->steps; t++) {
        double *to = part->points[t % 2];

        part->changes[threadIdx.x] = sweep(part, part->points[(t - 1) % 2], to, 1 + threadIdx.x,
                                           blockDim.x);
        __syncthreads();
        if (threadIdx.x == 0)
            exchange(part, to, t);
        __syncthreads();
    }
}

void part_iterate(struct part *part, uint64_t iterations)
{
    struct progress progress;
    double change = 0;

    progress_init(&progress, NAME);
    for (part->done = 0; part->done < iterations; part->done += part->steps) {
        part->steps = iterations - part->done < STEPS ? iterations - part->done : STEPS;
        if (launch_block((const void *)heat_steps, PART_THREADS, part) != 0)
            fail(NAME, "the kernel could not be launched");
        if (part->me == 0)
            progress_show(&progress, (double)part->done / (double)iterations,
                          "the iterations");
    }
    progress_finish(&progress);
    for (int i = 0; i < PART_THREADS; i++)
        change = part->changes[i] > change ? part->changes[i] : change;
    *part->change = change;
    /* Everybody's rows and changes are there for PE 0 to get. */
    nvshmem_barrier_all();
}

double part_gather(const struct part *part, const double *points, double *ret_plate)
{
    double largest = 0;

    for (int pe = 0; pe < part->n_pes; pe++) {
        size_t first, n_rows;
        double change = nvshmem_double_g(part->change, pe);

        rows_of(part->size, pe, part->n_pes, &first, &n_rows);
        nvshmem_double_get(ret_plate + first * part->size, points + part->size,
                           n_rows * part->size, pe);
        largest = change > largest ? change : largest;
    }
    return largest;
}
