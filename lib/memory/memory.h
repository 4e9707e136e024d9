/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where heap pages come from: a file without a name (memfd), shared with the
 * PEs of the node, gone when its last user is, however that ended.
 */
#ifndef ASH_LIB_MEMORY_MEMORY_H
#define ASH_LIB_MEMORY_MEMORY_H

#include <stdint.h>

/* A heap's file, open here as fd. */
struct ash_memory_file {
    int fd;
    /* Name it for those who open it through /proc. */
    uint64_t dev, ino;
    uint64_t size;
};

struct ash_memory {
    struct ash_memory_file file;
    unsigned char *base;
    /* For each page: is it real, and since the last commit only? */
    unsigned char *pages;
    /* Pages that the last commit asked for: from first up to end. */
    uint64_t last_first, last_end;
    /* Bytes that may be made real before the machine is asked again. */
    uint64_t credit;
};

/* A base has no larger alignment than this. */
#define ASH_MEMORY_ALIGNMENT_MAX (UINT64_C(1) << 30)

/*
 * Reserve address space, without pages.  The base is aligned to the largest
 * power of two in size (at most 1 GiB), so that aligned offsets are aligned
 * addresses.  Returns 0 or an ASH_ERROR.
 */
int ash_memory_reserve(struct ash_memory *memory, uint64_t size);

/*
 * Make the pages of a range real, now, so that touching them never fails.  An
 * error if the machine, or this process's control groups, have not enough;
 * then nothing was taken.  Pages stay real when a block is freed: UCX may have
 * told a device where they are.
 */
int ash_memory_commit(struct ash_memory *memory, uint64_t offset, uint64_t nbytes);

/*
 * Give back the pages that the last commit made real, before anybody used them:
 * for a block that another PE could not have.
 */
void ash_memory_undo(struct ash_memory *memory);

void ash_memory_finish(struct ash_memory *memory);

/* Open a file of another process of this user: a descriptor, or -1. */
int ash_memory_open_peer(int64_t pid, int fd);

/*
 * Map the heap of a PE of this node, as large as the own one, if what is open as the file's
 * fd is the file that it announced.  Each of 127 in a row, numbered `nth`, lies elsewhere in
 * a cache than the others and the own one, if there is address space for that.
 */
int ash_memory_map_peer(const struct ash_memory *own, uint32_t nth,
                        const struct ash_memory_file *file, unsigned char **ret_base);
void ash_memory_unmap_peer(unsigned char *base, uint64_t size);

/*
 * A few bytes of a peer's heap, for reading; they must not cross the end of a page.
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
