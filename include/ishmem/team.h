/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM: teams, subsets of PEs that synchronize and call collectives together.
 *
 * Document: Intel SHMEM, "Team Management".  The handles are those of NVSHMEM's teams.
 */
#ifndef ISHMEM_TEAM_H
#define ISHMEM_TEAM_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

/* A team, and the predefined ones: all PEs; those whose memory is mapped in the calling PE. */
typedef int ishmem_team_t;
#define ISHMEM_TEAM_INVALID (-1)
#define ISHMEM_TEAM_WORLD 0
#define ISHMEM_TEAM_SHARED 1

/* Attributes of a team, and the bit of a mask for each of them. */
typedef struct {
    /* Contexts that the program will create from the team at most; Intel SHMEM has none yet. */
    int num_contexts;
} ishmem_team_config_t;
#define ISHMEM_TEAM_NUM_CONTEXTS 1L

/**
 * The caller's number, 0..n-1, and the number of PEs, in a team.
 *
 * @param team  a team
 * @return      -1 for ISHMEM_TEAM_INVALID and for a team that the PE is not in
 *
 * Callable: host, device thread.  Errors: before ishmem_init and after ishmem_finalize
 * the program ends with a message.
 */
NVSHMEM_ROUTINE int ishmem_team_my_pe(ishmem_team_t team);
NVSHMEM_ROUTINE int ishmem_team_n_pes(ishmem_team_t team);

/**
 * Translate a PE's number in one team to its number in another.
 *
 * @param src_team   team in which the PE is src_pe
 * @param src_pe     number of the PE in src_team
 * @param dest_team  the other team
 * @return           its number in dest_team; -1 if it is not in that team, or if there is
 *                   no such team or PE
 *
 * Callable: host, device thread.  Errors: as for ishmem_team_my_pe.
 */
NVSHMEM_ROUTINE int ishmem_team_translate_pe(ishmem_team_t src_team, int src_pe,
                                             ishmem_team_t dest_team);

/**
 * Get attributes of a team.
 *
 * @param team         a team that the calling PE is in
 * @param config_mask  ISHMEM_TEAM_NUM_CONTEXTS, or 0: which members to write
 * @param config       out: as the team was created with; 0 contexts if that said nothing.
 *                     May be NULL if config_mask is 0
 * @return             0; nonzero for ISHMEM_TEAM_INVALID, and then config is unchanged
 *
 * Callable: host.  Errors: any other team that the PE is not in ends the program with a
 * message.
 */
NVSHMEM_EXPORT int ishmem_team_get_config(ishmem_team_t team, long config_mask,
                                          ishmem_team_config_t *config);

/**
 * Create a team of every stride-th PE of another team.
 *
 * @param parent_team  team whose PEs all call this, with the same arguments
 * @param start        first PE, by its number in the parent
 * @param stride       distance to the next PE; may be negative, and 0 for one PE
 * @param size         number of PEs
 * @param config       attributes; NULL if config_mask is 0
 * @param config_mask  ISHMEM_TEAM_NUM_CONTEXTS, or 0: which attributes to use
 * @param new_team     out: the team; ISHMEM_TEAM_INVALID on a PE not in it, and on all PEs
 *                     after an error
 * @return             0; nonzero, on all PEs alike, for ISHMEM_TEAM_INVALID, if not all
 *                     those PEs are in the parent, for an attribute that is unknown or
 *                     negative, or if some PE is in too many teams (57 at a time)
 *
 * Collective over the parent.  Callable: host.  Errors: any other team that the PE is not
 * in, and arguments that differ between PEs, end the job with a message.
 */
NVSHMEM_EXPORT int ishmem_team_split_strided(ishmem_team_t parent_team, int start, int stride,
                                             int size, const ishmem_team_config_t *config,
                                             long config_mask, ishmem_team_t *new_team);

/**
 * Arrange the PEs of a team in a table, and create a team of each row and column.
 *
 * @param parent_team               team whose PEs all call this
 * @param xrange                    PEs of a row; the last row may have fewer
 * @param xaxis_config, xaxis_mask  attributes of the rows
 * @param xaxis_team                out: the team of the caller's row
 * @param yaxis_config, yaxis_mask  attributes of the columns
 * @param yaxis_team                out: the team of the caller's column
 * @return                          as for ishmem_team_split_strided; nonzero also for an
 *                                  xrange that is not positive
 *
 * Collective over the parent.  Callable and errors: as for ishmem_team_split_strided.
 */
NVSHMEM_EXPORT int ishmem_team_split_2d(ishmem_team_t parent_team, int xrange,
                                        const ishmem_team_config_t *xaxis_config,
                                        long xaxis_mask, ishmem_team_t *xaxis_team,
                                        const ishmem_team_config_t *yaxis_config,
                                        long yaxis_mask, ishmem_team_t *yaxis_team);

/**
 * Destroy a team that a split created.
 *
 * @param team  the team; ISHMEM_TEAM_INVALID does nothing
 *
 * Collective over the team; synchronizes its PEs.  Callable: host.  Errors: a predefined
 * team ends the program with a message.
 */
NVSHMEM_EXPORT void ishmem_team_destroy(ishmem_team_t team);

/**
 * Barrier over the PEs of a team, which completes nothing.
 *
 * @param team  a team that the calling PE is in
 * @return      0
 *
 * Collective over the team: one thread of each of its PEs calls it.
 * Order: what a PE wrote to its own memory before is visible to all PEs of the team after
 * the call.
 * Callable: host, device thread.  Errors: a team that the PE is not in ends the program
 * with a message.
 */
NVSHMEM_ROUTINE int ishmem_team_sync(ishmem_team_t team);

NVSHMEM_END_DECLS

#endif
