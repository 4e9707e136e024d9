/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Limits that UCX does not survive to run into: found before it starts; and the three
 * descriptors that every program has.
 */
#ifndef ASH_LIB_START_LIMITS_H
#define ASH_LIB_START_LIMITS_H

#include <stdint.h>

/* Enough descriptors, threads and a port for UCX in a job of n_pes; else an error, logged. */
int ash_limits_check(uint32_t n_pes);

/*
 * A program that was started without standard input, output or error: none of the library's
 * files and sockets gets their numbers, for messages would be written to it.
 */
void ash_standard_files_fill(void);

#endif
