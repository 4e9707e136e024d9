/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * restart [CYCLES]: start, work, end, and start again in the same process, several
 * times; each end gives back descriptors, threads and heaps, and from the tenth cycle
 * to the last the process has grown by no more than what PMIx keeps of each start.
 */
#include <anyshmem_kernel.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/pe.h"
#include "tests/support/usage.h"

#define CYCLES 30u
/* What grows in the first ones are caches. */
#define WARM 10u
/*
 * What PMIx keeps of each PE's record of each cycle: about four times its size, for a key
 * is kept indefinitely, and one that is published again still has its first value for others.
 */
#define RECORD_KIB 5

/*
 * Bytes of malloc that stay allocated after each cycle: PMIx 4.2 keeps about 1,500 for the key of
 * a start, and each PMIx_Get_nb leaks what it brings, so that a PE's record must be requested
 * once.  These limits are well above what was measured then (8 PEs: 6,400; over the channel,
 * whose records have UCX's addresses, 8,700); with each record requested by each part of the
 * library that reads it, it was 12,200 and 16,600.
 */
#define CYCLE_BYTES 2048
#define DIRECT_PE_BYTES 900
#define PROXY_PE_BYTES 1500

#define HEAP_BYTES (UINT64_C(4) << 20)
#define BLOCKS 4u
#define BLOCK_THREADS 32u

/* Mappings of symmetric heaps, by the name that they have in lib/memory/memfd.c. */
static unsigned mapped_heaps(void)
{
    char line[512];
    unsigned n = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    PE_NEED(maps != NULL);
    while (fgets(line, sizeof(line), maps) != NULL) n += strstr(line, "anyshmem-heap") != NULL;
    fclose(maps);
    return n;
}

/*
 * What the first cycle starts and the others keep is PMIx and a descriptor that wakes the
 * watch.  The first one has no kernel: threads that run kernels must go as well.
 */
static void check_nothing_left(unsigned cycle)
{
    static struct usage first;
    if (cycle == 0) {
        /* Not a thread that has just been joined (usage.h). */
        usleep(20000);
        first = usage_now();
    }
    PE_EQUAL(usage_now().n_fds, first.n_fds);
    PE_EQUAL(usage_threads(first.n_threads), first.n_threads);
    PE_EQUAL(mapped_heaps(), 0);
}

ANYSHMEM_KERNEL(kernel_add)
{
    uint64_t *word = (uint64_t *)arg;
    for (int pe = 0; pe < nvshmem_n_pes(); pe++) nvshmem_uint64_atomic_inc(word, pe);
    __syncthreads();
    nvshmem_quiet();
}

static void launch(uint64_t *word)
{
    void *argument = word, *arguments[] = {&argument};
    void (*kernel)(void *) = kernel_add;
    dim3 grid = {BLOCKS, 1, 1}, block = {BLOCK_THREADS, 1, 1};
    const void *function;
    memcpy(&function, &kernel, sizeof(function));
    PE_EQUAL(nvshmemx_collective_launch(function, grid, block, arguments, 0, 0), 0);
    nvshmem_barrier_all();
    PE_EQUAL(*word, (uint64_t)pe_n * BLOCKS * BLOCK_THREADS);
}

static void one_cycle(unsigned cycle)
{
    /* Each start may have another size, which is read again. */
    const uint64_t heap = HEAP_BYTES << cycle % 2;
    uint64_t *word;
    int provided;
    pe_step("cycle %u: init", cycle);
    setenv("NVSHMEM_SYMMETRIC_SIZE", cycle % 2 == 0 ? "4M" : "8M", 1);
    if (!PE_EQUAL(nvshmem_init_thread(NVSHMEM_THREAD_MULTIPLE, &provided), 0))
        pe_stop(__FILE__, __LINE__, "init again");
    pe_started();
    pe_step("cycle %u", cycle);
    /* Else a heap by another name would pass. */
    PE_TRUE(mapped_heaps() > 0);
    /* More than half: there is no room for what a cycle before did not give back. */
    word = pe_alloc(heap / 4 * 3);
    PE_EQUAL(*word, 0);
    nvshmem_barrier_all();
    for (int pe = 0; pe < pe_n; pe++) {
        nvshmem_uint64_atomic_add(word, cycle + 1, pe);
        nvshmem_uint64_p(&word[1], cycle + 1, (pe_me + 1) % pe_n);
    }
    nvshmem_barrier_all();
    PE_EQUAL(*word, (cycle + 1) * (unsigned)pe_n);
    PE_EQUAL(word[1], cycle + 1);
    nvshmem_barrier_all();
    pe_step("cycle %u: kernel", cycle);
    if (cycle > 0) launch(&word[2]);
    /* Every other cycle ends with memory that was not given back. */
    if (cycle % 2) nvshmem_free(word);
    pe_step("cycle %u: finalize", cycle);
    nvshmem_finalize();
    PE_EQUAL(nvshmemx_init_status(), NVSHMEM_STATUS_NOT_INITIALIZED);
    check_nothing_left(cycle);
}

/* Bytes that malloc has given out: 0 where a sanitizer's malloc has taken its place. */
static size_t allocated(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    return mallinfo2().uordblks;
#else
    return 0;
#endif
}

/* With the launcher's PMIx: what each cycle leaves. */
static void check_malloc(size_t before, unsigned cycles)
{
    /* A PE with a GPU (tests/api/cuda.sh) has a proxy, too. */
    bool proxies = getenv("ANYSHMEM_DISABLE_DIRECT") != NULL || getenv("GPU_PES") != NULL;
    long pe_bytes = proxies ? PROXY_PE_BYTES : DIRECT_PE_BYTES;
    long limit = CYCLE_BYTES + pe_n * pe_bytes;
    long left = ((long)allocated() - (long)before) / (long)cycles;
    if (pe_me == 0) printf("restart: each cycle leaves %ld bytes, limit %ld\n", left, limit);
    if (left > limit) PE_EQUAL(left, limit);
    PE_TRUE(left <= limit);
}

int main(int argc, char **argv)
{
    unsigned cycles = argc > 1 ? (unsigned)atoi(argv[1]) : CYCLES;
    struct usage warm = {-1, 0, 0};
    size_t before = 0;
    long kept = 0;
    /* As many as there are blocks, on any machine. */
    setenv("ANYSHMEM_HOSTDEV_WORKERS", "4", 1);
    pe_watch("restart");
    for (unsigned cycle = 0; cycle < cycles; cycle++) {
        if (cycle == WARM) warm = usage_now();
        if (cycle == WARM) before = allocated();
        one_cycle(cycle);
    }
    if (getenv("PMIX_NAMESPACE") != NULL) kept = (long)cycles * pe_n * RECORD_KIB;
    /* Resident pages depend on which arenas malloc happened to use: in long runs alone. */
    if (argc > 1 && cycles >= 2 * WARM) usage_check(&warm, USAGE_GROWTH_KIB + kept);
    if (cycles >= 2 * WARM) check_malloc(before, cycles - WARM);
    return pe_verdict();
}
