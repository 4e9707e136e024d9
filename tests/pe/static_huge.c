/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program with 1 GiB of .bss: only the pages that are written cost memory, and the start takes
 * no longer for the others.
 */
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/clock.h"
#include "tests/support/pe.h"

#define HUGE_BYTES (UINT64_C(1) << 30)
/* What one start may add to the process, of which the heap's own pages are a part. */
#define LIMIT_KIB (64 << 10)

static unsigned char huge[HUGE_BYTES];

/* Resident memory, of this process alone and shared. */
static long resident_kib(void)
{
    char line[256];
    long kib = -1;
    FILE *status = fopen("/proc/self/status", "r");
    PE_NEED(status != NULL);
    while (fgets(line, sizeof(line), status) != NULL)
        if (sscanf(line, "VmRSS: %ld", &kib) == 1) break;
    fclose(status);
    return kib;
}

int main(void)
{
    long before;
    double began;
    int to, from;
    pe_watch("static_huge");
    huge[12345] = 6;
    before = resident_kib();
    began = now();
    shmem_init();
    pe_started();
    to = (pe_me + 1) % pe_n;
    from = (pe_me + pe_n - 1) % pe_n;
    if (pe_me == 0)
        printf("static_huge: says: started in %.3f s, %ld KiB more\n", now() - began,
               resident_kib() - before);
    PE_TRUE(resident_kib() - before < LIMIT_KIB);
    PE_EQUAL(huge[12345], 6);
    shmem_char_p((char *)&huge[HUGE_BYTES - 1], (char)(1 + pe_me), to);
    shmem_char_p((char *)&huge[HUGE_BYTES / 2], (char)(2 + pe_me), to);
    shmem_barrier_all();
    PE_EQUAL(huge[HUGE_BYTES - 1], 1 + from);
    PE_EQUAL(huge[HUGE_BYTES / 2], 2 + from);
    PE_EQUAL(huge[HUGE_BYTES / 4], 0);
    PE_TRUE(resident_kib() - before < LIMIT_KIB);
    shmem_barrier_all();
    shmem_finalize();
    PE_EQUAL(huge[HUGE_BYTES - 1], 1 + from);
    PE_TRUE(resident_kib() - before < LIMIT_KIB);
    return pe_verdict();
}
