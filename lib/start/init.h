/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start and end of the library, for each family of names.  `function` is the name of
 * the routine that the user called, for messages.
 */
#ifndef ASH_LIB_START_INIT_H
#define ASH_LIB_START_INIT_H

/* Ends the program if the library cannot start. */
void ash_init(const char *function);
void ash_finalize(const char *function);

#endif
