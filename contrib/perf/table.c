/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows, as they come: a table for people, or CSV; kept for the picture. */
#include "perf.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS_MAX 4096

static const char *const way_names[] = {
#define X(NAME, TEXT, HELP) TEXT,
    PERF_WAYS(X)
#undef X
};

static struct perf_row rows[ROWS_MAX];
static unsigned n_rows;

static const char *unit(const struct perf_row *row)
{
    switch (row->test->unit) {
    case PERF_RATE: return "Mop/s";
    case PERF_BANDWIDTH: return "MB/s";
    default: return "us";
    }
}

/* In the case's unit. */
static double convert(const struct perf_row *row, double ns)
{
    switch (row->test->unit) {
    case PERF_RATE: return 1e3 / ns;
    case PERF_BANDWIDTH: return 1e3 * (double)row->size / ns;
    default: return ns / 1e3;
    }
}

void perf_table_begin(const struct perf_options *options)
{
    if (options->csv)
        puts("way,case,pes,size,unit,median,best,spread_percent,limit,limit_median,ratio");
    else
        printf("%-9s %-18s %4s %8s %12s %12s %6s  %5s  %s\n", "way", "case", "PEs", "size",
               "median", "best", "+-", "ratio", "limit");
    fflush(stdout);
}

static void print_csv(const struct perf_row *row)
{
    printf("%s,%s,%d,%zu,%s,%.5g,%.5g,%.1f,", way_names[row->way], row->test->name, row->n_pes,
           row->test->sized != PERF_ONE ? row->size : 0, unit(row), convert(row, row->median),
           convert(row, row->least), 100 * row->spread);
    if (row->limit > 0)
        printf("%s,%.5g,%.3f\n", row->limit_name, convert(row, row->limit), row->ratio);
    else
        puts(",,");
}

static void print_line(const struct perf_row *row)
{
    char size[24] = "";
    if (row->test->sized != PERF_ONE) snprintf(size, sizeof(size), "%zu", row->size);
    printf("%-9s %-18s %4d %8s %8.5g %-5s %6.4g %-5s %4.0f%%", way_names[row->way],
           row->test->name, row->n_pes, size, convert(row, row->median), unit(row),
           convert(row, row->least), unit(row), 100 * row->spread);
    if (row->limit > 0)
        printf("  %5.2f  %s %.4g %s", row->ratio, row->limit_name, convert(row, row->limit),
               unit(row));
    putchar('\n');
}

void perf_table_row(const struct perf_options *options, const struct perf_row *row)
{
    if (n_rows < ROWS_MAX) rows[n_rows++] = *row;
    if (options->csv)
        print_csv(row);
    else
        print_line(row);
    fflush(stdout);
}

/* A curve: rows of one case and way, over sizes. */
static bool same_curve(const struct perf_row *a, const struct perf_row *b)
{
    return a->test == b->test && a->way == b->way;
}

static bool begins_curve(unsigned i)
{
    return rows[i].test->sized != PERF_ONE && (i == 0 || !same_curve(&rows[i - 1], &rows[i]));
}

/* gnuplot's own data: a block for each curve, of ours and of its limit. */
static void write_data(FILE *plot)
{
    for (unsigned i = 0; i < n_rows; i++) {
        if (!begins_curve(i)) continue;
        fprintf(plot, "$d%u << END\n", i);
        for (unsigned k = i; k < n_rows && same_curve(&rows[i], &rows[k]); k++)
            fprintf(plot, "%zu %g %g\n", rows[k].size, convert(&rows[k], rows[k].median),
                    rows[k].limit > 0 ? convert(&rows[k], rows[k].limit) : 0.0);
        fputs("END\n", plot);
    }
}

static void write_curves(FILE *plot)
{
    const char *between = "plot ";
    for (unsigned i = 0; i < n_rows; i++) {
        if (!begins_curve(i)) continue;
        fprintf(plot, "%s$d%u using 1:2 with linespoints title '%s %s, %s'", between, i,
                way_names[rows[i].way], rows[i].test->name, unit(&rows[i]));
        between = ", ";
        if (rows[i].limit > 0)
            fprintf(plot, "%s$d%u using 1:3 with lines dashtype 2 title '%s'", between, i,
                    rows[i].limit_name);
    }
    fputc('\n', plot);
}

bool perf_table_end(const struct perf_options *options)
{
    FILE *plot;
    bool any = false;
    if (options->picture == NULL) return true;
    for (unsigned i = 0; i < n_rows; i++) any |= begins_curve(i);
    if (!any || strchr(options->picture, '\'') != NULL) {
        fprintf(stderr, "anyshmem-perf: nothing to draw: no case has sizes\n");
        return false;
    }
    /* Where there is no gnuplot, nobody reads. */
    signal(SIGPIPE, SIG_IGN);
    plot = popen("exec gnuplot", "w");
    if (plot == NULL) return false;
    fprintf(plot, "set terminal svg size 900,600 dynamic background 'white'\nset output '%s'\n"
                  "set logscale xy 2\nset grid\nset key outside bottom\n"
                  "set xlabel 'bytes, or variables'\nset format y '%%g'\n", options->picture);
    write_data(plot);
    write_curves(plot);
    if (pclose(plot) == 0) return true;
    fprintf(stderr, "anyshmem-perf: no picture: is gnuplot installed?\n");
    return false;
}
