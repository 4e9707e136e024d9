/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory that device threads run on.
 *
 * One mapping holds the stacks of ASH_STACKS fibers.  It is only a reservation: a stack costs the
 * pages that were touched, one or two for most kernels.  From low addresses up:
 *
 *   fibers | guard | 64 KiB for the kernel | up to 4 KiB of colour | guard | ...
 *
 * The colour makes the tops of the stacks differ in the low 12 bits of their
 * addresses, so that they do not all fall into the same cache sets.
 *
 * Memory for up to KEEP fibers is kept for later launches.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/hostdev/fiber_tools.h"
#include "device/hostdev/grid.h"

#define STACK_NBYTES ((size_t)64 << 10)
/* The sanitizers make frames several times larger. */
#define STACK_FACTOR 4u

#define COLOUR_NBYTES ((size_t)4096)
/* An odd number of cache lines from one stack's colour to the next one's. */
#define COLOUR_STEP ((size_t)5 * 64)

/* Fibers whose memory is kept, at most. */
#define KEEP 2048u
/* Guards that are mappings of their own, at most. */
#define GUARDS_MAX 8192u

#if !defined(MADV_GUARD_INSTALL)
#define MADV_GUARD_INSTALL 102
#endif

uint64_t ash_hostdev_stack;

/* Written and read by: workers, under `lock`. */
static struct {
    pthread_mutex_t lock;
    struct ash_stacks *stacks;
    uint32_t n_fibers;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Pages that mprotect has made guards.  Read and written by: workers. */
static uint32_t n_guards;

static size_t page_nbytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static size_t whole_pages(size_t nbytes)
{
    return (nbytes + page_nbytes() - 1) & ~(page_nbytes() - 1);
}

static size_t stack_nbytes(void)
{
    size_t nbytes = ash_hostdev_stack != 0 ? (size_t)ash_hostdev_stack : STACK_NBYTES;
    return whole_pages(ash_fiber_tool != ASH_TOOL_NONE ? STACK_FACTOR * nbytes : nbytes);
}

static void stacks_unmap(struct ash_stacks *stacks)
{
    uint32_t i, n = 0;
    for (i = 0; i < ASH_STACKS; i++) n += stacks->fiber[i].guarded;
    (void)__atomic_fetch_sub(&n_guards, n, __ATOMIC_RELAXED);
    (void)munmap(stacks, stacks->nbytes);
}

/*
 * Pages that are never touched cost nothing.  No huge pages, because these would make whole stacks
 * resident.  An odd number of pages from one stack to the next one spreads them over all sets of
 * the TLB.
 */
static struct ash_stacks *stacks_map(size_t stack)
{
    size_t stride = whole_pages(page_nbytes() + stack + COLOUR_NBYTES) | page_nbytes();
    size_t head = whole_pages(sizeof(struct ash_stacks)), nbytes = head + ASH_STACKS * stride;
    struct ash_stacks *stacks = mmap(NULL, nbytes, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED) return NULL;
    (void)madvise(stacks, nbytes, MADV_NOHUGEPAGE);
    stacks->stack_nbytes = stack;
    stacks->stride = stride;
    stacks->nbytes = nbytes;
    stacks->bottom = (unsigned char *)stacks + head;
    return stacks;
}

/* Kept memory of that size, or NULL. */
static struct ash_stacks *stacks_kept(size_t stack)
{
    struct ash_stacks **link = &kept.stacks, *stacks;
    (void)pthread_mutex_lock(&kept.lock);
    while (*link != NULL && (*link)->stack_nbytes != stack) link = &(*link)->next;
    stacks = *link;
    if (stacks != NULL) {
        *link = stacks->next;
        kept.n_fibers -= ASH_STACKS;
    }
    (void)pthread_mutex_unlock(&kept.lock);
    return stacks;
}

static bool stacks_keep(struct ash_stacks *stacks)
{
    bool keep;
    (void)pthread_mutex_lock(&kept.lock);
    keep = kept.n_fibers + ASH_STACKS <= KEEP;
    if (keep) {
        stacks->next = kept.stacks;
        kept.stacks = stacks;
        kept.n_fibers += ASH_STACKS;
    }
    (void)pthread_mutex_unlock(&kept.lock);
    return keep;
}

void ash_stacks_free(void)
{
    struct ash_stacks *stacks;
    (void)pthread_mutex_lock(&kept.lock);
    while ((stacks = kept.stacks) != NULL) {
        kept.stacks = stacks->next;
        stacks_unmap(stacks);
    }
    kept.n_fibers = 0;
    (void)pthread_mutex_unlock(&kept.lock);
}

/*
 * From 6.13 on Linux guards a page without splitting the mapping.  On older ones each
 * guard is a mapping of its own, and a process may have 65,530 of them: there a large grid has
 * stacks without guards.  True if the guard is such a mapping.
 */
static bool guard(void *page)
{
    if (madvise(page, page_nbytes(), MADV_GUARD_INSTALL) == 0) return false;
    if (__atomic_fetch_add(&n_guards, 1, __ATOMIC_RELAXED) < GUARDS_MAX &&
        mprotect(page, page_nbytes(), PROT_NONE) == 0)
        return true;
    (void)__atomic_fetch_sub(&n_guards, 1, __ATOMIC_RELAXED);
    return false;
}

/* The first memory of a worker, or more of it. */
static struct ash_stacks *stacks_add(struct ash_worker *worker)
{
    size_t stack = stack_nbytes();
    struct ash_stacks *stacks = stacks_kept(stack);
    if (stacks == NULL) stacks = stacks_map(stack);
    if (stacks == NULL) return NULL;
    stacks->n_made = 0;
    stacks->next = worker->stacks;
    worker->stacks = stacks;
    return stacks;
}

struct ash_grid_fiber *ash_stacks_fiber(struct ash_worker *worker, void (*entry)(void))
{
    struct ash_stacks *stacks = worker->stacks;
    struct ash_grid_fiber *fiber;
    unsigned char *bottom;
    size_t nbytes;
    void *stack;
    uint32_t i;
    if (stacks == NULL || stacks->n_made == ASH_STACKS) stacks = stacks_add(worker);
    if (stacks == NULL) return NULL;
    i = stacks->n_made;
    fiber = &stacks->fiber[i];
    bottom = stacks->bottom + i * stacks->stride;
    /* The fiber's first use since its memory was mapped. */
    if (fiber->fiber.stack == NULL) fiber->guarded = guard(bottom);
    /* It takes a reply line when it expects its first reply (channel/reply.h). */
    fiber->context = (struct ash_context){
        .reply = ASH_NO_REPLY_LINE, .in_grid = true, .awaits_reply = true};
    fiber->worker = worker;
    fiber->fiber.home = &worker->home;
    nbytes = stacks->stack_nbytes + i * COLOUR_STEP % COLOUR_NBYTES;
    stack = tool_stack(nbytes);
    ash_fiber_make(&fiber->fiber, stack != NULL ? stack : bottom + page_nbytes(), nbytes, entry);
    fiber->warp = NULL;
    fiber->waiting = NULL;
    /* A report looks at it from now on. */
    stacks->n_made++;
    return fiber;
}

/* The reply line of a fiber, if it has taken one. */
static void reply_give(struct ash_context *context)
{
    if (context->awaits_reply) return;
    ash_hostdev_replies_give(1, &context->reply);
}

void ash_stacks_give(struct ash_worker *worker)
{
    struct ash_stacks *stacks, *next = ash_worker_ended(worker);
    uint32_t i;
    while ((stacks = next) != NULL) {
        next = stacks->next;
        for (i = 0; i < stacks->n_made; i++) {
            reply_give(&stacks->fiber[i].context);
            ash_fiber_drop(&stacks->fiber[i].fiber);
            tool_stack_free(stacks->fiber[i].fiber.stack);
        }
        if (!stacks_keep(stacks)) stacks_unmap(stacks);
    }
}
