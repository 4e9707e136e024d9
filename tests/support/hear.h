/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Captures what this process writes to standard error, and passes it on: tests look there
 * for messages of the library that no routine returns.
 */
#ifndef TESTS_SUPPORT_HEAR_H
#define TESTS_SUPPORT_HEAR_H

/* Capture from here on, by a thread, until hear_end. */
void hear_begin(void);
void hear_end(void);

/* The number of captured lines so far that contain this text. */
unsigned heard(const char *text);

#endif
