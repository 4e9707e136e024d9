/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Huge pages for the heap: a range that becomes real in pieces of 2 MiB costs a tenth of the time
 * that small pages and their first faults take (docs/decisions.md).
 */
#ifndef ASH_LIB_MEMORY_HUGE_H
#define ASH_LIB_MEMORY_HUGE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/memory/memory.h"

/*
 * Have the kernel make the huge pages real that lie within [offset, end) of the heap, where no page
 * is in use.  They go to the NUMA node of the calling thread, as small pages would.  A hint: what
 * the kernel does not do is left as it was but for single pages, and fallocate has to follow.
 * Returns whether it may have made any page real.
 */
bool ash_memory_make_huge(struct ash_memory *memory, uint64_t offset, uint64_t end);

#endif
