/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What this process writes to standard error, passed on and looked at: the library
 * says there what no routine returns.
 */
#ifndef TESTS_SUPPORT_HEAR_H
#define TESTS_SUPPORT_HEAR_H

/* From here on it is looked at, by a thread; until hear_end at most. */
void hear_begin(void);
void hear_end(void);

/* Lines so far that have this in them. */
unsigned heard(const char *text);

#endif
