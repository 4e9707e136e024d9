/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a job because the program wants it.
 */
#ifndef ASH_LIB_BASE_EXIT_H
#define ASH_LIB_BASE_EXIT_H

/* End the job with this status, after what the program has printed; `function`, which the program
 * has called, is for messages.  Callable: any thread, and the proxy for a thread of a GPU. */
_Noreturn void ash_global_exit(const char *function, int status);

/* Write what the program has printed, with a time limit: another thread may hold a stream while it
 * reads, or cannot write. */
void ash_flush_streams(void);

#endif
