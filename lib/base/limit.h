/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A time limit for a call of another library, which has none of its own.
 */
#ifndef ASH_LIB_BASE_LIMIT_H
#define ASH_LIB_BASE_LIMIT_H

#include <stdint.h>

/*
 * If ash_limit_end is not called within so many ms, the job ends with this error.  0: no limit.
 * The text must last until then.  One limit at a time.
 * Callable: the thread that makes the call.
 */
void ash_limit_begin(int64_t ms, const char *text);
void ash_limit_end(void);

#endif
