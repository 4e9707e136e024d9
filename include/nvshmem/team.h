/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams: subsets of PEs that synchronize and call collectives together.
 *
 * Document: NVSHMEM, "Team Management" and "Collective Communication".
 */
#ifndef NVSHMEM_TEAM_H
#define NVSHMEM_TEAM_H

#include <nvshmem/init.h>

NVSHMEM_BEGIN_DECLS

/* Identifies a team that is to be made by nvshmemx_team_init. */
typedef uint64_t nvshmemx_team_uniqueid_t;
#define NVSHMEM_TEAM_UNIQUID_INITIALIZER UINT64_MAX

/* Attributes of a new team; a split uses none of them.  64 bytes. */
typedef struct {
    int version;
    int num_contexts;
    nvshmemx_team_uniqueid_t uniqueid;
    char padding[48];
} nvshmem_team_config_v2;
typedef nvshmem_team_config_v2 nvshmem_team_config_t;
#define NVSHMEM_TEAM_CONFIG_INITIALIZER \
    { (2 << 16) + (int)sizeof(nvshmem_team_config_t), -1, UINT64_MAX, { 0 } }
#define NVSHMEM_TEAM_CONFIG_MASK_NUM_CONTEXTS 1L
#define NVSHMEM_TEAM_CONFIG_MASK_UNIQUEID 2L

/**
 * Translate a PE's number in one team to its number in another.
 *
 * @param src_team   team in which the PE is src_pe
 * @param src_pe     number of the PE in src_team
 * @param dest_team  the other team
 * @return           its number in dest_team; -1 if it is not in that team, or if
 *                   there is no such team or PE
 *
 * Callable: host, device thread.
 */
NVSHMEM_ROUTINE int nvshmem_team_translate_pe(nvshmem_team_t src_team, int src_pe,
                                              nvshmem_team_t dest_team);

/**
 * Barrier over the PEs of a team.  barrier completes the caller's operations first
 * (quiet); team_sync only synchronizes.  All threads of the group call the forms
 * with _warp or _block, which synchronize these threads as well.
 *
 * @param team  a team that the calling PE is in
 * @return      0
 *
 * Collective over the team: one thread, or group, of each of its PEs calls it.
 * Order: what a PE wrote to its own memory before, and with barrier what it
 * sent to others, is visible to all PEs of the team after the call.
 * Callable: host, device thread (warp, block).  Errors: a team that the PE is
 * not in ends the program with a message.
 */
NVSHMEM_ROUTINE int nvshmem_barrier(nvshmem_team_t team);
NVSHMEM_ROUTINE int nvshmemx_barrier_warp(nvshmem_team_t team);
NVSHMEM_ROUTINE int nvshmemx_barrier_block(nvshmem_team_t team);
NVSHMEM_ROUTINE int nvshmem_team_sync(nvshmem_team_t team);
NVSHMEM_ROUTINE int nvshmemx_team_sync_warp(nvshmem_team_t team);
NVSHMEM_ROUTINE int nvshmemx_team_sync_block(nvshmem_team_t team);
#define nvshmem_sync nvshmem_team_sync

/**
 * Create a team of every PE_stride-th PE of another team.
 *
 * @param parent_team  team whose PEs all call this, with the same arguments
 * @param PE_start     first PE, by its number in the parent
 * @param PE_stride    distance to the next PE; may be negative
 * @param PE_size      number of PEs
 * @param config       NULL, or attributes; without effect
 * @param config_mask  which attributes; without effect
 * @param new_team     out: the team, or NVSHMEM_TEAM_INVALID on a PE not in it
 * @return             0; NVSHMEMX_ERROR_INVALID_VALUE if not all those PEs are in
 *                     the parent, NVSHMEMX_ERROR_OUT_OF_MEMORY if some PE is in too
 *                     many teams, on all PEs alike
 *
 * Collective over the parent.  Callable: host.  Errors: arguments that differ
 * between PEs end the job with a message.
 */
NVSHMEM_EXPORT int nvshmem_team_split_strided(nvshmem_team_t parent_team, int PE_start,
                                              int PE_stride, int PE_size,
                                              const nvshmem_team_config_t *config,
                                              long config_mask, nvshmem_team_t *new_team);

/**
 * Arrange the PEs of a team in a table, and create a team of each row and column.
 *
 * @param parent_team               team whose PEs all call this
 * @param xrange                    PEs of a row; the last row may have fewer
 * @param xaxis_config, xaxis_mask  without effect
 * @param xaxis_team                out: the team of the caller's row
 * @param yaxis_config, yaxis_mask  without effect
 * @param yaxis_team                out: the team of the caller's column
 * @return                          as for nvshmem_team_split_strided
 *
 * Collective over the parent.  Callable: host.
 */
NVSHMEM_EXPORT int nvshmem_team_split_2d(nvshmem_team_t parent_team, int xrange,
                                         const nvshmem_team_config_t *xaxis_config,
                                         long xaxis_mask, nvshmem_team_t *xaxis_team,
                                         const nvshmem_team_config_t *yaxis_config,
                                         long yaxis_mask, nvshmem_team_t *yaxis_team);

/**
 * Create a team of any PEs, in any order, without the others: only the team's own PEs
 * call this.  One of them, the root, has made the id before and sent it to the others by
 * its own means, for instance by a put.
 *
 * @param uniqueid        out: an id; good for one team
 * @param team            out: the new team; NVSHMEM_TEAM_INVALID after an error
 * @param config          config->uniqueid is the id, the same on all its PEs
 * @param config_mask     NVSHMEM_TEAM_CONFIG_MASK_UNIQUEID must be set
 * @param npes            number of PEs of the team, the same on all of them
 * @param pe_idx_in_team  the caller's number in the team, 0..npes-1, each number once
 * @return                0; NVSHMEMX_ERROR_INVALID_VALUE, with a message, for an id that
 *                        nvshmemx_team_get_uniqueid has not made and for numbers that do
 *                        not make a team; NVSHMEMX_ERROR_OUT_OF_MEMORY if some PE is in
 *                        too many teams
 *
 * nvshmemx_team_init is collective over the new team, and waits until all its PEs have
 * called it.  Callable: host.  Errors: NULL for an address ends the program with a
 * message.
 */
NVSHMEM_EXPORT int nvshmemx_team_get_uniqueid(nvshmemx_team_uniqueid_t *uniqueid);
NVSHMEM_EXPORT int nvshmemx_team_init(nvshmem_team_t *team, nvshmem_team_config_t *config,
                                      long config_mask, int npes, int pe_idx_in_team);

/**
 * Get a team's attributes: num_contexts is 0.
 *
 * @param team    a team that the calling PE is in
 * @param config  out: every member is written
 *
 * Callable: host.
 */
NVSHMEM_EXPORT void nvshmem_team_get_config(nvshmem_team_t team, nvshmem_team_config_t *config);

/**
 * Destroy a team that a split or nvshmemx_team_init created.
 *
 * @param team  the team; NVSHMEM_TEAM_INVALID does nothing
 *
 * Collective over the team; synchronizes its PEs.  Callable: host.  Errors: a predefined
 * team ends the program with a message.
 */
NVSHMEM_EXPORT void nvshmem_team_destroy(nvshmem_team_t team);

NVSHMEM_END_DECLS

#endif
