/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams: the predefined ones, and those that programs make.
 */
#ifndef ASH_LIB_SYMMETRIC_TEAM_H
#define ASH_LIB_SYMMETRIC_TEAM_H

#include <nvshmem/init.h>
#include <stdbool.h>

#include "lib/bootstrap/bootstrap.h"

/* Offsets in every heap of what teams have there, in the order of their numbers: words of barriers,
 * records of calls, slots. */
struct ash_team_places {
    uint64_t words, records, slots;
};

/*
 * Fill ash_state.team; after the peers' heaps were mapped.  peer: n_pes entries, where
 * each PE's heap is mapped here, or NULL.  shares_cpus: PEs of this node share its CPUs; must
 * be the same on all PEs of the node.  0, or an ASH_ERROR that was logged.
 */
int ash_teams_start(const struct ash_bootstrap *bootstrap, const struct ash_team_places *places,
                    unsigned char *const *peer, bool shares_cpus);

/*
 * All PEs meet, the routines being open, and agree whether there is a team of one PE of each node.
 * 0, or an ASH_ERROR.
 */
int ash_teams_meet(const struct ash_bootstrap *bootstrap);

/* After the routines were closed. */
void ash_teams_stop(void);

/* A thread begins, and ends, to make or destroy a team; two at once end the program. */
void ash_team_making_enter(const char *function);
void ash_team_making_leave(void);

/* For a new team, which takes a number that is free on all its PEs, and the largest epoch of them:
 * the numbers that are free on this PE, as bits, and its largest epoch. */
uint64_t ash_team_free_numbers(void);
uint64_t ash_team_largest_epoch(void);

/* Make memory for the collectives of a new team of these PEs of the job, in the order of their
 * numbers in the team; false if there is none, of which it warns. */
bool ash_team_make_room(const char *function, uint32_t number, const int32_t *pes, int32_t n_pes);

/* The new team.  Takes ownership of the list.  Without memory the job ends, unless room was made
 * before. */
nvshmem_team_t ash_team_adopt(uint32_t number, int32_t *pes, int32_t n_pes, uint64_t epoch);

/* Warn that there is no number left; once, for programs ask for teams until they get none.  Called
 * by the thread that makes a team. */
void ash_team_log_full(const char *function);

/* How many contexts the program wants to create from the team; 0 if it did not say. */
void ash_team_set_contexts(uint32_t number, int num_contexts);
int ash_team_contexts(uint32_t number);

/* The team, which its PEs have left, is no more: its number is free. */
void ash_team_forget(uint32_t number);

#endif
