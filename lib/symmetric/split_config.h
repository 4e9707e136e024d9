/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splits into teams that have attributes, as those of OpenSHMEM and Intel SHMEM; teams are
 * NVSHMEM's numbers.
 */
#ifndef ASH_LIB_SYMMETRIC_SPLIT_CONFIG_H
#define ASH_LIB_SYMMETRIC_SPLIT_CONFIG_H

#include <stdint.h>

#include "lib/symmetric/split.h"

/* The one attribute that there is, as the program gives it: the bit of the mask is 1. */
struct ash_team_config {
    const int *num_contexts;
    long mask;
};

/* An axis of a table of PEs: its attributes, and out: its team. */
struct ash_split_axis {
    struct ash_team_config config;
    int32_t team;
};

/*
 * As ash_team_split_strided and ash_team_split_2d; NVSHMEMX_ERROR_INVALID_VALUE, with a warning,
 * also for an attribute that is unknown or negative.
 */
int ash_config_split_strided(const char *function, int32_t parent_team, struct ash_stride pes,
                             struct ash_team_config config, int32_t *ret_team);
int ash_config_split_2d(const char *function, int32_t parent_team, int xrange,
                        struct ash_split_axis *x, struct ash_split_axis *y);

/* Store the attributes in the mask of a team that the PE is in. */
void ash_config_get(const char *function, int32_t team, long mask, int *num_contexts);

#endif
