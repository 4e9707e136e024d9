/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints each row as it is measured, in a table or as CSV, and keeps it for the picture; reads
 * rows from CSV.
 */
#include "perf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 4096
#define LINE_MAX_BYTES 512

const char *const perf_way_names[] = {
#define X(NAME, TEXT, HELP) TEXT,
    PERF_WAYS(X)
#undef X
};

static struct perf_row rows[ROWS_MAX];
static unsigned n_rows;

const char *perf_unit_name(const struct perf_row *row)
{
    switch (row->test->unit) {
    case PERF_RATE: return "Mop/s";
    case PERF_BANDWIDTH: return "MB/s";
    default: return "us";
    }
}

double perf_convert(const struct perf_row *row, double ns)
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
    printf("%s,%s,%d,%zu,%s,%.5g,%.5g,%.1f,", perf_way_names[row->way], row->test->name, row->n_pes,
           row->test->sized != PERF_ONE ? row->size : 0, perf_unit_name(row),
           perf_convert(row, row->median), perf_convert(row, row->least), 100 * row->spread);
    if (row->limit > 0)
        printf("%s,%.5g,%.3f\n", row->limit_name, perf_convert(row, row->limit), row->ratio);
    else
        puts(",,");
}

static void print_line(const struct perf_row *row)
{
    char size[24] = "";
    if (row->test->sized != PERF_ONE) snprintf(size, sizeof(size), "%zu", row->size);
    printf("%-9s %-18s %4d %8s %8.5g %-5s %6.4g %-5s %4.0f%%", perf_way_names[row->way],
           row->test->name, row->n_pes, size, perf_convert(row, row->median), perf_unit_name(row),
           perf_convert(row, row->least), perf_unit_name(row), 100 * row->spread);
    if (row->limit > 0)
        printf("  %5.2f  %s %.4g %s", row->ratio, row->limit_name, perf_convert(row, row->limit),
               perf_unit_name(row));
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

/* The inverse of perf_convert; that of a rate or bandwidth is the same function. */
static double to_ns(const struct perf_row *row, double value)
{
    return row->test->unit == PERF_TIME ? value * 1e3 : perf_convert(row, value);
}

static const struct perf_case *find_case(const char *name)
{
    for (unsigned i = 0; i < perf_n_cases; i++)
        if (strcmp(perf_cases[i].name, name) == 0) return &perf_cases[i];
    return NULL;
}

static int find_way(const char *name)
{
    int way = 0;
    while (way < PERF_N_WAYS && strcmp(perf_way_names[way], name) != 0) way++;
    return way;
}

/* Reads a line of print_csv, only the fields that a picture needs. */
static bool read_row(const char *line, struct perf_row *ret_row)
{
    char way[16], name[32], limit_name[32] = "";
    double median, limit = 0;
    struct perf_row row = {.n_pes = 0};
    int n = sscanf(line, "%15[^,],%31[^,],%d,%zu,%*[^,],%lf,%*[^,],%*[^,],%31[^,],%lf", way, name,
                   &row.n_pes, &row.size, &median, limit_name, &limit);
    if (n != 5 && n != 7) return false;
    row.way = (enum perf_way)find_way(way);
    row.test = find_case(name);
    if (row.way == PERF_N_WAYS || row.test == NULL || row.n_pes < 1 || !(median > 0)) return false;
    row.median = to_ns(&row, median);
    if (n == 7 && limit > 0) {
        row.limit = to_ns(&row, limit);
        row.limit_name = strdup(limit_name);
    }
    *ret_row = row;
    return true;
}

bool perf_table_read(const char *file)
{
    char line[LINE_MAX_BYTES];
    unsigned before = n_rows;
    FILE *csv = fopen(file, "r");
    if (csv == NULL) {
        fprintf(stderr, "anyshmem-perf: %s: %s\n", file, strerror(errno));
        return false;
    }
    while (n_rows < ROWS_MAX && fgets(line, sizeof(line), csv) != NULL)
        if (read_row(line, &rows[n_rows])) n_rows++;
    (void)fclose(csv);
    if (n_rows > before) return true;
    fprintf(stderr, "anyshmem-perf: %s has no row of anyshmem-perf --csv\n", file);
    return false;
}

const struct perf_row *perf_table_rows(unsigned *ret_n)
{
    *ret_n = n_rows;
    return rows;
}
