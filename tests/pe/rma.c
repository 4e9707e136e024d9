/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * putmem and getmem of many lengths, at any alignment, from and to stack, heap
 * and symmetric memory, between all PEs; and ten thousand at once.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/support/pe.h"

#define GUARD 64u
#define GUARD_BYTE 0xee
#define MEGABYTE (1u << 20)

/* The borders of inline requests, cache lines, pages and UCX's protocols. */
static const size_t lengths[] = {0,    1,    2,    3,    7,    8,    15,    16,    17,
                                 31,   32,   33,   47,   48,   49,   63,    64,    65,
                                 1000, 4096, 8191, 8192, 8193, 16384, 65536, MEGABYTE + 13};
/* Of which the first so many fit a stack. */
#define SMALL (PE_COUNT(lengths) - 3)

struct pass {
    /* Bytes off the alignment, here and there. */
    size_t local_shift, remote_shift;
    enum { STACK, HEAP, SYMMETRIC } local;
    bool blocking;
    size_t n_lengths;
};

static const struct pass passes[] = {
    {0, 0, HEAP, true, PE_COUNT(lengths)}, {0, 0, STACK, false, SMALL},
    {1, 0, STACK, true, SMALL},            {0, 1, SYMMETRIC, false, PE_COUNT(lengths)},
    {3, 5, SYMMETRIC, true, SMALL},        {8, 4, HEAP, false, SMALL},
    {7, 7, SYMMETRIC, true, SMALL},        {15, 9, STACK, false, SMALL},
    {2, 6, HEAP, true, PE_COUNT(lengths)}, {4, 0, HEAP, false, PE_COUNT(lengths)},
};

/* Place of a length in an area that holds all of them, each between guards. */
static size_t place(size_t index)
{
    size_t offset = GUARD;
    for (size_t i = 0; i < index; i++) offset += (lengths[i] + 15) / 16 * 16 + 2 * GUARD;
    return offset;
}

#define AREA_BYTES (place(PE_COUNT(lengths)) + GUARD)

static uint64_t seed_of(int from, int to, size_t index)
{
    return ((uint64_t)from * 1009 + (uint64_t)to) * 1009 + index;
}

/* Every length is there at its place, and between them nothing was written. */
static void check_area(const unsigned char *area, const struct pass *pass, size_t shift, int from,
                       int to)
{
    size_t end = 0;
    for (size_t i = 0; i < pass->n_lengths; i++) {
        size_t at = place(i) + shift;
        PE_ALL(area + end, at - end, GUARD_BYTE);
        PE_FILLED(area + at, lengths[i], seed_of(from, to, i));
        end = at + lengths[i];
    }
    PE_ALL(area + end, GUARD, GUARD_BYTE);
}

static void put_lengths(const struct pass *pass, unsigned char *mine, unsigned char *dest, int to)
{
    for (size_t i = 0; i < pass->n_lengths; i++) {
        unsigned char *source = mine + place(i) + pass->local_shift;
        pe_fill(source, lengths[i], seed_of(pe_me, to, i));
        if (!pass->blocking) {
            nvshmem_putmem_nbi(dest + place(i) + pass->remote_shift, source, lengths[i], to);
            continue;
        }
        nvshmem_putmem(dest + place(i) + pass->remote_shift, source, lengths[i], to);
        /* The source is the caller's again. */
        memset(source, 0x11, lengths[i]);
    }
    if (!pass->blocking) nvshmem_quiet();
}

static void get_lengths(const struct pass *pass, unsigned char *mine, unsigned char *source,
                        int from)
{
    memset(mine, GUARD_BYTE, AREA_BYTES);
    for (size_t i = 0; i < pass->n_lengths; i++) {
        unsigned char *dest = mine + place(i) + pass->local_shift;
        unsigned char *there = source + place(i) + pass->remote_shift;
        if (pass->blocking) {
            nvshmem_getmem(dest, there, lengths[i], from);
            PE_FILLED(dest, lengths[i], seed_of(pe_me, from, i));
        } else {
            nvshmem_getmem_nbi(dest, there, lengths[i], from);
        }
    }
    if (!pass->blocking) nvshmem_quiet();
    check_area(mine, pass, pass->local_shift, pe_me, from);
}

/*
 * Put to every PE, check what came from every PE, get back what was put.
 * areas: one for each PE that writes here.
 */
static void run_pass(const struct pass *pass, unsigned char *mine, unsigned char *areas)
{
    memset(areas, GUARD_BYTE, AREA_BYTES * (size_t)pe_n);
    nvshmem_barrier_all();
    for (int i = 0; i < pe_n; i++) {
        int to = (pe_me + i) % pe_n;
        put_lengths(pass, mine, areas + AREA_BYTES * (size_t)pe_me, to);
    }
    nvshmem_barrier_all();
    for (int from = 0; from < pe_n; from++)
        check_area(areas + AREA_BYTES * (size_t)from, pass, pass->remote_shift, from, pe_me);
    for (int i = 0; i < pe_n; i++) {
        int from = (pe_me + i) % pe_n;
        get_lengths(pass, mine, areas + AREA_BYTES * (size_t)pe_me, from);
    }
    nvshmem_barrier_all();
}

static void run_pass_on_stack(const struct pass *pass, unsigned char *areas)
{
    /* valgrind takes a frame of 2 MB for another stack. */
    unsigned char mine[3 * MEGABYTE / 2];
    PE_NEED(AREA_BYTES <= sizeof(mine));
    run_pass(pass, mine, areas);
}

static void all_lengths(void)
{
    unsigned char *areas = pe_alloc(AREA_BYTES * (size_t)pe_n);
    unsigned char *symmetric = pe_alloc(AREA_BYTES);
    unsigned char *heap = malloc(AREA_BYTES);
    PE_NEED(heap != NULL);
    for (size_t i = 0; i < PE_COUNT(passes); i++) {
        pe_step("pass %zu", i);
        if (passes[i].local == STACK)
            run_pass_on_stack(&passes[i], areas);
        else
            run_pass(&passes[i], passes[i].local == HEAP ? heap : symmetric, areas);
    }
    free(heap);
    nvshmem_free(symmetric);
    nvshmem_free(areas);
}

/* A copy within the own PE whose two sides overlap is as memmove. */
static void overlapping(void)
{
    static const size_t shifts[] = {0, 1, 7, 8, 64, 100};
    static const size_t sizes[] = {8, 48, 200, 5000};
    unsigned char *area = pe_alloc(8192);
    unsigned char want[8192];
    for (size_t i = 0; i < PE_COUNT(shifts) * PE_COUNT(sizes) * 4; i++) {
        size_t shift = shifts[i / 4 % PE_COUNT(shifts)];
        size_t nbytes = sizes[i / 4 / PE_COUNT(shifts)];
        size_t to = i & 1 ? 512 + shift : 512, from = i & 1 ? 512 : 512 + shift;
        pe_step("overlap: %zu bytes from %zu to %zu by %s", nbytes, from, to,
                i & 2 ? "get" : "put");
        pe_fill(area, 8192, i);
        memcpy(want, area, 8192);
        memmove(want + to, want + from, nbytes);
        if (i & 2)
            nvshmem_getmem(area + to, area + from, nbytes, pe_me);
        else
            nvshmem_putmem(area + to, area + from, nbytes, pe_me);
        nvshmem_quiet();
        PE_TRUE(memcmp(area, want, 8192) == 0);
    }
    nvshmem_free(area);
}

#define MANY 10000u

static size_t many_length(size_t i)
{
    return i % 97 + 1;
}

/* Ten thousand puts, then gets, under way at once. */
static void many_outstanding(void)
{
    unsigned char *areas = pe_alloc(MANY * 128 * (size_t)pe_n);
    unsigned char *own = areas + MANY * 128 * (size_t)pe_me;
    unsigned char *local = malloc(MANY * 128);
    PE_NEED(local != NULL);
    pe_step("many puts");
    pe_fill(local, MANY * 128, (uint64_t)pe_me);
    for (size_t i = 0; i < MANY; i++)
        nvshmem_putmem_nbi(own + i * 128, local + i * 128, many_length(i),
                           (int)((i + (size_t)pe_me) % (size_t)pe_n));
    nvshmem_quiet();
    nvshmem_barrier_all();
    pe_step("many gets");
    memset(local, GUARD_BYTE, MANY * 128);
    for (size_t i = 0; i < MANY; i++)
        nvshmem_getmem_nbi(local + i * 128, own + i * 128, many_length(i),
                           (int)((i + (size_t)pe_me) % (size_t)pe_n));
    nvshmem_quiet();
    unsigned char *want = malloc(MANY * 128);
    PE_NEED(want != NULL);
    pe_fill(want, MANY * 128, (uint64_t)pe_me);
    for (size_t i = 0; i < MANY; i++) {
        size_t n = many_length(i);
        PE_TRUE(memcmp(local + i * 128, want + i * 128, n) == 0);
        PE_ALL(local + i * 128 + n, 128 - n, GUARD_BYTE);
    }
    free(want);
    free(local);
    nvshmem_free(areas);
}

int main(void)
{
    pe_start("rma");
    all_lengths();
    overlapping();
    many_outstanding();
    return pe_finish();
}
