/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A profiler of OpenSHMEM's programs: it has routines of its own by the usual names, counts puts of
 * longs, and calls the library's by their second names.
 */
#include <inttypes.h>
#include <pshmem.h>
#include <stdbool.h>
#include <stdio.h>

static uint64_t calls, elements;
static bool is_off;

void shmem_long_put(long *dest, const long *source, size_t nelems, int pe)
{
    if (!is_off) {
        calls++;
        elements += nelems;
    }
    pshmem_long_put(dest, source, nelems, pe);
}

void shmem_pcontrol(int level, ...)
{
    is_off = level == 0;
    pshmem_pcontrol(level);
}

void shmem_finalize(void)
{
    int me = pshmem_my_pe();
    pshmem_finalize();
    printf("profiler: PE %d: %" PRIu64 " puts, %" PRIu64 " elements\n", me, calls, elements);
    fflush(stdout);
}
