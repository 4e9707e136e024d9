/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A halo exchange, written against OpenSHMEM alone: heat spreads over a plate
 * whose rows are divided among the PEs.
 *
 * In each step a PE puts its first and last row into the halo of its
 * neighbours, fences, and sets a flag there to the number of the step; when its
 * own flags have come it computes.  There are two halos, used alternately: a
 * neighbour may be one step ahead, never two.
 *
 * "halo serial" does the same without OpenSHMEM; both print the same.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 61
#define COLUMNS 83
#define STEPS 300

enum { ABOVE, BELOW, SIDES };

typedef double row_type[COLUMNS];

/* Numbers that have all their bits in use. */
static double initial(int row, int column)
{
    uint64_t x = (uint64_t)(row * COLUMNS + column + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 29)) * UINT64_C(0xbf58476d1ce4e5b9);
    return (double)(x >> 11) / 9007199254740992.0 * 100;
}

/* One row's step.  The borders of the plate stay as they are. */
static void compute_row(const double *above, const double *row, const double *below,
                        double *ret_row)
{
    ret_row[0] = row[0];
    ret_row[COLUMNS - 1] = row[COLUMNS - 1];
    for (int c = 1; c < COLUMNS - 1; c++)
        ret_row[c] = row[c] + 0.2 * (above[c] + below[c] + row[c - 1] + row[c + 1] - 4 * row[c]);
}

static void print_plate(row_type *plate)
{
    for (int r = 0; r < ROWS; r += 6) {
        double sum = 0;
        for (int c = 0; c < COLUMNS; c++) sum += plate[r][c];
        printf("row %d: sum %a, middle %a\n", r, sum, plate[r][COLUMNS / 2]);
    }
}

/* Serial. */

static void run_serial(void)
{
    static row_type plates[2][ROWS];
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) plates[0][r][c] = plates[1][r][c] = initial(r, c);
    for (int step = 0; step < STEPS; step++)
        for (int r = 1; r < ROWS - 1; r++) {
            row_type *from = plates[step % 2];
            compute_row(from[r - 1], from[r], from[r + 1], plates[(step + 1) % 2][r]);
        }
    print_plate(plates[STEPS % 2]);
}

/* With OpenSHMEM. */

/* Symmetric: the same size on every PE. */
struct part {
    row_type plates[2][ROWS];
    row_type halos[2][SIDES];
    /* Steps whose row has come from each side. */
    long flags[SIDES];
};

static int me, n;

/* First row of a PE; that of PE n is ROWS. */
static int first_row(int pe)
{
    return (int)((long)ROWS * pe / n);
}

/* Send a row to a neighbour, whose side it is. */
static void send_row(struct part *part, const double *row, int step, int side, int pe)
{
    shmem_put(part->halos[step % 2][side], row, COLUMNS, pe);
    shmem_fence();
    shmem_atomic_set(&part->flags[side], (long)step + 1, pe);
}

static void run_step(struct part *part, int step)
{
    int rows = first_row(me + 1) - first_row(me);
    row_type *from = part->plates[step % 2], *to = part->plates[(step + 1) % 2];
    if (me > 0) send_row(part, from[0], step, BELOW, me - 1);
    if (me < n - 1) send_row(part, from[rows - 1], step, ABOVE, me + 1);
    if (me > 0) shmem_wait_until(&part->flags[ABOVE], SHMEM_CMP_GE, (long)step + 1);
    if (me < n - 1) shmem_wait_until(&part->flags[BELOW], SHMEM_CMP_GE, (long)step + 1);
    for (int i = 0; i < rows; i++) {
        int row = first_row(me) + i;
        const double *above = i > 0 ? from[i - 1] : part->halos[step % 2][ABOVE];
        const double *below = i < rows - 1 ? from[i + 1] : part->halos[step % 2][BELOW];
        if (row > 0 && row < ROWS - 1) compute_row(above, from[i], below, to[i]);
    }
}

/* PE 0 fetches the rows of all PEs. */
static void print_parts(struct part *part)
{
    static row_type plate[ROWS];
    for (int pe = 0; pe < n; pe++)
        shmem_get(plate[first_row(pe)], part->plates[STEPS % 2][0],
                  (size_t)(first_row(pe + 1) - first_row(pe)) * COLUMNS, pe);
    print_plate(plate);
}

static void run_parallel(void)
{
    struct part *part;
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    part = shmem_calloc(1, sizeof(*part));
    if (part == NULL || n > ROWS) {
        fprintf(stderr, "halo: PE %d: no symmetric memory, or too many PEs\n", me);
        shmem_global_exit(1);
    }
    for (int r = first_row(me); r < first_row(me + 1); r++)
        for (int c = 0; c < COLUMNS; c++)
            part->plates[0][r - first_row(me)][c] = part->plates[1][r - first_row(me)][c] =
                initial(r, c);
    shmem_barrier_all();
    for (int step = 0; step < STEPS; step++) run_step(part, step);
    shmem_barrier_all();
    if (me == 0) print_parts(part);
    shmem_barrier_all();
    shmem_free(part);
    shmem_finalize();
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "serial") == 0)
        run_serial();
    else
        run_parallel();
    return 0;
}
