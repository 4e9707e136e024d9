/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps other threads from writing to pages that are moved.
 *
 * A piece of the pages is made read-only, copied, and replaced.  A thread that writes to it
 * meanwhile gets SIGSEGV; the handler (lib/report/crash.h) lets it write again when the piece is in
 * its new place, so no write is lost.  Only the kernel cannot be made to wait: a system call that
 * writes to a read-only piece returns EFAULT.
 *
 * Where a thread that runs blocks SIGSEGV, or the program has a handler of its own, nothing is
 * protected: pieces are small then, and one that has changed while it was copied is copied once
 * more.  A write between that comparison and the replacement is lost, and so is one just before the
 * end of the library, where all pages are replaced at once.  A thread that sleeps may block
 * SIGSEGV, as many do that block all signals; should it wake in these milliseconds and write to the
 * piece, the program ends with that signal.
 */
#ifndef ASH_LIB_SYMMETRIC_STATIC_GUARD_H
#define ASH_LIB_SYMMETRIC_STATIC_GUARD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* There are no other threads; by protection; not at all. */
enum ash_static_guard { ASH_STATIC_ALONE, ASH_STATIC_PROTECTED, ASH_STATIC_COMPARED };

enum ash_static_guard ash_static_guard_choose(void);

/* All signals of the caller but those of faults: a handler could write between the copy and the
 * replacement. */
void ash_static_guard_block(sigset_t *ret_before);

/* From now on nobody writes to these pages, whose protection of mmap is given.  0 or an errno. */
int ash_static_guard_begin(enum ash_static_guard guard, unsigned char *begin, uint64_t nbytes,
                           int protection);

/* The caller itself has written to them since, so they are protected no more. */
bool ash_static_guard_disturbed(void);

/* They have been replaced: threads that have waited go on.  `error`, not 0: they have not, and are
 * made writable. */
void ash_static_guard_end(enum ash_static_guard guard, int error);

#endif
