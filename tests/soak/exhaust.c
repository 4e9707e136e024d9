/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exhaust SECONDS: fill the symmetric heap with blocks of random sizes until there
 * is no room, give some back, fill it again, give all back, and so on.
 *
 * Oracle: the blocks that live, in the order of their places.  None overlaps another,
 * all PEs have the same, there is no block only when no gap has room for it, and each
 * has at its borders what was written there.
 *
 * PE_SEED  which sizes [1]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/clock.h"
#include "tests/support/pe.h"

/* NVSHMEM_SYMMETRIC_SIZE, and what a heap has beside it, of which the library takes a part. */
#define ASKED_BYTES (UINT64_C(4) << 20)
#define HEAP_BYTES (UINT64_C(8) << 20)
#define LIVE_MAX 4096u
#define SIZE_MAX_LOG 19u
/* Failed tries until a heap counts as full. */
#define FULL 4u

struct block {
    unsigned char *bytes;
    size_t nbytes;
    uint64_t seed;
};
static struct block live[LIVE_MAX];
static size_t n_live;
static unsigned char *base, *end; /* of the heap that is empty */
static size_t granule;
static uint64_t state, seed, n_done, n_none, history, *words;

static size_t rounded(size_t nbytes)
{
    return (nbytes + granule - 1) / granule * granule;
}

static unsigned char *end_of(size_t i)
{
    return i == 0 ? base : live[i - 1].bytes + rounded(live[i - 1].nbytes);
}

/* Whether a gap has room for an aligned block. */
static bool fits(size_t nbytes, size_t alignment)
{
    for (size_t i = 0; i <= n_live; i++) {
        uintptr_t gap = (uintptr_t)end_of(i);
        uintptr_t gap_end = (uintptr_t)(i == n_live ? end : live[i].bytes);
        uintptr_t at = (gap + alignment - 1) / alignment * alignment;
        if (at < gap_end && gap_end - at >= rounded(nbytes)) return true;
    }
    return false;
}

/* The same bytes at both borders, or as many as there are. */
static void write_borders(const struct block *b)
{
    size_t n = b->nbytes < 8 ? b->nbytes : 8;
    memcpy(b->bytes, &b->seed, n);
    memcpy(b->bytes + b->nbytes - n, &b->seed, n);
}

static void check_borders(const struct block *b)
{
    size_t n = b->nbytes < 8 ? b->nbytes : 8;
    PE_TRUE(memcmp(b->bytes + b->nbytes - n, &b->seed, n) == 0);
    PE_TRUE(b->nbytes < 16 || memcmp(b->bytes, &b->seed, n) == 0);
}

/* Between its neighbours, which it must not touch. */
static void insert(struct block b)
{
    size_t i = n_live;
    while (i > 0 && live[i - 1].bytes > b.bytes) i--;
    PE_TRUE(b.bytes >= end_of(i));
    PE_TRUE(b.bytes + rounded(b.nbytes) <= (i == n_live ? end : live[i].bytes));
    memmove(&live[i + 1], &live[i], (n_live - i) * sizeof(*live));
    live[i] = b;
    n_live++;
    write_borders(&b);
}

/* Returns whether there was room. */
static bool take_one(void)
{
    uint64_t x = pe_random(&state);
    size_t alignment = x % 4 == 0 ? (size_t)8 << (x >> 8) % 14 : 1;
    struct block b;
    b.nbytes = 1 + (x >> 16) % ((size_t)1 << (x >> 2) % (SIZE_MAX_LOG + 1));
    b.seed = pe_random(&state);
    if (x % 4 == 0)
        b.bytes = nvshmem_align(alignment, b.nbytes);
    else if (x % 4 == 1)
        b.bytes = nvshmem_calloc(1, b.nbytes);
    else
        b.bytes = nvshmem_malloc(b.nbytes);
    n_done++;
    history = history * 31 + (b.bytes == NULL ? 1 : (uint64_t)(b.bytes - base));
    if (b.bytes == NULL) {
        n_none++;
        PE_TRUE(!fits(b.nbytes, alignment < granule ? granule : alignment));
        return false;
    }
    PE_EQUAL((uintptr_t)b.bytes % alignment, 0);
    if (x % 4 == 1) PE_TRUE(b.bytes[0] == 0 && b.bytes[b.nbytes - 1] == 0);
    PE_TRUE(b.bytes >= base && b.bytes + b.nbytes <= end);
    insert(b);
    return true;
}

static void give_one(size_t i)
{
    check_borders(&live[i]);
    nvshmem_free(live[i].bytes);
    n_done++;
    memmove(&live[i], &live[i + 1], (n_live - i - 1) * sizeof(*live));
    n_live--;
}

/* Nothing was given otherwise to another PE.  Returns whether PE 0 goes on. */
static bool compare(uint64_t round, bool another)
{
    pe_step("PE_SEED=%llu, round %llu", (unsigned long long)seed, (unsigned long long)round);
    nvshmem_uint64_p(&words[0], history, (pe_me + 1) % pe_n);
    for (int pe = 0; pe_me == 0 && pe < pe_n; pe++) nvshmem_uint64_p(&words[1], another, pe);
    nvshmem_barrier_all();
    PE_EQUAL(words[0], history);
    another = words[1] != 0;
    nvshmem_barrier_all();
    return another;
}

static void fill(void)
{
    unsigned n = 0;
    while (n < FULL && n_live < LIVE_MAX - 1) n += !take_one();
}

/* Full, half full again and again, and empty: then all of it is one block. */
static void run_round(void)
{
    void *whole;
    fill();
    for (unsigned i = 0; i < 3; i++) {
        for (size_t n = n_live / 2; n > 0; n--) give_one(pe_random(&state) % n_live);
        fill();
    }
    while (n_live > 0) give_one(pe_random(&state) % n_live);
    whole = nvshmem_malloc((size_t)(end - base));
    PE_TRUE(whole == base);
    nvshmem_free(whole);
}

/* The empty heap: where it begins and ends, and what all sizes are multiples of. */
static void measure(void)
{
    unsigned char *a = nvshmem_malloc(1), *b = nvshmem_malloc(1);
    size_t low = 1, high = 2 * HEAP_BYTES;
    PE_NEED(a != NULL && b > a);
    granule = (size_t)(b - a);
    base = a;
    nvshmem_free(a);
    nvshmem_free(b);
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        void *block = nvshmem_malloc(middle);
        if (block != NULL)
            low = middle;
        else
            high = middle;
        nvshmem_free(block);
    }
    end = base + low;
    PE_TRUE(low >= ASKED_BYTES && low <= HEAP_BYTES);
}

int main(int argc, char **argv)
{
    const char *seed_text = getenv("PE_SEED");
    double until = now() + (argc > 1 ? atof(argv[1]) : 1);
    uint64_t round = 0;
    bool another = true;
    seed = state = seed_text != NULL ? strtoull(seed_text, NULL, 0) : 1;
    setenv("NVSHMEM_SYMMETRIC_SIZE", "4M", 1);
    pe_start("exhaust");
    words = pe_alloc(2 * sizeof(*words));
    measure();
    while (another) {
        run_round();
        another = compare(++round, now() < until);
    }
    PE_TRUE(n_none >= 4 * FULL * round);
    if (pe_me == 0)
        printf("exhaust: %llu operations, %llu found no room, %llu rounds\n",
               (unsigned long long)n_done, (unsigned long long)n_none,
               (unsigned long long)round);
    return pe_finish();
}
