/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws rows with gnuplot, a picture for each unit: each case over its sizes or, if there are
 * rows with different numbers of PEs, over these.
 */
#include "perf.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct perf_row *rows;
static unsigned n_rows;
static bool over_pes;

static const char *const unit_names[] = {
    [PERF_TIME] = "time", [PERF_RATE] = "rate", [PERF_BANDWIDTH] = "bandwidth"};
#define N_UNITS (sizeof(unit_names) / sizeof(unit_names[0]))

/* Rows of one curve: they differ only in the value of the x axis. */
static bool same_curve(const struct perf_row *a, const struct perf_row *b)
{
    return a->test == b->test && a->way == b->way &&
           (over_pes ? a->size == b->size : a->n_pes == b->n_pes);
}

static bool same_place(const struct perf_row *a, const struct perf_row *b)
{
    return over_pes ? a->n_pes == b->n_pes : a->size == b->size;
}

/* Is row i the first of a curve?  Over PEs, a curve needs a second point. */
static bool begins_curve(unsigned i)
{
    for (unsigned k = 0; k < i; k++)
        if (same_curve(&rows[k], &rows[i])) return false;
    for (unsigned k = i + 1; k < n_rows; k++)
        if (same_curve(&rows[k], &rows[i]) && !same_place(&rows[k], &rows[i])) return true;
    return !over_pes && rows[i].test->sized != PERF_ONE;
}

/* The number of curves of a unit. */
static unsigned count_curves(enum perf_unit unit)
{
    unsigned n = 0;
    for (unsigned i = 0; i < n_rows; i++) n += rows[i].test->unit == unit && begins_curve(i);
    return n;
}

/* The number of units that have curves. */
static unsigned count_pictures(void)
{
    unsigned n = 0;
    for (unsigned unit = 0; unit < N_UNITS; unit++) n += count_curves((enum perf_unit)unit) > 0;
    return n;
}

/* Writes a data block of gnuplot for each curve: x, ours, the limit. */
static void write_data(FILE *plot, enum perf_unit unit)
{
    for (unsigned i = 0; i < n_rows; i++) {
        if (rows[i].test->unit != unit || !begins_curve(i)) continue;
        fprintf(plot, "$d%u << END\n", i);
        for (unsigned k = i; k < n_rows; k++) {
            const struct perf_row *row = &rows[k];
            if (!same_curve(&rows[i], row)) continue;
            fprintf(plot, "%zu %g %g\n", over_pes ? (size_t)row->n_pes : row->size,
                    perf_convert(row, row->median),
                    row->limit > 0 ? perf_convert(row, row->limit) : 0.0);
        }
        fputs("END\n", plot);
    }
}

/* A curve and, dashed in its colour, its limit. */
static void write_curve(FILE *plot, unsigned i, unsigned colour)
{
    const struct perf_row *row = &rows[i];
    char which[40] = "";
    if (over_pes && row->test->sized != PERF_ONE)
        snprintf(which, sizeof(which), " of %zu", row->size);
    /* "smooth unique" sorts the points and merges those with the same x. */
    fprintf(plot, "$d%u using 1:2 smooth unique with linespoints linecolor %u title '%s %s%s'", i,
            colour, perf_way_names[row->way], row->test->name, which);
    if (row->limit > 0)
        fprintf(plot,
                ", $d%u using 1:3 smooth unique with lines dashtype 2 linecolor %u title '%s'", i,
                colour, row->limit_name);
}

static void write_curves(FILE *plot, enum perf_unit unit)
{
    const char *between = "plot ";
    unsigned colour = 0;
    for (unsigned i = 0; i < n_rows; i++) {
        if (rows[i].test->unit != unit || !begins_curve(i)) continue;
        fputs(between, plot);
        write_curve(plot, i, ++colour);
        between = ", ";
    }
    fputc('\n', plot);
}

/* What a file's name ends with, its dot included. */
static const char *ending_of(const char *picture)
{
    const char *dot = strrchr(picture, '.');
    return dot != NULL ? dot : "";
}

/* The name of one of several pictures: put.svg becomes put-time.svg. */
static void name_picture(const char *picture, enum perf_unit unit, char *ret_name, size_t nbytes)
{
    const char *ending = ending_of(picture);
    snprintf(ret_name, nbytes, "%.*s-%s%s", (int)(ending - picture), picture, unit_names[unit],
             ending);
}

/* Returns false if gnuplot has not drawn it. */
static bool draw(const char *picture, enum perf_unit unit)
{
    bool png = strcmp(ending_of(picture), ".png") == 0;
    unsigned i = 0;
    /* Room for the legend: a line for each curve and each limit, two beside each other. */
    unsigned height = 500 + 24 * count_curves(unit);
    FILE *plot = popen("exec gnuplot", "w");
    if (plot == NULL) return false;
    while (rows[i].test->unit != unit) i++;
    fprintf(plot, "set terminal %s size 900,%u noenhanced background 'white'\nset output '%s'\n",
            png ? "pngcairo" : "svg", height, picture);
    fprintf(plot,
            "set logscale x 2\nset logscale y 10\nset grid\nset key below maxcols 2\n"
            "set xlabel '%s'\nset ylabel '%s'\nset format y '%%g'\n",
            over_pes ? "PEs" : "bytes, or variables", perf_unit_name(&rows[i]));
    write_data(plot, unit);
    write_curves(plot, unit);
    return pclose(plot) == 0;
}

bool perf_plot_possible(const char *picture)
{
    const char *ending = ending_of(picture);
    if (strchr(picture, '\'') != NULL ||
        (strcmp(ending, ".svg") != 0 && strcmp(ending, ".png") != 0)) {
        fprintf(stderr, "anyshmem-perf: --plot takes a file .svg or .png, not \"%s\"\n", picture);
        return false;
    }
    if (system("command -v gnuplot >/dev/null") == 0) return true;
    fprintf(stderr, "anyshmem-perf: --plot needs gnuplot, which is not in PATH\n");
    return false;
}

bool perf_plot(const char *picture)
{
    unsigned n;
    rows = perf_table_rows(&n_rows);
    over_pes = true;
    if (count_pictures() == 0) over_pes = false;
    n = count_pictures();
    if (n == 0) {
        fprintf(stderr, "anyshmem-perf: nothing to draw: no case has sizes, or numbers of PEs\n");
        return false;
    }
    /* A gnuplot that ends leaves a pipe without a reader: a write must not end the program. */
    signal(SIGPIPE, SIG_IGN);
    for (unsigned unit = 0; unit < N_UNITS; unit++) {
        char name[4096];
        if (count_curves((enum perf_unit)unit) == 0) continue;
        snprintf(name, sizeof(name), "%s", picture);
        if (n > 1) name_picture(picture, (enum perf_unit)unit, name, sizeof(name));
        if (!draw(name, (enum perf_unit)unit)) {
            fprintf(stderr, "anyshmem-perf: gnuplot has not drawn %s\n", name);
            return false;
        }
        fprintf(stderr, "anyshmem-perf: drawn: %s\n", name);
    }
    return true;
}
