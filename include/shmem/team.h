/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM: teams, subsets of PEs that synchronize and call collectives together.
 *
 * Document: OpenSHMEM 1.5, "Team Management Routines"; shmem_team_ptr and negative
 * strides are OpenSHMEM 1.6's.  NVSHMEM's teams are the same ones, but its handles are
 * numbers: (intptr_t)team - 1 is an nvshmem_team_t.
 */
#ifndef SHMEM_TEAM_H
#define SHMEM_TEAM_H

#include <shmem/types.h>

NVSHMEM_BEGIN_DECLS

/* Points to nothing that a program may look at; NULL is no team. */
typedef struct ash_shmem_team *shmem_team_t;
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
/* All PEs; those whose memory is mapped in the calling PE, so that shmem_ptr gives an address. */
#define SHMEM_TEAM_WORLD ((shmem_team_t)1)
#define SHMEM_TEAM_SHARED ((shmem_team_t)2)

/* Attributes of a team, and the bit of a mask for each of them. */
typedef struct {
    /* Contexts that the program will create from the team at most. */
    int num_contexts;
} shmem_team_config_t;
#define SHMEM_TEAM_NUM_CONTEXTS (1L << 0)

/**
 * The caller's number in a team, and the team's size.
 *
 * @param team  a team
 * @return      -1 for SHMEM_TEAM_INVALID and for a team that the PE is not in
 *
 * Callable: host.  Errors: before shmem_init and after shmem_finalize the program
 * ends with a message.
 */
NVSHMEM_EXPORT int shmem_team_my_pe(shmem_team_t team);
NVSHMEM_EXPORT int shmem_team_n_pes(shmem_team_t team);

/**
 * Translate a PE's number in one team to its number in another.
 *
 * @param src_team   team in which the PE is src_pe
 * @param src_pe     number of the PE in src_team
 * @param dest_team  the other team
 * @return           its number in dest_team; -1 if it is not in that team, or if
 *                   there is no such team or PE
 *
 * Callable: host.  Errors: as for shmem_team_my_pe.
 */
NVSHMEM_EXPORT int shmem_team_translate_pe(shmem_team_t src_team, int src_pe,
                                           shmem_team_t dest_team);

/**
 * Get attributes of a team.
 *
 * @param team         a team that the calling PE is in
 * @param config_mask  SHMEM_TEAM_NUM_CONTEXTS, or 0: which members to write
 * @param config       out: as the team was created with; 0 contexts if that said
 *                     nothing.  May be NULL if config_mask is 0
 * @return             0; nonzero for SHMEM_TEAM_INVALID, and then config is unchanged
 *
 * Callable: host.  Errors: any other team that the PE is not in ends the program
 * with a message.
 */
NVSHMEM_EXPORT int shmem_team_get_config(shmem_team_t team, long config_mask,
                                         shmem_team_config_t *config);

/**
 * Create a team of every PE_stride-th PE of another team.
 *
 * @param parent_team  team whose PEs all call this, with the same arguments
 * @param PE_start     first PE, by its number in the parent
 * @param PE_stride    distance to the next PE; may be negative, and 0 for one PE
 * @param PE_size      number of PEs
 * @param config       attributes; NULL if config_mask is 0
 * @param config_mask  SHMEM_TEAM_NUM_CONTEXTS, or 0: which attributes to use
 * @param new_team     out: the team; SHMEM_TEAM_INVALID on a PE not in it, and on
 *                     all PEs after an error
 * @return             0; nonzero, on all PEs alike, for SHMEM_TEAM_INVALID, if not all
 *                     those PEs are in the parent, for an attribute that is unknown or
 *                     negative, or if some PE is in too many teams (57 at a time)
 *
 * Collective over the parent.  Callable: host.  Errors: any other team that the PE is
 * not in, and arguments that differ between PEs, end the job with a message.
 */
NVSHMEM_EXPORT int shmem_team_split_strided(shmem_team_t parent_team, int PE_start, int PE_stride,
                                            int PE_size, const shmem_team_config_t *config,
                                            long config_mask, shmem_team_t *new_team);

/**
 * Arrange the PEs of a team in a table, and create a team of each row and column.
 *
 * @param parent_team               team whose PEs all call this
 * @param xrange                    PEs of a row; the last row may have fewer
 * @param xaxis_config, xaxis_mask  attributes of the rows
 * @param xaxis_team                out: the team of the caller's row
 * @param yaxis_config, yaxis_mask  attributes of the columns
 * @param yaxis_team                out: the team of the caller's column
 * @return                          as for shmem_team_split_strided; nonzero also for an
 *                                  xrange that is not positive
 *
 * Collective over the parent.  Callable and errors: as for shmem_team_split_strided.
 */
NVSHMEM_EXPORT int shmem_team_split_2d(shmem_team_t parent_team, int xrange,
                                       const shmem_team_config_t *xaxis_config, long xaxis_mask,
                                       shmem_team_t *xaxis_team,
                                       const shmem_team_config_t *yaxis_config, long yaxis_mask,
                                       shmem_team_t *yaxis_team);

/**
 * Destroy a team that a split created.
 *
 * @param team  the team; SHMEM_TEAM_INVALID does nothing
 *
 * Collective over the team; synchronizes its PEs.  Callable: host.  Errors: a predefined
 * team ends the program with a message.
 */
NVSHMEM_EXPORT void shmem_team_destroy(shmem_team_t team);

/**
 * Address at which a symmetric object of a PE of a team can be loaded and stored.
 *
 * @param team  a team
 * @param dest  symmetric address
 * @param pe    the PE, by its number in the team
 * @return      the address, or NULL if that PE's memory is not mapped here, if dest
 *              is not symmetric, or if there is no such team or PE
 *
 * Callable: host.  Errors: as for shmem_team_my_pe.
 */
NVSHMEM_EXPORT void *shmem_team_ptr(shmem_team_t team, const void *dest, int pe);

/**
 * Barrier over the PEs of a team, which completes nothing: shmem_sync(team) is the
 * same routine.
 *
 * @param team  a team that the calling PE is in
 * @return      0
 *
 * Collective over the team: one thread of each of its PEs calls it.
 * Order: what a PE wrote to its own memory before is visible to all PEs of the team
 * after the call.
 * Callable: host.  Errors: a team that the PE is not in ends the program with a message.
 */
NVSHMEM_EXPORT int shmem_team_sync(shmem_team_t team);

NVSHMEM_END_DECLS

#endif
