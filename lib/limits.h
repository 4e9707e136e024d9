/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Limits that UCX does not survive to run into: found before it starts.
 */
#ifndef ASH_LIB_LIMITS_H
#define ASH_LIB_LIMITS_H

#include <stdint.h>

/* Enough descriptors, threads and a port for UCX in a job of n_pes; else an error that was logged. */
int ash_limits_check(uint32_t n_pes);

#endif
