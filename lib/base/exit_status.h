/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The status with which the program ends, for the library's destructor.
 */
#ifndef ASH_LIB_BASE_EXIT_STATUS_H
#define ASH_LIB_BASE_EXIT_STATUS_H

/* From now on the status of exit, or of the return from main, is kept; once is enough.  The library
 * then stays loaded until the process ends. */
void ash_exit_status_keep(void);

/* That status; 0 where it is not known. */
int ash_exit_status(void);

#endif
