/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams that their own PEs make, without a parent: nvshmemx_team_init.
 */
#ifndef ASH_LIB_SYMMETRIC_TEAM_INIT_H
#define ASH_LIB_SYMMETRIC_TEAM_INIT_H

#include <stdint.h>

/* Bytes of the library's own block by which the PEs of a new team find each other. */
#define ASH_TEAM_TABLE_BYTES 616u

/* Where they are in each heap, which is zero at first. */
void ash_team_init_start(uint64_t offset);
void ash_team_init_stop(void);

#endif
