/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Put-with-signal of all types and lengths: whoever sees the signal sees the
 * data, byte by byte, before any barrier.  And signals alone.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/support/family.h"
#include "tests/support/pe.h"
#include "tests/support/rma_table.h"

/* ishmem_signal.c is this file with other names. */
#if !defined(PROGRAM)
#define PROGRAM "signal"
#endif

#define GUARD 64u
#define GUARD_BYTE 0xee
#define AREA ((1u << 20) + 4 * GUARD)

/* Symmetric: where a neighbour writes, and the word that it signals with. */
static unsigned char *area;
static uint64_t *word, *reply;
/* Local: what this PE sends. */
static unsigned char *source;

/* The signal word's value, and the number of exchanges; all PEs count alike. */
static uint64_t expected, exchanges;

static void check_area(size_t shift, size_t nbytes, uint64_t seed)
{
    PE_ALL(area, GUARD + shift, GUARD_BYTE);
    PE_FILLED(area + GUARD + shift, nbytes, seed);
    PE_ALL(area + GUARD + shift + nbytes, GUARD, GUARD_BYTE);
}

/* Each PE sends to the one that is `distance` ahead, all at once. */
static void exchange(signal_function send, size_t nelems, size_t size, bool blocking, int sig_op,
                     int distance)
{
    size_t nbytes = nelems * size, shift = size == 1 ? exchanges % 9 : 0;
    int to = (pe_me + distance) % pe_n, from = (pe_me + pe_n - distance) % pe_n;
    uint64_t add = (expected * 3 + UINT64_C(0x100000001)) | 1; /* never 0 */
    memset(area, GUARD_BYTE, nbytes + shift + 2 * GUARD);
    nvshmem_barrier_all();
    pe_fill(source, nbytes, exchanges * 64 + (uint64_t)pe_me);
    /* Alternately the receiver is there first and sees the signal when it comes. */
    if ((exchanges + (uint64_t)pe_me) % 2) pe_sleep_us(1);
    send(area + GUARD + shift, source, nelems, word,
         sig_op == NVSHMEM_SIGNAL_ADD ? add : expected + add, sig_op, to);
    /* A blocking one has read its source when it returns. */
    if (blocking) memset(source, 0x11, nbytes);
    /* Both ways of signalling lead from the old value to this one. */
    PE_EQUAL(nvshmem_signal_wait_until(word, NVSHMEM_CMP_NE, expected), expected + add);
    check_area(shift, nbytes, exchanges * 64 + (uint64_t)from);
    PE_EQUAL(nvshmem_signal_fetch(word), expected + add);
    expected += add;
    if (!blocking) FAMILY_QUIET();
    FAMILY_BARRIER_ALL();
}

static void all_rows(void)
{
    static const size_t lengths[] = {0, 1, 3, 50};
    for (size_t i = 0; i < rma_n_rows * PE_COUNT(lengths); i++) {
        const struct rma_row *row = &rma_rows[i / PE_COUNT(lengths)];
        size_t nelems = lengths[i % PE_COUNT(lengths)];
        int sig_op = i % 2 ? NVSHMEM_SIGNAL_ADD : NVSHMEM_SIGNAL_SET;
        int distance = (int)(i % (size_t)pe_n);
        pe_step("%s_put_signal: %zu elements, op %d", row->name, nelems, sig_op);
        exchange(row->put_signal, nelems, row->size, true, sig_op, distance);
        pe_step("%s_put_signal_nbi: %zu elements, op %d", row->name, nelems, sig_op);
        exchange(row->put_signal_nbi, nelems, row->size, false, sig_op, distance);
    }
}

static void all_lengths(void)
{
    static const size_t lengths[] = {
        2,    7,    8,    15,   16,   17,   31,    32,    33,     47,             48, 49, 63, 64,
        65,   1000, 4095, 4096, 8191, 8192, 8193, 16384, 65536, 100000, (1u << 20) - 1, 1u << 20};
    for (size_t i = 0; i < PE_COUNT(lengths) * (size_t)pe_n; i++) {
        size_t nbytes = lengths[i / (size_t)pe_n];
        int distance = (int)(i % (size_t)pe_n);
        bool blocking = (i + i / (size_t)pe_n) % 2 == 0;
        pe_step("putmem_signal%s: %zu bytes, distance %d", blocking ? "" : "_nbi", nbytes,
                distance);
        exchange(blocking ? nvshmem_putmem_signal : nvshmem_putmem_signal_nbi, nbytes, 1, blocking,
                 i % 3 ? NVSHMEM_SIGNAL_SET : NVSHMEM_SIGNAL_ADD, distance);
    }
}

/* One PE and the next throw a signal to and fro; odd one out only watches. */
static void ping_pong(uint64_t rounds)
{
    int partner = pe_me ^ 1;
    *word = 0;
    nvshmem_barrier_all();
    for (uint64_t i = 1; partner < pe_n && i <= rounds; i++) {
        pe_step("ping-pong %llu", (unsigned long long)i);
        if (pe_me < partner) nvshmemx_signal_op(word, i, NVSHMEM_SIGNAL_SET, partner);
        PE_EQUAL(nvshmem_signal_wait_until(word, NVSHMEM_CMP_GE, i), i);
        if (pe_me > partner) nvshmemx_signal_op(word, 1, NVSHMEM_SIGNAL_ADD, partner);
    }
    nvshmem_barrier_all();
    PE_EQUAL(*word, partner < pe_n ? rounds : 0);
    nvshmem_barrier_all();
}

/* All PEs signal all PEs: sums are exact, and each comparison is understood. */
static void all_to_all(void)
{
    uint64_t n = (uint64_t)pe_n, sum = 100 * n * (n + 1) / 2;
    pe_step("all to all");
    *word = UINT64_MAX;
    *reply = 0;
    nvshmem_barrier_all();
    for (int i = 0; i < 100 * pe_n; i++) {
        int to = (pe_me + i) % pe_n;
        nvshmemx_signal_op(word, (uint64_t)pe_me + 1, NVSHMEM_SIGNAL_ADD, to);
        nvshmem_putmem_signal(area, NULL, 0, reply, 1, NVSHMEM_SIGNAL_ADD, to);
    }
    PE_EQUAL(nvshmem_signal_wait_until(reply, NVSHMEM_CMP_EQ, 100 * n), 100 * n);
    nvshmem_barrier_all();
    PE_EQUAL(nvshmem_signal_wait_until(word, NVSHMEM_CMP_LT, sum), sum - 1);
    PE_EQUAL(nvshmem_signal_wait_until(word, NVSHMEM_CMP_LE, sum - 1), sum - 1);
    PE_EQUAL(nvshmem_signal_wait_until(word, NVSHMEM_CMP_GT, sum - 2), sum - 1);
    PE_EQUAL(nvshmem_signal_fetch(reply), 100 * n);
    nvshmem_barrier_all();
}

int main(void)
{
    pe_start(PROGRAM);
    area = pe_alloc(AREA);
    word = pe_alloc(64);
    reply = pe_alloc(64);
    source = malloc(AREA);
    PE_NEED(source != NULL);
    all_rows();
    all_lengths();
    ping_pong(2000);
    all_to_all();
    free(source);
    return pe_finish();
}
