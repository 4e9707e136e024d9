/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nvshmem_malloc and its family.
 *
 * Every PE makes the same calls, and the allocator is deterministic, so all PEs
 * get the same offsets without communication.  Only the physical memory may differ:
 * at the end of each call the PEs agree whether all of them have the pages, and if
 * one PE has not, all undo the allocation.
 *
 * A thread that comes while another one is in such a call ends the job, because PEs whose threads
 * came in different orders would have different blocks; a job of one PE takes them in turn.
 */
#include "lib/symmetric/heap.h"

#include <errno.h>
#include <nvshmem.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "device/routine/barrier.h"
#include "device/routine/check.h"
#include "lib/base/end.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/log.h"
#include "lib/cuda/cuda.h"
#include "lib/symmetric/agree.h"
#include "lib/symmetric/alloc.h"

#define ALIGNMENT 512u
/* The library's own block is the first one. */
#define OWN_OFFSET 0u

static struct {
    struct ash_memory memory;
    struct ash_alloc alloc;
    /* Held during a call, for a job of one PE. */
    pthread_mutex_t lock;
    /* Held while pages are made real, or that is undone; nothing is waited for meanwhile. */
    pthread_mutex_t filling;
} heap = {.lock = PTHREAD_MUTEX_INITIALIZER, .filling = PTHREAD_MUTEX_INITIALIZER};

int ash_heap_start(uint64_t size, struct ash_heap_own own,
                   const struct ash_memory_static *variables, uint64_t *ret_offset)
{
    uint64_t whole = size + ASH_HEAP_ROOM + variables->nbytes, page = (uint64_t)getpagesize();
    uint64_t offset = (own.nbytes + page - 1) / page * page;
    int rc = ash_memory_reserve(&heap.memory, whole);
    if (rc != 0) goto failed;
    heap.memory.variables = *variables;
    rc = ash_alloc_init(&heap.alloc, whole);
    if (rc != 0) goto finish_memory;
    *ret_offset = offset;
    /* One block, so that the variables are no block that a program could give back; of whole pages,
     * because other PEs may write to its end while ash_memory_undo gives back a user's pages. */
    rc = ash_alloc_take(&heap.alloc, offset + variables->nbytes, ALIGNMENT) != OWN_OFFSET
             ? ASH_ERROR_NO_MEMORY
             : ash_memory_commit(&heap.memory, OWN_OFFSET, own.n_real);
    if (rc != 0) goto finish_alloc;
    return 0;

finish_alloc:
    ash_alloc_finish(&heap.alloc);
finish_memory:
    ash_memory_finish(&heap.memory);
failed:
    if (rc == ASH_ERROR_SYSTEM)
        ash_log(ASH_LOG_ERROR, "cannot make a symmetric heap of %llu bytes (%s): it is forbidden "
                               "here (seccomp), or at a limit (ulimit -n)",
                (unsigned long long)size, ash_memory_refused());
    else
        ash_log(ASH_LOG_ERROR, "cannot make a symmetric heap of %llu bytes (%s): set "
                               "NVSHMEM_SYMMETRIC_SIZE lower, or the limits higher (ulimit -v, -f)",
                (unsigned long long)size, ash_error_text(rc));
    return rc;
}

/* A thread that is cancelled meanwhile would keep the lock. */
static int lock_filling(void)
{
    int cancel;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    pthread_mutex_lock(&heap.filling);
    return cancel;
}

static void unlock_filling(int cancel)
{
    pthread_mutex_unlock(&heap.filling);
    (void)pthread_setcancelstate(cancel, NULL);
}

int ash_heap_make_real(uint64_t offset, uint64_t nbytes)
{
    int cancel = lock_filling(), rc = ash_memory_keep(&heap.memory, OWN_OFFSET + offset, nbytes);
    unlock_filling(cancel);
    return rc;
}

struct ash_memory *ash_heap_memory(void)
{
    return &heap.memory;
}

void ash_heap_stop(void)
{
    ash_alloc_finish(&heap.alloc);
    ash_memory_finish(&heap.memory);
}

/* `taken`: the allocator had a block, so it was the machine that had no memory. */
static void warn_exhausted(const char *function, uint64_t size, uint64_t alignment, bool taken)
{
    uint64_t largest = ash_alloc_largest(&heap.alloc);
    if (taken || (size <= largest && alignment <= largest - size)) {
        ash_log(ASH_LOG_WARN, "%s: out of physical memory for %llu bytes (the symmetric heap "
                               "has room)",
                function, (unsigned long long)size);
        return;
    }
    ash_log(ASH_LOG_WARN,
            "%s: out of symmetric memory for %llu bytes: %llu free, the largest block has %llu "
            "(NVSHMEM_SYMMETRIC_SIZE is %llu)",
            function, (unsigned long long)size,
            (unsigned long long)ash_alloc_free_bytes(&heap.alloc),
            (unsigned long long)largest,
            (unsigned long long)ash_env.symmetric_size);
}

/* A call that is more than nothing begins; it has no more than one thread. */
static void enter(const char *function)
{
    ash_team_enter(function, &dev_state->team[NVSHMEM_TEAM_WORLD]);
    pthread_mutex_lock(&heap.lock);
}

static void leave(void)
{
    pthread_mutex_unlock(&heap.lock);
    ash_team_leave(&dev_state->team[NVSHMEM_TEAM_WORLD]);
}

/* What is asked for. */
struct asked {
    enum ash_meeting kind;
    uint64_t size, alignment;
    bool zero;
};

static bool commit(uint64_t offset, uint64_t nbytes)
{
    int cancel = lock_filling(), rc = ash_memory_commit(&heap.memory, offset, nbytes);
    unlock_filling(cancel);
    return rc == 0;
}

static void undo(void)
{
    int cancel = lock_filling();
    ash_memory_undo(&heap.memory);
    unlock_filling(cancel);
}

static void *allocate(const char *function, const struct asked *asked)
{
    const struct ash_meeting_call call =
        ash_agree_call(asked->kind, (int64_t)asked->size, (int64_t)asked->alignment, 0);
    uint64_t size = asked->size, offset = ash_alloc_take(&heap.alloc, size, asked->alignment);
    bool ok = offset != ASH_ALLOC_NONE && commit(offset, size);
    if (ok && asked->zero) memset(heap.memory.base + offset, 0, size);
    if (!ok) warn_exhausted(function, size, asked->alignment, offset != ASH_ALLOC_NONE);
    /* The block is zeroed before this barrier, and no other PE writes to it before that. */
    if (ash_agree(function, &call, ok)) return heap.memory.base + offset;
    /* This PE or another one has no room: undo what was taken here. */
    if (ok) undo();
    if (offset != ASH_ALLOC_NONE) ash_alloc_give(&heap.alloc, offset);
    return NULL;
}

static void check(const char *function)
{
    ash_check_started(function);
    ash_cuda_check_device_change(function);
}

static void *enter_and_allocate(const char *function, const struct asked *asked)
{
    void *block;
    check(function);
    if (asked->size == 0) return NULL;
    enter(function);
    block = allocate(function, asked);
    leave();
    return block;
}

void *ash_heap_malloc(const char *function, size_t size)
{
    const struct asked asked = {ASH_MEETING_MALLOC, size, ALIGNMENT, false};
    return enter_and_allocate(function, &asked);
}

void *ash_heap_calloc(const char *function, size_t count, size_t size)
{
    struct asked asked = {ASH_MEETING_CALLOC, (uint64_t)count * size, ALIGNMENT, true};
    /* If the product overflows, use a size that no heap can hold. */
    if (size != 0 && asked.size / size != count) asked.size = UINT64_MAX;
    return enter_and_allocate(function, &asked);
}

void *ash_heap_align(const char *function, size_t alignment, size_t size)
{
    struct asked asked = {ASH_MEETING_ALIGN, size,
                          alignment > ALIGNMENT ? alignment : ALIGNMENT, false};
    bool valid = alignment >= sizeof(void *) && alignment <= ASH_MEMORY_ALIGNMENT_MAX &&
                 (alignment & (alignment - 1)) == 0;
    if (!valid) {
        ash_log(ASH_LOG_WARN, "%s: alignment %zu is not a power of two of %zu..%llu", function,
                alignment, sizeof(void *), (unsigned long long)ASH_MEMORY_ALIGNMENT_MAX);
        asked.size = 0;
    }
    return enter_and_allocate(function, &asked);
}

static _Noreturn void end_for_block(const char *function, const void *ptr, int rc)
{
    ash_fatal("%s: ptr %p: %s", function, ptr, ash_error_text(rc));
}

/* A barrier of all PEs, which must pass the same block; returns the block's size. */
static uint64_t agree_on_block(const char *function, enum ash_meeting kind, const void *ptr,
                               uint64_t size)
{
    uint64_t offset = (uint64_t)((uintptr_t)ptr - (uintptr_t)heap.memory.base), nbytes = 0;
    const struct ash_meeting_call call = ash_agree_call(kind, (int64_t)size, 0, (int64_t)offset);
    int rc;
    /* Memory of another kind is at another address in each PE, so they would differ. */
    if (offset >= heap.alloc.size) end_for_block(function, ptr, ASH_ERROR_NOT_ALLOCATED);
    (void)ash_agree(function, &call, true);
    rc = offset == OWN_OFFSET ? ASH_ERROR_NOT_ALLOCATED
                              : ash_alloc_size(&heap.alloc, offset, &nbytes);
    if (rc != 0) end_for_block(function, ptr, rc);
    return nbytes;
}

static void give(const void *ptr)
{
    ash_alloc_give(&heap.alloc, (uint64_t)((uintptr_t)ptr - (uintptr_t)heap.memory.base));
}

void *ash_heap_realloc(const char *function, void *ptr, size_t size)
{
    const struct asked asked = {ASH_MEETING_REALLOC, size, ALIGNMENT, false};
    uint64_t old_nbytes;
    void *block = NULL;
    if (ptr == NULL) return enter_and_allocate(function, &asked);
    check(function);
    enter(function);
    old_nbytes = agree_on_block(function, ASH_MEETING_REALLOC, ptr, size);
    if (size > 0) block = allocate(function, &asked);
    if (block != NULL) memcpy(block, ptr, old_nbytes < size ? old_nbytes : size);
    if (block != NULL || size == 0) {
        /* A barrier: no PE writes to the new block or reuses the old one before all PEs have
         * copied. */
        (void)agree_on_block(function, ASH_MEETING_REALLOC, ptr, size);
        give(ptr);
    }
    leave();
    return block;
}

void ash_heap_free(const char *function, void *ptr)
{
    check(function);
    if (ptr == NULL) return;
    enter(function);
    (void)agree_on_block(function, ASH_MEETING_FREE, ptr, 0);
    give(ptr);
    leave();
}

void *nvshmem_malloc(size_t size) { return ash_heap_malloc("nvshmem_malloc", size); }

void *nvshmem_calloc(size_t count, size_t size)
{
    return ash_heap_calloc("nvshmem_calloc", count, size);
}

void *nvshmem_align(size_t alignment, size_t size)
{
    return ash_heap_align("nvshmem_align", alignment, size);
}

void nvshmem_free(void *ptr) { ash_heap_free("nvshmem_free", ptr); }

bool ash_heap_contains(const void *address)
{
    return ash_in_heap(address, 1);
}

bool ash_heap_reaches(const void *address, uintptr_t *ret_start, size_t *ret_nbytes)
{
    const struct ash_state *s = dev_state;
    const unsigned char *start = ash_heap_contains(address) ? s->heap : NULL;
    uint32_t pe;
    for (pe = 0; start == NULL && pe < ash_job_pes(); pe++)
        if (s->peer[pe] != NULL && (uintptr_t)address - (uintptr_t)s->peer[pe] < s->heap_size)
            start = s->peer[pe];
    *ret_start = (uintptr_t)start;
    *ret_nbytes = s->heap_size;
    return start != NULL;
}
