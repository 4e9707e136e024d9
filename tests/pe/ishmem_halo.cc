// SPDX-License-Identifier: BSD-3-Clause
// A halo exchange that knows Intel SHMEM's interface alone: the plate is cut in
// bands of rows, one for each PE; neighbours put their border rows and raise a
// flag that the other waits for.  Each PE also computes the whole plate alone and
// compares its band bit by bit.
#include <ishmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 120, COLUMNS = 257, STEPS = 200 };

static double start_value(int row, int column)
{
    return row == 0 ? 100.0 : column == 0 ? 0.25 * row : (row * 31 + column * 17) % 97;
}

// One step of row `row` of the plate; the border of the plate stays.
static void step_row(double *next, const double *above, const double *own, const double *below,
                     int row)
{
    for (int c = 0; c < COLUMNS; c++)
        next[c] = row == 0 || row == ROWS - 1 || c == 0 || c == COLUMNS - 1
                      ? own[c]
                      : 0.25 * (above[c] + below[c]) + 0.25 * (own[c - 1] + own[c + 1]);
}

// The whole plate by one PE.
static double *serial()
{
    double *now = (double *)calloc(ROWS * COLUMNS, sizeof(double));
    double *next = (double *)calloc(ROWS * COLUMNS, sizeof(double));
    for (int i = 0; i < ROWS * COLUMNS; i++) now[i] = start_value(i / COLUMNS, i % COLUMNS);
    for (int step = 0; step < STEPS; step++) {
        for (int r = 0; r < ROWS; r++)
            step_row(next + r * COLUMNS, now + (r > 0 ? r - 1 : r) * COLUMNS, now + r * COLUMNS,
                     now + (r < ROWS - 1 ? r + 1 : r) * COLUMNS, r);
        double *swap = now;
        now = next;
        next = swap;
    }
    free(next);
    return now;
}

// What a PE holds.  bands: two plates used alternately, each with a halo row at both ends.
struct band {
    int me, n, first, rows;
    double *plates[2];
    long *from_above, *from_below;
};

// Give the neighbours this band's border rows of plate `which` for step `step`.
static void give(const band &b, int which, long step)
{
    double *plate = b.plates[which];
    if (b.me > 0) {
        int rows_above = ROWS * b.me / b.n - ROWS * (b.me - 1) / b.n;
        ishmem_put_nbi(plate + (rows_above + 1) * COLUMNS, plate + COLUMNS, COLUMNS, b.me - 1);
    }
    if (b.me < b.n - 1) ishmem_put_nbi(plate, plate + b.rows * COLUMNS, COLUMNS, b.me + 1);
    ishmem_fence();
    if (b.me > 0) ishmem_atomic_set(b.from_below, step, b.me - 1);
    if (b.me < b.n - 1) ishmem_atomic_inc(b.from_above, b.me + 1);
}

static void compute(const band &b)
{
    for (long step = 1; step <= STEPS; step++) {
        const double *now = b.plates[(step - 1) % 2];
        double *next = b.plates[step % 2];
        give(b, (int)(step - 1) % 2, step);
        if (b.me > 0) ishmem_wait_until(b.from_above, ISHMEM_CMP_GE, step);
        if (b.me < b.n - 1) while (!ishmem_test(b.from_below, ISHMEM_CMP_GE, step)) continue;
        for (int r = 1; r <= b.rows; r++)
            step_row(next + r * COLUMNS, now + (r - 1) * COLUMNS, now + r * COLUMNS,
                     now + (r + 1) * COLUMNS, b.first + r - 1);
        // The rows just given are overwritten in the step after the next one.
        ishmem_quiet();
    }
}

int main()
{
    alarm(50);
    ishmem_init();
    band b;
    b.me = ishmem_my_pe();
    b.n = ishmem_n_pes();
    b.first = ROWS * b.me / b.n;
    b.rows = ROWS * (b.me + 1) / b.n - b.first;
    size_t bytes = (size_t)(ROWS / b.n + 3) * COLUMNS * sizeof(double);
    b.plates[0] = (double *)ishmem_malloc(bytes);
    b.plates[1] = (double *)ishmem_malloc(bytes);
    b.from_above = (long *)ishmem_calloc(1, sizeof(long));
    b.from_below = (long *)ishmem_calloc(1, sizeof(long));
    for (int r = 1; r <= b.rows; r++)
        for (int c = 0; c < COLUMNS; c++)
            b.plates[0][r * COLUMNS + c] = start_value(b.first + r - 1, c);
    ishmem_barrier_all();
    compute(b);
    double *want = serial();
    unsigned long right = 0, wrong = 0;
    for (int i = 0; i < b.rows * COLUMNS; i++)
        memcmp(&b.plates[STEPS % 2][COLUMNS + i], &want[b.first * COLUMNS + i],
               sizeof(double)) == 0 ? right++ : wrong++;
    free(want);
    if (wrong == 0)
        printf("ishmem_halo: PE %d of %d: done, %lu checks\n", b.me, b.n, right);
    else
        printf("ishmem_halo: PE %d of %d: %lu values differ\n", b.me, b.n, wrong);
    fflush(stdout);
    ishmem_finalize();
    return wrong != 0;
}
