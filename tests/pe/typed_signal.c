/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nvshmemx_TYPENAME_signal of the 14 types: the value in the type's own width,
 * bytes beside it untouched, and in order behind put-with-signals.
 */
#include <anyshmem_kernel.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/pe.h"

static const uint64_t values[] = {1, UINT64_MAX, UINT64_C(0x100000005), 0,
                                  UINT64_C(0x8000000000008000), UINT64_C(0x7fff7fff7fff7fff)};

struct signal_row {
    const char *name;
    size_t width;
    void (*signal)(void *dest, uint64_t value, int pe);
    void (*wait_until)(void *ivar, int cmp, uint64_t value);
};

#define X(NAME, TYPE) \
    static void NAME##_signal(void *dest, uint64_t value, int pe) \
    { \
        nvshmemx_##NAME##_signal((TYPE *)dest, (TYPE)value, pe); \
    } \
    static void NAME##_wait_until(void *ivar, int cmp, uint64_t value) \
    { \
        nvshmem_##NAME##_wait_until((TYPE *)ivar, cmp, (TYPE)value); \
    }
NVSHMEM_SYNC_TYPES(X)
#undef X

static const struct signal_row rows[] = {
#define X(NAME, TYPE) {#NAME, sizeof(TYPE), NAME##_signal, NAME##_wait_until},
    NVSHMEM_SYNC_TYPES(X)
#undef X
};

/* Eight elements that fill two words, each set by another PE or thread. */
#define ELEMENTS 8u

static uint64_t low_bits(uint64_t bits, size_t width)
{
    return width == 8 ? bits : bits & ((UINT64_C(1) << 8 * width) - 1);
}

/* Each PE sets every n-th element of an array at the next PE: those beside it
 * belong to it, too, but are set by others at the same time. */
static void check_values(const struct signal_row *row, unsigned char *array, unsigned char *own)
{
    int to = (pe_me + 1) % pe_n;
    for (size_t v = 0; v < PE_COUNT(values); v++) {
        uint64_t value = values[v];
        pe_step("%s: value %zu", row->name, v);
        memset(array, 0x5a, 8 * ELEMENTS);
        memset(own, 0x5a, 8 * ELEMENTS);
        nvshmem_barrier_all();
        /* One element in the middle, from one PE. */
        if (value == 0) pe_store_bits(array + 3 * row->width, row->width, 1);
        nvshmem_barrier_all();
        row->signal(array + 3 * row->width, value, to);
        row->wait_until(array + 3 * row->width, NVSHMEM_CMP_EQ, value);
        PE_ALL(array, 3 * row->width, 0x5a);
        PE_EQUAL(pe_load_bits(array + 3 * row->width, row->width), low_bits(value, row->width));
        PE_ALL(array + 4 * row->width, 8 * ELEMENTS - 4 * row->width, 0x5a);
        /* All elements, from all PEs alternately, at PE 0. */
        for (size_t i = 0; i < ELEMENTS; i++)
            if (i % (size_t)pe_n == (size_t)pe_me)
                row->signal(own + i * row->width, value + i, 0);
        nvshmem_barrier_all();
        for (size_t i = 0; pe_me == 0 && i < ELEMENTS; i++)
            PE_EQUAL(pe_load_bits(own + i * row->width, row->width),
                     low_bits(value + i, row->width));
        if (pe_me == 0)
            PE_ALL(own + ELEMENTS * row->width, 8 * ELEMENTS - ELEMENTS * row->width, 0x5a);
        nvshmem_barrier_all();
    }
}

/*
 * Long and short put-with-signals, then a typed signal: who sees it finds all
 * data complete and the word of the others at its last value.
 */
static void check_order(const struct signal_row *row, unsigned char *variable,
                        unsigned char *area, uint64_t *word, unsigned char *source)
{
    static const size_t sizes[] = {300000, 8, 0, 70000, 100};
    int to = (pe_me + 1) % pe_n, from = (pe_me + pe_n - 1) % pe_n;
    pe_step("%s: order", row->name);
    memset(variable, 0, 8);
    *word = 0;
    nvshmem_barrier_all();
    pe_fill(source, sizes[0], (uint64_t)pe_me);
    for (size_t round = 1; round <= 4; round++) {
        size_t size = sizes[round % PE_COUNT(sizes)];
        if (round == 1) size = sizes[0];
        nvshmem_putmem_signal_nbi(area + (round - 1) * sizes[0], source, size, word, round,
                                  NVSHMEM_SIGNAL_SET, to);
        row->signal(variable, round, to);
    }
    for (size_t round = 1; round <= 4; round++) {
        size_t size = sizes[round % PE_COUNT(sizes)];
        if (round == 1) size = sizes[0];
        row->wait_until(variable, NVSHMEM_CMP_GE, round);
        PE_TRUE(nvshmem_signal_fetch(word) >= round);
        PE_FILLED(area + (round - 1) * sizes[0], size, (uint64_t)from);
    }
    nvshmem_barrier_all();
    memset(area, 0, 4 * sizes[0]);
    nvshmem_barrier_all();
}

/* A kernel whose threads set neighbouring elements of the next PE. */
#define THREADS 64u
struct work {
    unsigned char *array;
    const struct signal_row *row;
};

ANYSHMEM_KERNEL(kernel_signals)
{
    const struct work *w = (const struct work *)arg;
    size_t i = threadIdx.x;
    unsigned char *element = w->array + i * w->row->width;
    w->row->signal(element, 1000 + i, (nvshmem_my_pe() + 1) % nvshmem_n_pes());
    w->row->wait_until(element, NVSHMEM_CMP_EQ, 1000 + i);
}

static void check_kernel(const struct signal_row *row, unsigned char *array)
{
    struct work work = {array, row};
    void *argument = &work;
    void *arguments[] = {&argument};
    const void *function;
    void (*kernel)(void *) = kernel_signals;
    dim3 grid = {1, 1, 1}, block = {THREADS, 1, 1};
    __builtin_memcpy(&function, &kernel, sizeof(function));
    pe_step("%s: in a kernel", row->name);
    memset(array, 0, 8 * THREADS);
    nvshmem_barrier_all();
    PE_NEED(nvshmemx_collective_launch(function, grid, block, arguments, 0, 0) == 0);
    for (size_t i = 0; i < THREADS; i++)
        PE_EQUAL(pe_load_bits(array + i * row->width, row->width), 1000 + i);
    nvshmem_barrier_all();
}

int main(void)
{
    unsigned char *array, *own, *area, *source;
    uint64_t *word;
    pe_start("typed_signal");
    array = pe_alloc(8 * THREADS);
    own = pe_alloc(8 * ELEMENTS);
    area = pe_alloc(4 * 300000);
    word = pe_alloc(8);
    source = calloc(1, 300000);
    PE_NEED(source != NULL);
    PE_EQUAL(PE_COUNT(rows), 14);
    for (size_t i = 0; i < PE_COUNT(rows); i++) {
        check_values(&rows[i], array, own);
        check_order(&rows[i], array, area, word, source);
        check_kernel(&rows[i], array);
    }
    free(source);
    return pe_finish();
}
