/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transfers of 4 GiB and a byte: no length on the way has 32 bits.  The sources
 * are sparse: where nothing was written, one page of zeros stands for all.
 *
 * It takes 13 GiB of memory, and is no part of make check: make check-large.
 */
#include <nvshmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/support/pe.h"

#define BYTES ((UINT64_C(4) << 30) + 1)
#define STEP (UINT64_C(64) << 20)
#define GUARD 4096
#define NEEDED_KB (UINT64_C(14) << 20)

static uint64_t available_kb(void)
{
    char line[128];
    unsigned long long kb = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    PE_NEED(file != NULL);
    while (fgets(line, sizeof(line), file) != NULL)
        if (sscanf(line, "MemAvailable: %llu", &kb) == 1) break;
    fclose(file);
    return kb;
}

static unsigned char *map_sparse(void)
{
    unsigned char *bytes = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    PE_NEED(bytes != MAP_FAILED);
    return bytes;
}

/* What is not zero: a byte in each step, and the last one. */
static unsigned char mark(uint64_t place, unsigned char seed)
{
    if (place == BYTES - 1) return (unsigned char)(seed + 7);
    return place % STEP == 5 ? (unsigned char)(seed + place / STEP % 100) : 0;
}

static void set_marks(unsigned char *bytes, unsigned char seed)
{
    for (uint64_t place = 5; place < BYTES; place += STEP) bytes[place] = mark(place, seed);
    bytes[BYTES - 1] = mark(BYTES - 1, seed);
}

static void marks_are_there(const unsigned char *bytes, unsigned char seed)
{
    for (uint64_t place = 5; place < BYTES; place += STEP)
        PE_EQUAL(bytes[place], mark(place, seed));
    PE_EQUAL(bytes[BYTES - 1], mark(BYTES - 1, seed));
    PE_EQUAL(bytes[BYTES - 2], 0);
}

int main(void)
{
    unsigned char *all, *local, seed;
    setenv("NVSHMEM_SYMMETRIC_SIZE", "5G", 1);
    pe_start("large");
    if (available_kb() < NEEDED_KB) {
        if (pe_me == 0) printf("large: skip: less than 14 GiB of memory are there\n");
        return pe_finish();
    }
    all = nvshmem_malloc(BYTES + GUARD);
    PE_NEED(all != NULL);
    memset(all + BYTES, 0xee, GUARD);
    local = map_sparse();
    nvshmem_barrier_all();
    /* PE 0 puts, then reads what it put; PE 1 has the memory. */
    for (seed = 1; pe_me == 0 && seed <= 2; seed++) {
        pe_step("put %d", seed);
        set_marks(local, seed);
        if (seed == 1)
            nvshmem_putmem(all, local, BYTES, pe_n - 1);
        else
            nvshmem_putmem_nbi(all, local, BYTES, pe_n - 1);
        nvshmem_quiet();
    }
    nvshmem_barrier_all();
    if (pe_me == pe_n - 1) {
        marks_are_there(all, 2);
        PE_ALL(all + BYTES, GUARD, 0xee);
    }
    nvshmem_barrier_all();
    if (pe_me == 0) {
        pe_step("get");
        /* Real memory from here on: none of it is what is to come. */
        munmap(local, BYTES);
        local = map_sparse();
        nvshmem_getmem(local, all, BYTES, pe_n - 1);
        marks_are_there(local, 2);
    }
    nvshmem_barrier_all();
    munmap(local, BYTES);
    nvshmem_free(all);
    return pe_finish();
}
