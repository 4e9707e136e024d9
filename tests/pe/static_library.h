/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A shared library with symmetric variables, for static.c.
 */
#ifndef TESTS_PE_STATIC_LIBRARY_H
#define TESTS_PE_STATIC_LIBRARY_H

#define STATIC_OF_LIBRARY 100

/* That many numbers, which begin with 1, 2; the rest is 0.  A variable with a name would lie in the
 * program that uses it. */
__attribute__((visibility("default"))) long *static_of_library(void);

__attribute__((visibility("default"))) int static_library_pes(void);

#endif
