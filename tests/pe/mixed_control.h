/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of tests/pe/mixed.c.  All PEs at one word at the same time; and the control:
 * PE 0 adds to a word of its own by a load and a store, while others add to it by CPU,
 * by UCX's atomics or by messages.
 */
#ifndef TESTS_PE_MIXED_CONTROL_H
#define TESTS_PE_MIXED_CONTROL_H

#include <stdint.h>

/*
 * Called by all PEs: `one` does an operation on a word of `pe`.  The PEs that do not
 * map it, `n_others`, do some; those that map it go on until all of these are there.
 * Returns how many this PE did.
 */
uint64_t mixed_hot(void (*one)(int pe), int pe, int n_others);

/* Called by all PEs: additions must get lost over each of the paths that there are. */
void mixed_control(void);

#endif
