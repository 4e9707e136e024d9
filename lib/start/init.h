/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start and end of the library, for each family of names.  `function` is the name of
 * the routine that the user called, for messages.
 */
#ifndef ASH_LIB_START_INIT_H
#define ASH_LIB_START_INIT_H

/* Ends the program if the library cannot start. */
void ash_init(const char *function);

/* The program is one of OpenSHMEM's: called before a start, from which on SHMEM_ variables count,
 * too; and the library ends when the program does, without shmem_finalize. */
void ash_expect_openshmem(void);
void ash_init_openshmem(const char *function);

void ash_finalize(const char *function);

#endif
