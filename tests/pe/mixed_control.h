/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The control of tests/pe/mixed.c: PE 0 adds to a word of its own by a load and a
 * store, while others add to it by CPU, by UCX's atomics or by messages.
 */
#ifndef TESTS_PE_MIXED_CONTROL_H
#define TESTS_PE_MIXED_CONTROL_H

/* Called by all PEs: additions must get lost in each of the ways that there are. */
void mixed_control(void);

#endif
