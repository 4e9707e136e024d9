/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every _on_stream routine, of every type and size: copies against what they
 * should leave, signals that come after their data, waits that stand still
 * until another PE's stream ends them.
 */
#include <nvshmemx.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/pe.h"
#include "tests/support/stream_table.h"

/* Elements of a copy, at most; the largest element has 16 bytes. */
#define ELEMENTS 40u
#define DATA (ELEMENTS * 16)
#define GUARD 32u
#define GUARD_BYTE 0xee

/* What the PE before this one writes, between bytes that nobody may write. */
struct cell {
    unsigned char before[GUARD], data[DATA], after[GUARD];
    uint64_t signal;
};

static struct cell *cells;
/* One for each row: what this PE sends, and what it gets back. */
static unsigned char source[STREAM_COPY_ROWS][DATA], back[STREAM_COPY_ROWS][DATA];
/* One of its own and the default one, alternately. */
static cudaStream_t streams[2];
static int to, from;

static uint64_t seed_of(int pe, size_t row, size_t nelems)
{
    return (uint64_t)pe * 100000 + row * 1000 + nelems + 1;
}

static void prepare(size_t nelems)
{
    for (size_t i = 0; i < stream_n_copy_rows; i++) {
        memset(&cells[i], GUARD_BYTE, sizeof(cells[i]));
        cells[i].signal = 0;
        memset(back[i], GUARD_BYTE, DATA);
        pe_fill(source[i], nelems * stream_copy_rows[i].size, seed_of(pe_me, i, nelems));
    }
    nvshmem_barrier_all();
}

/* Nothing but the elements was written: `bytes` has DATA of them. */
static void written(const unsigned char *bytes, size_t row, size_t nelems, int pe)
{
    size_t nbytes = nelems * stream_copy_rows[row].size;
    PE_FILLED(bytes, nbytes, seed_of(pe, row, nelems));
    PE_ALL(bytes + nbytes, DATA - nbytes, GUARD_BYTE);
}

static void cell_written(size_t row, size_t nelems)
{
    PE_ALL(cells[row].before, GUARD, GUARD_BYTE);
    PE_ALL(cells[row].after, GUARD, GUARD_BYTE);
    written(cells[row].data, row, nelems, from);
}

/* put to the next PE, a barrier, get back from there: all of it queued at once. */
static void copies(size_t nelems, int nbi, bool by_barrier)
{
    cudaStream_t stream = streams[nbi];
    prepare(nelems);
    for (size_t i = 0; i < stream_n_copy_rows; i++)
        stream_copy_rows[i].put[nbi](cells[i].data, source[i], nelems, to, stream);
    if (by_barrier) {
        nvshmemx_barrier_all_on_stream(stream);
    } else {
        nvshmemx_quiet_on_stream(stream);
        nvshmemx_sync_all_on_stream(stream);
    }
    for (size_t i = 0; i < stream_n_copy_rows; i++)
        stream_copy_rows[i].get[nbi](back[i], cells[i].data, nelems, to, stream);
    nvshmemx_quiet_on_stream(stream);
    PE_EQUAL(anyshmemx_stream_synchronize(stream), 0);
    for (size_t i = 0; i < stream_n_copy_rows; i++) {
        pe_step("%s: %zu elements, nbi %d", stream_copy_rows[i].name, nelems, nbi);
        cell_written(i, nelems);
        written(back[i], i, nelems, pe_me);
    }
    nvshmem_barrier_all();
}

static void elements(void)
{
    cudaStream_t stream = streams[0];
    prepare(1);
    for (size_t i = 0; i < stream_n_copy_rows; i++) {
        const struct stream_copy_row *row = &stream_copy_rows[i];
        if (row->p != NULL)
            row->p(cells[i].data, pe_load_bits(source[i], row->size), to, stream);
    }
    nvshmemx_barrier_all_on_stream(stream);
    PE_EQUAL(anyshmemx_stream_synchronize(stream), 0);
    for (size_t i = 0; i < stream_n_copy_rows; i++) {
        pe_step("%s: p", stream_copy_rows[i].name);
        if (stream_copy_rows[i].p != NULL) cell_written(i, 1);
    }
    nvshmem_barrier_all();
}

/*
 * put_signal to the next PE; a wait for the signal from the one before, and at
 * once a copy of what came with it.
 */
static void signals(size_t nelems, int nbi, int sig_op)
{
    prepare(nelems);
    for (size_t i = 0; i < stream_n_copy_rows; i++) {
        uint64_t signal = 1 + i + nelems;
        cells[i].signal = sig_op == NVSHMEM_SIGNAL_ADD ? 1000 : 0;
        if (sig_op == NVSHMEM_SIGNAL_ADD) signal += 1000;
        nvshmemx_signal_wait_until_on_stream(&cells[i].signal, NVSHMEM_CMP_EQ, signal, streams[0]);
        nvshmemx_getmem_on_stream(back[i], cells[i].data, DATA, pe_me, streams[0]);
    }
    PE_EQUAL(anyshmemx_stream_query(streams[0]), ANYSHMEMX_ERROR_NOT_READY);
    nvshmem_barrier_all();
    for (size_t i = 0; i < stream_n_copy_rows; i++)
        stream_copy_rows[i].put_signal[nbi](cells[i].data, source[i], nelems, &cells[i].signal,
                                            1 + i + nelems, sig_op, to, streams[1]);
    PE_EQUAL(anyshmemx_stream_synchronize(streams[0]), 0);
    for (size_t i = 0; i < stream_n_copy_rows; i++) {
        pe_step("%s: %zu elements with signal, nbi %d", stream_copy_rows[i].name, nelems, nbi);
        cell_written(i, nelems);
        written(back[i], i, nelems, from);
    }
    nvshmemx_barrier_all_on_stream(streams[1]);
    PE_EQUAL(anyshmemx_stream_synchronize(streams[1]), 0);
}

/* As bits; some are small in one signedness and large in the other. */
static const uint64_t values[] = {0, 1, UINT64_MAX, (uint64_t)INT64_MIN, INT64_MAX,
                                  UINT64_C(0x80000000), 0x8000, 0x7fff};

static uint64_t choose(const struct stream_wait_row *row, int cmp, unsigned wanted, uint64_t b,
                       uint64_t *state)
{
    for (;;) {
        uint64_t a = values[pe_random(state) % PE_COUNT(values)];
        if ((row->model(a, b) >> cmp & 1) == wanted) return a;
    }
}

/*
 * cmp -1: wait.  The variable meets it when the PE before writes `late`, after a
 * quiet that completes two changes of the signal.
 */
static void one_wait(size_t r, int cmp)
{
    const struct stream_wait_row *row = &stream_wait_rows[r];
    uint64_t state = r * 8 + (uint64_t)(cmp + 1), early, late, b = 0x7ffe, mark = 0;
    int as = cmp < 0 ? NVSHMEM_CMP_NE : cmp;
    void *variable = cells[r].data;
    if (as == NVSHMEM_CMP_EQ || as == NVSHMEM_CMP_NE) b = values[state % 3];
    early = choose(row, as, 0, b, &state);
    late = choose(row, as, 1, b, &state);
    pe_step("%s: wait for cmp %d 0x%llx", row->name, cmp, (unsigned long long)b);
    memset(cells[r].data, GUARD_BYTE, 16);
    pe_store_bits(variable, row->width, early);
    cells[r].signal = 1;
    nvshmem_barrier_all();
    if (cmp < 0)
        row->wait(variable, b, streams[0]);
    else
        row->wait_until(variable, cmp, b, streams[0]);
    nvshmemx_uint64_get_on_stream(&mark, &cells[r].signal, 1, pe_me, streams[0]);
    if (r % 3 == 0) pe_sleep_us(500);
    PE_EQUAL(anyshmemx_stream_query(streams[0]), ANYSHMEMX_ERROR_NOT_READY);
    nvshmem_sync_all();
    nvshmemx_putmem_signal_on_stream(cells[r].after, source[0], 0, &cells[r].signal, 3,
                                     NVSHMEM_SIGNAL_SET, to, streams[1]);
    nvshmemx_signal_op_on_stream(&cells[r].signal, 4, NVSHMEM_SIGNAL_ADD, to, streams[1]);
    nvshmemx_quiet_on_stream(streams[1]);
    /* The row of stream_copy_rows of the same type has p. */
    stream_copy_rows[r].p(variable, late, to, streams[1]);
    PE_EQUAL(anyshmemx_stream_synchronize(streams[0]), 0);
    PE_EQUAL(mark, 7);
    PE_EQUAL(pe_load_bits(variable, row->width),
             row->width == 8 ? late : late & ((UINT64_C(1) << 8 * row->width) - 1));
    nvshmem_barrier_all();
}

#define SET 9u

/* Every element of a set but two that are left out; the last one comes late. */
static void wait_for_all(size_t r, bool vector)
{
    static const int status[SET] = {0, 0, 1, 0, 0, -1, 0, 0, 0};
    const struct stream_wait_row *row = &stream_wait_rows[r];
    unsigned char wanted[SET * 8], *ivars = cells[r].data;
    uint64_t mark = 0;
    pe_step("%s: wait for all, vector %d", row->name, vector);
    memset(cells[r].data, 0, SET * 8);
    cells[r].signal = 0;
    for (unsigned i = 0; i < SET; i++)
        pe_store_bits(wanted + i * row->width, row->width, vector ? 100 - i : 100);
    nvshmem_barrier_all();
    if (vector)
        row->wait_until_all_vector(ivars, SET, status, NVSHMEM_CMP_EQ, wanted, streams[0]);
    else
        row->wait_until_all(ivars, SET, status, NVSHMEM_CMP_EQ, 100, streams[0]);
    nvshmemx_uint64_get_on_stream(&mark, &cells[r].signal, 1, pe_me, streams[0]);
    for (unsigned i = 1; i < SET; i++)
        if (status[i] == 0)
            stream_copy_rows[r].p(ivars + i * row->width,
                                  pe_load_bits(wanted + i * row->width, row->width), to,
                                  streams[1]);
    nvshmemx_signal_op_on_stream(&cells[r].signal, 8, NVSHMEM_SIGNAL_SET, to, streams[1]);
    nvshmemx_barrier_all_on_stream(streams[1]);
    PE_EQUAL(anyshmemx_stream_synchronize(streams[1]), 0);
    PE_EQUAL(anyshmemx_stream_query(streams[0]), ANYSHMEMX_ERROR_NOT_READY);
    nvshmem_sync_all();
    stream_copy_rows[r].p(ivars, 100, to, streams[1]);
    PE_EQUAL(anyshmemx_stream_synchronize(streams[0]), 0);
    PE_EQUAL(mark, 8);
    PE_EQUAL(pe_load_bits(ivars + 2 * row->width, row->width), 0);
    nvshmem_barrier_all();
}

int main(void)
{
    static const size_t lengths[] = {0, 1, 3, ELEMENTS};
    pe_start("stream");
    to = (pe_me + 1) % pe_n;
    from = (pe_me + pe_n - 1) % pe_n;
    PE_NEED(stream_n_copy_rows == STREAM_COPY_ROWS && stream_n_wait_rows == STREAM_WAIT_ROWS);
    PE_NEED(anyshmemx_stream_create(&streams[0]) == 0);
    cells = pe_alloc(STREAM_COPY_ROWS * sizeof(*cells));
    for (size_t i = 0; i < PE_COUNT(lengths); i++)
        for (int nbi = 0; nbi < 2; nbi++) {
            copies(lengths[i], nbi, i % 2 == 0);
            signals(lengths[i], nbi, NVSHMEM_SIGNAL_SET);
            signals(lengths[i], nbi, NVSHMEM_SIGNAL_ADD);
        }
    elements();
    for (size_t r = 0; r < STREAM_WAIT_ROWS; r++) {
        PE_NEED(strcmp(stream_wait_rows[r].name, stream_copy_rows[r].name) == 0);
        for (int cmp = -1; cmp < 6; cmp++) one_wait(r, cmp);
        wait_for_all(r, false);
        wait_for_all(r, true);
    }
    PE_EQUAL(anyshmemx_stream_destroy(streams[0]), 0);
    return pe_finish();
}
