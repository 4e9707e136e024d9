/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The symmetric heap: same offsets everywhere, aligned, zeroed, whole again
 * after it was exhausted or one PE had no pages, and nvshmem_ptr.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/support/pe.h"

/* NVSHMEM_SYMMETRIC_SIZE of 16 MiB, and what a heap has beside it. */
#define HEAP_BYTES (UINT64_C(20) << 20)
#define LIVE_MAX 64u

/* Pages of the heap come from here: this PE has none to give, or takes them for this file. */
static bool no_pages;
static int heap_fd;

/* Instead of libc's, for the library too. */
__attribute__((visibility("default"))) int fallocate(int fd, int mode, off_t offset, off_t nbytes)
{
    if (no_pages && mode == 0) {
        errno = ENOSPC;
        return -1;
    }
    heap_fd = fd;
    return (int)syscall(SYS_fallocate, fd, mode, offset, nbytes);
}

/* Bytes of the heap that are real. */
static int64_t real_bytes(void)
{
    struct stat st;
    return fstat(heap_fd, &st) == 0 ? (int64_t)st.st_blocks * 512 : -1;
}

/* Allocated first: offsets are counted from here, and neighbours write here. */
static uint64_t *anchor;

static uint64_t offset_of(const void *block)
{
    return block == NULL ? UINT64_MAX : (uint64_t)((uintptr_t)block - (uintptr_t)anchor);
}

/* Everybody has the block at the same offset, or nobody has one. */
static void check_symmetric(const void *block)
{
    uint64_t offset = offset_of(block);
    nvshmem_uint64_p(&anchor[1], offset, (pe_me + 1) % pe_n);
    nvshmem_barrier_all();
    PE_EQUAL(anchor[1], offset);
    nvshmem_barrier_all();
}

/* The largest block that there is, by halving. */
static size_t largest(void)
{
    size_t low = 0, high = 2 * HEAP_BYTES;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        void *block = nvshmem_malloc(middle);
        nvshmem_free(block);
        if (block != NULL)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void odd_arguments(void)
{
    pe_step("odd arguments");
    PE_TRUE(nvshmem_malloc(0) == NULL);
    PE_TRUE(nvshmem_calloc(0, 8) == NULL);
    PE_TRUE(nvshmem_calloc(8, 0) == NULL);
    PE_TRUE(nvshmem_calloc(SIZE_MAX / 4 + 2, 4) == NULL);
    PE_TRUE(nvshmem_calloc(SIZE_MAX, SIZE_MAX) == NULL);
    PE_TRUE(nvshmem_malloc(SIZE_MAX) == NULL);
    PE_TRUE(nvshmem_malloc(SIZE_MAX - 600) == NULL);
    PE_TRUE(nvshmem_malloc(HEAP_BYTES + 1) == NULL);
    PE_TRUE(nvshmem_align(4096, SIZE_MAX - 100) == NULL);
    PE_TRUE(nvshmem_align(3, 64) == NULL);
    PE_TRUE(nvshmem_align(0, 64) == NULL);
    PE_TRUE(nvshmem_align(4, 64) == NULL);
    PE_TRUE(nvshmem_align(24, 64) == NULL);
    PE_TRUE(nvshmem_align(1536, 64) == NULL);
    nvshmem_free(NULL);
    /* No action, so no barrier either. */
    if (pe_me == 0) nvshmem_free(NULL);
    if (pe_me == 0) PE_TRUE(nvshmem_malloc(0) == NULL);
    if (pe_me == 0) PE_TRUE(nvshmem_align(4096, 0) == NULL);
}

/* One PE has no pages for the block: nobody gets it, and nothing of it is left. */
static void no_pages_on_one(void)
{
    size_t nbytes = HEAP_BYTES / 2;
    int64_t before = real_bytes();
    void *block;
    for (int pe = 0; pe < pe_n; pe++) {
        pe_step("no pages on PE %d", pe);
        no_pages = pe == pe_me;
        block = pe % 2 ? nvshmem_calloc(nbytes, 1) : nvshmem_malloc(nbytes);
        no_pages = false;
        PE_TRUE(block == NULL);
        /* UCX may have made the pages of a heap that it knows. */
        if (pe_all_mapped(anchor)) PE_EQUAL(real_bytes(), before);
    }
    block = nvshmem_malloc(nbytes);
    PE_NEED(block != NULL);
    PE_TRUE(real_bytes() >= before + (int64_t)nbytes);
    check_symmetric(block);
    nvshmem_free(block);
}

static void alignments(void)
{
    static const size_t sizes[] = {1, 7, 8, 511, 512, 513, 4097, 100001};
    void *blocks[8 * 14];
    size_t n = 0;
    for (size_t alignment = sizeof(void *); alignment <= 65536; alignment *= 2)
        for (size_t i = 0; i < PE_COUNT(sizes); i++) {
            void *block;
            pe_step("align %zu, %zu bytes", alignment, sizes[i]);
            block = i % 2 ? nvshmem_align(alignment, sizes[i]) : nvshmem_malloc(sizes[i]);
            PE_NEED(block != NULL);
            PE_EQUAL((uintptr_t)block % (i % 2 ? alignment : 512), 0);
            if (i % 2) PE_EQUAL((uintptr_t)block % 512, 0);
            check_symmetric(block);
            memset(block, 0xff, sizes[i]);
            blocks[n++] = block;
        }
    while (n > 0) nvshmem_free(blocks[--n]);
}

/* calloc gives zeros, also where others wrote before and may write at once. */
static void zeroed(void)
{
    for (size_t nbytes = 1; nbytes < 3000000; nbytes = nbytes * 5 + 1) {
        unsigned char *block = nvshmem_malloc(nbytes);
        pe_step("calloc of %zu bytes", nbytes);
        PE_NEED(block != NULL);
        memset(block, 0xff, nbytes);
        nvshmem_free(block);
        block = nvshmem_calloc(nbytes, 1);
        PE_NEED(block != NULL);
        /* Nobody's zeros may come after this. */
        nvshmem_uint8_p(block + nbytes / 2, 0x77, (pe_me + 1) % pe_n);
        nvshmem_barrier_all();
        PE_ALL(block, nbytes / 2, 0);
        PE_EQUAL(block[nbytes / 2], 0x77);
        PE_ALL(block + nbytes / 2 + 1, nbytes - nbytes / 2 - 1, 0);
        nvshmem_free(block);
    }
}

/* Who frees first must not write into what another PE still reads. */
static void free_is_barrier(void)
{
    enum { NBYTES = 5000 };
    static unsigned char copy[NBYTES];
    int next = (pe_me + 1) % pe_n;
    for (int round = 0; round < 4; round++) {
        unsigned char *block = nvshmem_malloc(NBYTES);
        pe_step("free, round %d", round);
        PE_NEED(block != NULL);
        pe_fill(block, NBYTES, (uint64_t)pe_me);
        nvshmem_barrier_all();
        if (pe_me % 2 == round % 2) pe_sleep_us(20000);
        nvshmem_getmem(copy, block, NBYTES, next);
        PE_FILLED(copy, NBYTES, (uint64_t)next);
        nvshmem_free(block);
        nvshmem_free(nvshmem_calloc(NBYTES, 1));
    }
}

/* malloc and free complete what was sent: to a PE that is no partner in their barrier. */
static void completes(void)
{
    enum { NBYTES = 4 << 20 };
    static unsigned char source[NBYTES];
    int to = (pe_me + pe_n - 1) % pe_n, from = (pe_me + 1) % pe_n;
    for (int round = 0; round < 6; round++) {
        unsigned char *block = nvshmem_malloc(NBYTES), *again;
        void *small = round % 2 ? nvshmem_malloc(64) : NULL;
        pe_step("completion, round %d", round);
        PE_NEED(block != NULL);
        pe_fill(source, NBYTES, (uint64_t)(pe_me * 10 + round));
        nvshmem_putmem_nbi(block, source, NBYTES, to);
        if (round % 2)
            nvshmem_free(small);
        else
            small = nvshmem_malloc(64);
        PE_FILLED(block, NBYTES, (uint64_t)(from * 10 + round));
        nvshmem_barrier_all();
        /* Nor does it come into a block that is given out again. */
        nvshmem_putmem_nbi(block, source, NBYTES, to);
        nvshmem_free(block);
        again = nvshmem_malloc(NBYTES);
        PE_TRUE(again == block);
        memset(again, round, NBYTES);
        nvshmem_barrier_all();
        PE_ALL(again, NBYTES, round);
        nvshmem_free(again);
        if (round % 2 == 0) nvshmem_free(small);
    }
}

static void exhausted(void)
{
    size_t whole = largest(), n = 0;
    static void *blocks[1024];
    pe_step("exhaustion, %zu bytes", whole);
    PE_TRUE(whole >= HEAP_BYTES * 9 / 10 && whole <= HEAP_BYTES);
    while (n < PE_COUNT(blocks)) {
        void *block = nvshmem_malloc(70000);
        check_symmetric(block);
        if (block == NULL) break;
        blocks[n++] = block;
    }
    PE_TRUE(n >= whole / 71000 && n < PE_COUNT(blocks));
    /* Holes of one block each do not serve two. */
    for (size_t i = 0; i < n; i += 2) nvshmem_free(blocks[i]);
    PE_TRUE(nvshmem_malloc(2 * 70000) == NULL);
    for (size_t i = 1; i < n; i += 2) nvshmem_free(blocks[i]);
    PE_EQUAL(largest(), whole);
}

struct live {
    unsigned char *block;
    size_t nbytes;
    uint64_t seed;
};

static void allocate(struct live *l, uint64_t *state)
{
    uint64_t form = pe_random(state);
    l->nbytes = pe_random(state) % (form & 64 ? 2000000 : 5000) + 1;
    l->seed = form;
    if (form % 3 == 0)
        l->block = nvshmem_malloc(l->nbytes);
    else if (form % 3 == 1)
        l->block = nvshmem_calloc(1, l->nbytes);
    else
        l->block = nvshmem_align((size_t)8 << form / 3 % 10, l->nbytes);
    if (l->block == NULL) return;
    PE_TRUE(offset_of(l->block) < HEAP_BYTES);
    if (form % 3 == 1) PE_ALL(l->block, l->nbytes, 0);
    pe_fill(l->block, l->nbytes, l->seed);
}

/* Blocks do not overlap: each has its bytes when it is given back. */
static void random_operations(unsigned n)
{
    static struct live live[LIVE_MAX];
    uint64_t state = 1, sum = 0, failed = 0;
    size_t whole = largest();
    for (unsigned i = 0; i < n; i++) {
        struct live *l = &live[pe_random(&state) % LIVE_MAX];
        pe_step("random operation %u", i);
        if (l->block == NULL) {
            allocate(l, &state);
            sum = sum * 31 + offset_of(l->block);
            failed += l->block == NULL;
        } else {
            PE_FILLED(l->block, l->nbytes, l->seed);
            nvshmem_free(l->block);
            l->block = NULL;
        }
    }
    /* The same history everywhere, and it went to the borders. */
    nvshmem_uint64_p(&anchor[2], sum, (pe_me + 1) % pe_n);
    nvshmem_barrier_all();
    PE_EQUAL(anchor[2], sum);
    PE_TRUE(failed > 0 && failed < n / 4);
    for (size_t i = 0; i < LIVE_MAX; i++) nvshmem_free(live[i].block);
    PE_EQUAL(largest(), whole);
}

/* An address of another PE's memory is really that memory. */
static void pointers(void)
{
    const char *off = getenv("ANYSHMEM_DISABLE_DIRECT");
    uint64_t *words = pe_alloc(64 * (size_t)pe_n);
    pe_step("nvshmem_ptr");
    for (int pe = 0; pe < pe_n; pe++) {
        bool mapped = off == NULL || strcmp(off, "0") == 0
                          ? pe_same_host(pe, pe_me)
                          : strcmp(off, "1") == 0 && pe == pe_me;
        uint64_t *there = nvshmem_ptr(&words[8 * pe_me], pe);
        PE_EQUAL(there != NULL, mapped);
        if (there == NULL) continue;
        if (pe == pe_me) PE_TRUE(there == &words[8 * pe_me]);
        __atomic_store_n(there, (uint64_t)pe_me * 100 + (uint64_t)pe, __ATOMIC_RELEASE);
        PE_EQUAL(nvshmem_uint64_atomic_fetch(&words[8 * pe_me], pe), pe_me * 100 + pe);
    }
    nvshmem_barrier_all();
    for (int from = 0; from < pe_n; from++)
        if (nvshmem_ptr(words, from) != NULL) PE_EQUAL(words[8 * from], from * 100 + pe_me);
    PE_TRUE(nvshmem_ptr(words, -1) == NULL);
    PE_TRUE(nvshmem_ptr(words, pe_n) == NULL);
    PE_TRUE(nvshmem_ptr(&anchor, pe_me) == NULL);
    PE_TRUE(nvshmem_ptr(NULL, pe_me) == NULL);
    nvshmem_free(words);
}

int main(void)
{
    setenv("NVSHMEM_SYMMETRIC_SIZE", "16M", 1);
    pe_start("heap");
    anchor = pe_alloc(64);
    odd_arguments();
    no_pages_on_one();
    alignments();
    zeroed();
    free_is_barrier();
    completes();
    exhausted();
    random_operations(2000);
    pe_find_hosts();
    pointers();
    return pe_finish();
}
