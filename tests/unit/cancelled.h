/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For programs whose threads are cancelled.  A cancelled thread leaves its frames as they are,
 * and ASan then reports the release of its own alternate signal stack as a write into one of
 * them; so ASan gets no such stack.
 */
#ifndef TESTS_UNIT_CANCELLED_H
#define TESTS_UNIT_CANCELLED_H

__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "use_sigaltstack=0"; }

#endif
