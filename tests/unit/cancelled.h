/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For programs whose threads are cancelled: such a thread leaves its frames as they are, and
 * ASan then takes its own signal stack's end for a write into one of them.
 */
#ifndef TESTS_UNIT_CANCELLED_H
#define TESTS_UNIT_CANCELLED_H

__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "use_sigaltstack=0"; }

#endif
