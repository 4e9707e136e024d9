/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams that are made of the PEs of another one, and the end of a team, for each family of names:
 * `function` is the routine that the program calls.
 */
#ifndef ASH_LIB_SYMMETRIC_SPLIT_H
#define ASH_LIB_SYMMETRIC_SPLIT_H

#include <stdint.h>

/* Every stride-th PE of a team, `size` of them, by their numbers in it. */
struct ash_stride {
    int start, stride, size;
};

/*
 * Make a team of some PEs of `parent`, or of its rows and columns of xrange PEs; collective over
 * the parent.  On a PE that is in no new team, and after an error, *ret_team is
 * NVSHMEM_TEAM_INVALID.  Returns 0; NVSHMEMX_ERROR_INVALID_VALUE, with a warning, for PEs that are
 * not in the parent; NVSHMEMX_ERROR_OUT_OF_MEMORY, with a warning, if some PE is in too many teams.
 */
int ash_team_split_strided(const char *function, int32_t parent_team, struct ash_stride pes,
                           int32_t *ret_team);
int ash_team_split_2d(const char *function, int32_t parent_team, int xrange, int32_t *ret_xaxis,
                      int32_t *ret_yaxis);

/* End a team that was made; collective over it.  NVSHMEM_TEAM_INVALID does nothing. */
void ash_team_destroy(const char *function, int32_t team);

#endif
