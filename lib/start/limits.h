/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds, before UCX starts, the resource limits at which UCX crashes or hangs; and opens missing
 * standard descriptors.
 */
#ifndef ASH_LIB_START_LIMITS_H
#define ASH_LIB_START_LIMITS_H

#include <stdint.h>

/* 0 if UCX has enough descriptors, threads and a port in a job of n_pes, or an error, logged. */
int ash_limits_check(uint32_t n_pes);

/*
 * Open /dev/null as standard input, output or error if the program was started without it.
 * Otherwise a file or socket of the library could get its number, and messages would be
 * written to that.
 */
void ash_standard_files_fill(void);

#endif
