/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits of a stream for all variables of a set: each type, comparison and pair of values,
 * with a status, without one, and where nothing is waited for.
 */
#include <nvshmemx.h>

#include "tests/support/pe.h"
#include "tests/support/stream_table.h"

/* As bits; some are small in one signedness and large in the other. */
static const uint64_t values[] = {0, 1, UINT64_MAX, (uint64_t)INT64_MIN, INT64_MAX,
                                  UINT64_C(0x80000000), 0x8000, 0x7fff};

/* Symmetric. */
static unsigned char *set;
static cudaStream_t stream;

/* Returns at once, or the time limit of the program does. */
static void comes_back(const struct stream_wait_row *row, bool vector, size_t n,
                       const int *status, int cmp, unsigned char *compared, unsigned char *ivars)
{
    if (vector)
        row->wait_until_all_vector(ivars, n, status, cmp, compared, stream);
    else
        row->wait_until_all(ivars, n, status, cmp, pe_load_bits(compared, row->width), stream);
    PE_EQUAL(anyshmemx_stream_synchronize(stream), 0);
}

/* Each pair of values that meets the comparison; those that do not are left out. */
static void compare_met(const struct stream_wait_row *row, bool vector, int cmp)
{
    unsigned char compared[PE_COUNT(values) * 8];
    int status[PE_COUNT(values)], none[PE_COUNT(values)];
    pe_step("%s: comparison %d, vector %d", row->name, cmp, vector);
    for (size_t b = 0; b < PE_COUNT(values); b++) {
        for (size_t i = 0; i < PE_COUNT(values); i++) {
            uint64_t value = values[vector ? (b + i) % PE_COUNT(values) : b];
            unsigned char *at = compared + i * row->width;
            pe_store_bits(set + i * row->width, row->width, values[i]);
            pe_store_bits(at, row->width, value);
            none[i] = 1;
            status[i] = !(row->model(values[i], value) >> cmp & 1);
            if (status[i] == 0) comes_back(row, vector, 1, NULL, cmp, at, set + i * row->width);
        }
        comes_back(row, vector, PE_COUNT(values), status, cmp, compared, set);
        comes_back(row, vector, PE_COUNT(values), none, cmp, compared, set);
        comes_back(row, vector, 0, NULL, cmp, compared, set);
    }
}

/* A value that meets the comparison with `value` (1) or does not (0); false: there is none. */
static bool find_value(const struct stream_wait_row *row, int cmp, unsigned meets, uint64_t value,
                       uint64_t *ret_found)
{
    for (size_t i = 0; i < PE_COUNT(values); i++) {
        *ret_found = values[i];
        if ((row->model(values[i], value) >> cmp & 1) == meets) return true;
    }
    return false;
}

/* Each value with which one meets the comparison and another does not: that one is waited for. */
static void compare_unmet(size_t r, bool vector, int cmp)
{
    const struct stream_wait_row *row = &stream_wait_rows[r];
    unsigned char compared[8];
    uint64_t early, late;
    pe_step("%s: not comparison %d, vector %d", row->name, cmp, vector);
    for (size_t b = 0; b < PE_COUNT(values); b++) {
        if (!find_value(row, cmp, 0, values[b], &early) ||
            !find_value(row, cmp, 1, values[b], &late))
            continue;
        pe_store_bits(set, row->width, early);
        pe_store_bits(compared, row->width, values[b]);
        if (vector)
            row->wait_until_all_vector(set, 1, NULL, cmp, compared, stream);
        else
            row->wait_until_all(set, 1, NULL, cmp, values[b], stream);
        pe_sleep_us(100);
        PE_EQUAL(anyshmemx_stream_query(stream), ANYSHMEMX_ERROR_NOT_READY);
        stream_copy_rows[r].p(set, late, pe_me, 0);
        PE_EQUAL(anyshmemx_stream_synchronize(stream), 0);
    }
}

int main(void)
{
    pe_start("stream_set");
    PE_NEED(anyshmemx_stream_create(&stream) == 0);
    set = pe_alloc(sizeof(values));
    for (size_t r = 0; r < STREAM_WAIT_ROWS; r++)
        for (int i = 0; i < 12; i++) {
            compare_met(&stream_wait_rows[r], i % 2, i / 2);
            compare_unmet(r, i % 2, i / 2);
        }
    PE_EQUAL(anyshmemx_stream_destroy(stream), 0);
    return pe_finish();
}
