/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of programs and libraries that static variables are in: found by static_parts.c, moved
 * by static_move.c, both for static.c.
 */
#ifndef ASH_LIB_SYMMETRIC_STATIC_PARTS_H
#define ASH_LIB_SYMMETRIC_STATIC_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/state/static.h"
#include "lib/symmetric/static_guard.h"

/* Whole pages. */
struct ash_static_part {
    unsigned char *begin;
    uint64_t nbytes;
    /* Bytes up to the end of the last variable, and those that have come from the program's
     * file; the others were zero at first. */
    uint64_t used_nbytes, file_nbytes;
    /* Of mmap. */
    int protection;
    /* In the heap's file. */
    uint64_t offset;
};

struct ash_static_parts {
    struct ash_static_part part[ASH_STATIC_RANGES];
    uint32_t n;
    /* There are more. */
    bool overflows;
    /* Of all parts. */
    uint64_t nbytes;
    /* Of the program's headers and build ids: differs if the programs do. */
    uint64_t hash;
};

void ash_static_parts_find(struct ash_static_parts *ret_parts);

/* Move a part's pages to its offset of the file, which is mapped at `heap`; and back, as private
 * pages.  0, or an errno; then the part is as it was. */
int ash_static_part_move(const struct ash_static_part *part, enum ash_static_guard guard, int fd,
                         unsigned char *heap);
int ash_static_part_move_back(const struct ash_static_part *part, enum ash_static_guard guard,
                              int fd);

/* A private copy of a moved part, or NULL; and put it in its place. */
unsigned char *ash_static_part_copy(const struct ash_static_part *part, int fd);
int ash_static_part_replace(const struct ash_static_part *part, unsigned char *copy);

#endif
