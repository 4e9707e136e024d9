/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws rows with gnuplot: each case over its sizes or, if there are rows with different numbers
 * of PEs, over these.
 */
#include "perf.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct perf_row *rows;
static unsigned n_rows;
static bool over_pes;

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

static bool any_curve(void)
{
    for (unsigned i = 0; i < n_rows; i++)
        if (begins_curve(i)) return true;
    return false;
}

/* Writes a data block of gnuplot for each curve: x, ours, the limit. */
static void write_data(FILE *plot)
{
    for (unsigned i = 0; i < n_rows; i++) {
        if (!begins_curve(i)) continue;
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

static void write_curve(FILE *plot, unsigned i)
{
    const struct perf_row *row = &rows[i];
    char which[40] = "";
    if (over_pes && row->test->sized != PERF_ONE)
        snprintf(which, sizeof(which), " of %zu", row->size);
    /* "smooth unique" sorts the points and merges those with the same x. */
    fprintf(plot, "$d%u using 1:2 smooth unique with linespoints title '%s %s%s, %s'", i,
            perf_way_names[row->way], row->test->name, which, perf_unit_name(row));
    if (row->limit > 0)
        fprintf(plot, ", $d%u using 1:3 smooth unique with lines dashtype 2 title '%s'", i,
                row->limit_name);
}

static void write_curves(FILE *plot)
{
    const char *between = "plot ";
    for (unsigned i = 0; i < n_rows; i++) {
        if (!begins_curve(i)) continue;
        fputs(between, plot);
        write_curve(plot, i);
        between = ", ";
    }
    fputc('\n', plot);
}

bool perf_plot(const char *picture)
{
    FILE *plot;
    rows = perf_table_rows(&n_rows);
    over_pes = true;
    if (!any_curve()) over_pes = false;
    if (!any_curve() || strchr(picture, '\'') != NULL) {
        fprintf(stderr, "anyshmem-perf: nothing to draw: no case has sizes, or numbers of PEs\n");
        return false;
    }
    /* Without gnuplot the pipe has no reader, and a write must not end the program. */
    signal(SIGPIPE, SIG_IGN);
    plot = popen("exec gnuplot", "w");
    if (plot == NULL) return false;
    fprintf(plot, "set terminal svg size 900,600 dynamic background 'white'\nset output '%s'\n"
                  "set logscale xy 2\nset grid\nset key outside bottom\n"
                  "set xlabel '%s'\nset format y '%%g'\n", picture,
            over_pes ? "PEs" : "bytes, or variables");
    write_data(plot);
    write_curves(plot);
    if (pclose(plot) == 0) return true;
    fprintf(stderr, "anyshmem-perf: no picture: is gnuplot installed?\n");
    return false;
}
