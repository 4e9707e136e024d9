/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of heaps: a file without a name (memfd) that the PEs of the node share.
 * The kernel frees it when its last user has ended, in whatever way.
 */
#ifndef ASH_LIB_MEMORY_MEMORY_H
#define ASH_LIB_MEMORY_MEMORY_H

#include <stdint.h>

/* A heap's file, open here as fd. */
struct ash_memory_file {
    int fd;
    /* Identify the file for PEs that open it through /proc. */
    uint64_t dev, ino;
    uint64_t size;
};

/* The block of static variables (lib/symmetric/static.h): its bytes, which are whole pages, and a
 * number that differs if the programs do.  The same in all heaps. */
struct ash_memory_static {
    uint64_t nbytes, hash;
};

/* Is the kernel asked for huge pages (lib/memory/huge.h)?  Not in the rest of a commit for which it
 * had to move other pages, nor ever again if it makes none. */
enum ash_huge { ASH_HUGE_ASK, ASH_HUGE_SLOW, ASH_HUGE_REFUSED };

struct ash_memory {
    struct ash_memory_file file;
    struct ash_memory_static variables;
    unsigned char *base;
    /* Flags of each page: is it backed by memory (real), and only since the last commit? */
    unsigned char *pages;
    /* The pages of the last commit: from last_first up to, but without, last_end. */
    uint64_t last_first, last_end;
    /* Bytes that may be made real before the available memory is read again. */
    uint64_t credit;
    enum ash_huge huge;
};

/* The largest alignment of a base. */
#define ASH_MEMORY_ALIGNMENT_MAX (UINT64_C(1) << 30)

/*
 * Reserve address space, without pages.  The base is aligned to the largest
 * power of two that is not larger than size (at most 1 GiB), so that aligned
 * offsets are aligned addresses.  Returns 0 or an ASH_ERROR.
 */
int ash_memory_reserve(struct ash_memory *memory, uint64_t size);

/* After ASH_ERROR_SYSTEM: the call that was refused and why, as "memfd_create: Operation not
 * permitted". */
const char *ash_memory_refused(void);

/*
 * Make the pages of a range real now, so that touching them never fails.  Returns 0, or
 * an error if the machine or this process's control groups do not have enough memory;
 * then nothing was taken.  Pages stay real when a block is freed, because UCX may have
 * registered them with a device.
 */
int ash_memory_commit(struct ash_memory *memory, uint64_t offset, uint64_t nbytes);

/*
 * Give back the pages that the last commit made real and that are not used yet: for a
 * block for which another PE had no memory.
 */
void ash_memory_undo(struct ash_memory *memory);

/* The same as ash_memory_commit, between that and ash_memory_undo as well, which does not give
 * these pages back.  After an error some of them may be real. */
int ash_memory_keep(struct ash_memory *memory, uint64_t offset, uint64_t nbytes);

void ash_memory_finish(struct ash_memory *memory);

/* Open the file that another process of this user has open as `fd`: a descriptor, or -1. */
int ash_memory_open_peer(int64_t pid, int fd);

/*
 * Map the heap of a PE of this node, if the file's fd is the file that the PE announced, and is
 * as large as this PE's heap.  nth: how many were mapped before.  Up to 127 heaps and this PE's
 * own have different positions in caches, if there is address space for that.
 */
int ash_memory_map_peer(const struct ash_memory *own, uint32_t nth,
                        const struct ash_memory_file *file, unsigned char **ret_base);
void ash_memory_unmap_peer(unsigned char *base, uint64_t size);

/*
 * Map a few bytes of a peer's heap for reading; they must not cross the end of a page.
 * NULL if it is not the announced file.
 */
const void *ash_memory_map_part(const struct ash_memory_file *file, uint64_t offset,
                                uint64_t nbytes);
void ash_memory_unmap_part(const void *part, uint64_t nbytes);

/* Bytes that can be committed before the machine runs out. */
uint64_t ash_memory_available(void);

/* The same, with /proc and /sys of another tree, for tests. */
uint64_t ash_memory_available_under(const char *root);

#endif
