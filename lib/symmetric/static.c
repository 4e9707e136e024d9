/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When static variables are symmetric, and what becomes of them at start, end and fork.
 */
#include "lib/symmetric/static.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "device/state/state.h"
#include "device/state/static.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/log.h"
#include "lib/symmetric/static_parts.h"

struct ash_static ash_static;

static struct {
    /* Held while parts are moved, and from before a fork until after it. */
    pthread_mutex_t lock;
    struct ash_static_parts parts;
    /* Of the first parts: those that are moved, at least in part; and the file. */
    uint32_t n_moved;
    int fd;
    /* ASH_STATIC_RANGES entries: private copies, while the process forks.  Not here, where the
     * parent could change them while the child reads them: in a program that this library is
     * linked into, this is a symmetric variable. */
    unsigned char **copies;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

static bool is_on(void)
{
    return ash_env.static_data == ASH_STATIC_ON ||
           (ash_env.static_data == ASH_STATIC_AUTO && ash_env_openshmem);
}

static int failed(const char *why)
{
    ash_log(ASH_LOG_ERROR,
            "cannot make the static variables symmetric (%llu bytes): %s; ANYSHMEM_STATIC=0 does "
            "without",
            (unsigned long long)all.parts.nbytes, why);
    return ASH_ERROR_SYSTEM;
}

int ash_static_find(struct ash_memory_static *ret_block)
{
    memset(ret_block, 0, sizeof(*ret_block));
    if (!is_on()) return 0;
    ash_static_parts_find(&all.parts);
    if (all.parts.overflows) return failed("they are in too many shared libraries");
    ret_block->nbytes = all.parts.nbytes;
    ret_block->hash = all.parts.hash;
    return 0;
}

int ash_static_move(const struct ash_memory *memory, uint64_t offset)
{
    enum ash_static_guard guard;
    int error = 0;
    if (memory->variables.nbytes == 0) return 0;
    (void)pthread_mutex_lock(&all.lock);
    guard = ash_static_guard_choose();
    if (all.copies == NULL) all.copies = calloc(ASH_STATIC_RANGES, sizeof(*all.copies));
    if (all.copies == NULL) error = ENOMEM;
    all.fd = memory->file.fd;
    for (uint32_t i = 0; i < all.parts.n && error == 0; i++) {
        struct ash_static_part *part = &all.parts.part[i];
        part->offset = offset;
        offset += part->nbytes;
        error = ash_static_part_move(part, guard, all.fd, memory->base);
        if (error == 0) all.n_moved = i + 1;
    }
    (void)pthread_mutex_unlock(&all.lock);
    if (error == 0) {
        ash_log(ASH_LOG_INFO, "static variables are symmetric: %llu bytes in %u parts",
                (unsigned long long)all.parts.nbytes, all.parts.n);
        return 0;
    }
    ash_static_move_back();
    return failed(strerror(error));
}

void ash_static_open(void)
{
    struct ash_static *s = &ash_static;
    for (uint32_t i = 0; i < all.n_moved; i++) {
        const struct ash_static_part *part = &all.parts.part[i];
        s->range[i] = (struct ash_static_range){(uintptr_t)part->begin, part->used_nbytes,
                                                part->offset};
    }
    s->n_ranges = all.n_moved;
    if (s->n_ranges > 0) ash_static_set_first(s, ash_state.heap, ash_state.heap_size);
}

void ash_static_close(void) { memset(&ash_static, 0, sizeof(ash_static)); }

void ash_static_move_back(void)
{
    enum ash_static_guard guard = ASH_STATIC_ALONE;
    (void)pthread_mutex_lock(&all.lock);
    if (all.n_moved > 0) guard = ash_static_guard_choose();
    for (uint32_t i = 0; i < all.n_moved; i++) {
        int error = ash_static_part_move_back(&all.parts.part[i], guard, all.fd);
        /* The mapping that is there keeps the memory valid. */
        if (error != 0)
            ash_log(ASH_LOG_INFO, "static variables stay in the heap's memory: %s",
                    strerror(error));
    }
    all.n_moved = 0;
    all.fd = -1;
    (void)pthread_mutex_unlock(&all.lock);
}

void ash_static_before_fork(void)
{
    (void)pthread_mutex_lock(&all.lock);
    for (uint32_t i = 0; i < all.n_moved; i++)
        all.copies[i] = ash_static_part_copy(&all.parts.part[i], all.fd);
}

void ash_static_after_fork(void)
{
    for (uint32_t i = 0; i < all.n_moved; i++) {
        if (all.copies[i] != NULL) munmap(all.copies[i], all.parts.part[i].nbytes);
        all.copies[i] = NULL;
    }
    (void)pthread_mutex_unlock(&all.lock);
}

/* The pages of a child for which there was no memory: its own writes are private, but it may see
 * later ones of the parent. */
static void replace_by_file(const struct ash_static_part *part)
{
    if (mmap(part->begin, part->nbytes, part->protection, MAP_PRIVATE | MAP_FIXED, all.fd,
             (off_t)part->offset) == MAP_FAILED)
        ash_log(ASH_LOG_WARN, "static variables of a forked child are shared with its parent");
}

void ash_static_forked(void)
{
    for (uint32_t i = 0; i < all.n_moved; i++) {
        const struct ash_static_part *part = &all.parts.part[i];
        if (all.copies[i] == NULL || ash_static_part_replace(part, all.copies[i]) != 0)
            replace_by_file(part);
        all.copies[i] = NULL;
    }
    all.n_moved = 0;
    all.fd = -1;
    all.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
