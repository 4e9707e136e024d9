/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory that device threads run on.
 *
 * One mapping holds all stacks.  It is only a reservation: a stack costs the
 * pages that were touched, one or two for most kernels.  From low addresses up:
 *
 *   | guard | 64 KiB for the kernel | up to 4 KiB of colour | guard | ...
 *
 * The colour makes the tops of the stacks differ in the low 12 bits of their
 * addresses, so that they do not all fall into the same cache sets.
 *
 * Memory for up to KEEP fibers is kept for the next launch.
 */
#include "device/hostdev/grid.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The sanitizers make frames several times larger. */
#if defined(ASH_TOOL_ASAN) || defined(ASH_TOOL_TSAN)
#define STACK_NBYTES ((size_t)256 << 10)
#else
#define STACK_NBYTES ((size_t)64 << 10)
#endif

#define COLOUR_NBYTES ((size_t)4096)
/* An odd number of cache lines from one stack's colour to the next one's. */
#define COLOUR_STEP ((size_t)5 * 64)

/* Fibers whose memory is kept, at most. */
#define KEEP 2048u

#if !defined(MADV_GUARD_INSTALL)
#define MADV_GUARD_INSTALL 102
#endif

static struct ash_grid_fibers kept;
static size_t page_nbytes, stride, kept_nbytes;

static size_t whole_pages(size_t nbytes)
{
    return (nbytes + page_nbytes - 1) & ~(page_nbytes - 1);
}

void ash_grid_fibers_free(void)
{
    if (kept.fiber != NULL) (void)munmap(kept.fiber, kept_nbytes);
    memset(&kept, 0, sizeof(kept));
}

/*
 * Fibers, reply lines, stacks: pages that are never touched cost nothing.  No
 * huge pages, because these would make whole stacks resident.
 */
static int fibers_alloc(uint32_t n)
{
    size_t fibers_nbytes, replies_nbytes;
    unsigned char *memory;
    page_nbytes = (size_t)sysconf(_SC_PAGESIZE);
    stride = whole_pages(page_nbytes + STACK_NBYTES + COLOUR_NBYTES);
    fibers_nbytes = whole_pages(n * sizeof(*kept.fiber));
    replies_nbytes = whole_pages(n * sizeof(*kept.reply));
    kept_nbytes = fibers_nbytes + replies_nbytes + n * stride;
    memory = mmap(NULL, kept_nbytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return -ENOMEM;
    (void)madvise(memory, kept_nbytes, MADV_NOHUGEPAGE);
    kept.n = n;
    kept.fiber = (struct ash_grid_fiber *)memory;
    kept.reply = (uint32_t *)(memory + fibers_nbytes);
    kept.stacks = memory + fibers_nbytes + replies_nbytes;
    return 0;
}

int ash_grid_fibers_take(uint32_t n, struct ash_grid_fibers **ret_fibers)
{
    uint32_t wanted = 64;
    while (wanted < n)
        wanted *= 2;
    if (kept.n < n) {
        ash_grid_fibers_free();
        if (fibers_alloc(wanted) != 0) return -ENOMEM;
    }
    if (ash_hostdev_replies_take(n, kept.reply) != 0) return -ENOMEM;
    *ret_fibers = &kept;
    return 0;
}

void ash_grid_fibers_give(uint32_t n)
{
    ash_hostdev_replies_give(n, kept.reply);
    if (kept.n > KEEP) ash_grid_fibers_free();
}

/*
 * From 6.13 on Linux guards a page without splitting the mapping.  On older ones each
 * guard is a mapping of its own, and a process may have 65,530 of them: there only
 * memory that is kept has guards, and a large grid runs without.
 */
static bool guard(void *page)
{
    if (madvise(page, page_nbytes, MADV_GUARD_INSTALL) == 0) return true;
    return kept.n <= KEEP && mprotect(page, page_nbytes, PROT_NONE) == 0;
}

void ash_grid_fiber_make(struct ash_grid_fibers *fibers, uint32_t i, void (*entry)(void))
{
    struct ash_grid_fiber *fiber = &fibers->fiber[i];
    unsigned char *bottom = fibers->stacks + i * stride;
    size_t colour = i * COLOUR_STEP % COLOUR_NBYTES;
    if (!fiber->guarded) fiber->guarded = guard(bottom);
    bottom += page_nbytes;
    ash_fiber_make(&fiber->fiber, bottom, STACK_NBYTES + colour, entry);
}
