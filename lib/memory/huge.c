/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linux makes huge pages of a memfd by itself only where the administrator says so
 * (/sys/kernel/mm/transparent_hugepage/shmem_enabled, "never" by default), but at a process's own
 * request since 6.1: madvise(MADV_COLLAPSE).
 */
#include "lib/memory/huge.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/hostdev/clock.h"

/* The C library's headers may be older than the kernel. */
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

/* Of all processors whose pages have 4 KiB. */
#define HUGE_BYTES (UINT64_C(2) << 20)

/* What 2 MiB of small pages cost with their first faults.  The kernel needs a tenth of that for a
 * huge page, or more than twice that where it has to move other pages first. */
#define SLOW_NS UINT64_C(2000000)

bool ash_memory_make_huge(struct ash_memory *memory, uint64_t offset, uint64_t end)
{
    off_t page = (off_t)sysconf(_SC_PAGESIZE);
    uint64_t began;
    uint64_t first = (offset + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES, last;
    if (memory->huge != ASH_HUGE_ASK || page != 4096 || (uintptr_t)memory->base % HUGE_BYTES != 0)
        return false;
    end = end / HUGE_BYTES * HUGE_BYTES;
    if (first >= end) return false;
    /* The kernel takes a huge page from the node that has the small ones, or from the first node if
     * there are none. */
    for (last = first; last < end; last += HUGE_BYTES)
        if (fallocate(memory->file.fd, 0, (off_t)last, page) != 0) break;
    if (last == first) return false;
    /* One call for all, because each one waits for all CPUs. */
    began = ash_now_ns();
    if (madvise(memory->base + first, last - first, MADV_COLLAPSE) != 0 && errno == EINVAL)
        memory->huge = ASH_HUGE_REFUSED;
    else if (ash_now_ns() - began > (last - first) / HUGE_BYTES * SLOW_NS)
        memory->huge = ASH_HUGE_SLOW;
    return true;
}
