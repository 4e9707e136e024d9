/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Static variables of OpenSHMEM programs, which are symmetric: .data and .bss of the program, and
 * of the shared libraries that call this library.
 *
 * Their pages are moved into a block of the heap's file, behind the library's own block, and
 * mapped where they were.  So a variable keeps its address and its value, and has a second
 * address in the heap, where the other PEs find it: mapped, or by the heap's memory key.  The
 * block has the same offset and size on all PEs, though a program lies at other addresses in each.
 *
 * At the end, and in a child of fork, private copies of the pages take their place again.
 */
#ifndef ASH_LIB_SYMMETRIC_STATIC_H
#define ASH_LIB_SYMMETRIC_STATIC_H

#include <stdint.h>

#include "lib/memory/memory.h"

/* Find them, before the heap is made.  0, or an error that was logged.  *ret_block: the bytes that
 * they need in each heap, and what must be the same on all PEs; 0 bytes if they are not
 * symmetric. */
int ash_static_find(struct ash_memory_static *ret_block);

/* Move them to this offset in the heap's file.  0, or an error that was logged. */
int ash_static_move(const struct ash_memory *memory, uint64_t offset);

/* Let the routines know them, and no longer. */
void ash_static_open(void);
void ash_static_close(void);

/* Move them back, before the heap's file is closed.  Does nothing if they were not moved. */
void ash_static_move_back(void);

/* For pthread_atfork: the child gets private copies. */
void ash_static_before_fork(void);
void ash_static_after_fork(void);
void ash_static_forked(void);

#endif
