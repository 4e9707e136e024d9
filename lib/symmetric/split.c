/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splits of teams.  All PEs of the parent agree on a number that is free on all of them; PEs of
 * different new teams, such as the rows of a table, have theirs under the same number.
 */
#include "lib/symmetric/split.h"

#include <nvshmemx.h>
#include <stdlib.h>
#include <string.h>

#include "device/routine/barrier.h"
#include "lib/base/end.h"
#include "lib/base/log.h"
#include "lib/symmetric/agree.h"
#include "lib/symmetric/team.h"

/*
 * Make a team of `pes`, PEs of `parent`; takes ownership of the list, which is NULL on a PE
 * that is in no new team.  Collective over the parent; `call` must be the same on all PEs.
 */
static int make_team(const char *function, struct ash_team *parent,
                     const struct ash_meeting_call *call, int32_t *pes, int32_t n_pes,
                     nvshmem_team_t *ret_team)
{
    uint64_t epoch = ash_team_largest_epoch(), unused = 0;
    uint64_t mask = ash_team_agree(function, parent, call, ash_team_free_numbers(), &epoch);
    uint32_t number = mask == 0 ? 0 : (uint32_t)__builtin_ctzll(mask);
    bool made = mask != 0;
    if (!made) {
        ash_team_log_full(function);
    } else { /* if all PEs have memory for their new teams */
        made = pes == NULL || ash_team_make_room(function, number, pes, n_pes);
        made = ash_team_agree(function, parent, call, made, &unused) != 0;
    }
    if (!made) {
        free(pes);
        return NVSHMEMX_ERROR_OUT_OF_MEMORY;
    }
    if (pes != NULL) *ret_team = ash_team_adopt(number, pes, n_pes, epoch);
    return 0;
}

/* The list of these PEs of the parent, or NULL if this PE is not one of them. */
static int32_t *list_of(const char *function, const struct ash_team *parent, struct ash_stride s)
{
    int32_t *pes = calloc((size_t)s.size, sizeof(*pes));
    bool mine = false;
    for (int i = 0; pes != NULL && i < s.size; i++) {
        int number = s.start + i * s.stride;
        mine = mine || number == parent->my_pe;
        pes[i] = ash_team_pe(parent, (uint32_t)number);
    }
    if (pes == NULL) ash_fatal("%s: out of memory", function);
    if (mine) return pes;
    free(pes);
    return NULL;
}

static bool are_in(const struct ash_team *parent, struct ash_stride s)
{
    int64_t last = (int64_t)s.start + ((int64_t)s.size - 1) * s.stride;
    return s.size >= 1 && s.start >= 0 && s.start < parent->n_pes && last >= 0 &&
           last < parent->n_pes && (s.stride != 0 || s.size == 1);
}

int ash_team_split_strided(const char *function, int32_t parent_team, struct ash_stride pes,
                           int32_t *ret_team)
{
    const struct ash_meeting_call call =
        ash_agree_call(ASH_MEETING_SPLIT_STRIDED, pes.start, pes.stride, pes.size);
    struct ash_team *parent = ash_check_team(function, parent_team);
    int rc;
    ash_check_local(function, "new_team", ret_team);
    *ret_team = NVSHMEM_TEAM_INVALID;
    if (!are_in(parent, pes)) {
        ash_log(ASH_LOG_WARN, "%s: start %d, stride %d, size %d: not all in a team of %d PEs",
                function, pes.start, pes.stride, pes.size, parent->n_pes);
        return NVSHMEMX_ERROR_INVALID_VALUE;
    }
    ash_team_making_enter(function);
    ash_team_enter(function, parent);
    rc = make_team(function, parent, &call, list_of(function, parent, pes), pes.size, ret_team);
    ash_team_leave(parent);
    ash_team_making_leave();
    return rc;
}

int ash_team_split_2d(const char *function, int32_t parent_team, int xrange, int32_t *ret_xaxis,
                      int32_t *ret_yaxis)
{
    const struct ash_meeting_call call = ash_agree_call(ASH_MEETING_SPLIT_2D, xrange, 0, 0);
    struct ash_team *parent = ash_check_team(function, parent_team);
    int n = parent->n_pes, me = parent->my_pe, rc;
    struct ash_stride row, column;
    ash_check_local(function, "xaxis_team", ret_xaxis);
    ash_check_local(function, "yaxis_team", ret_yaxis);
    *ret_xaxis = *ret_yaxis = NVSHMEM_TEAM_INVALID;
    if (xrange < 1) {
        ash_log(ASH_LOG_WARN, "%s: xrange %d is not positive", function, xrange);
        return NVSHMEMX_ERROR_INVALID_VALUE;
    }
    if (xrange > n) xrange = n;
    row = (struct ash_stride){me / xrange * xrange, 1, xrange};
    if (n - row.start < xrange) row.size = n - row.start;
    column = (struct ash_stride){me % xrange, xrange, (n - me % xrange + xrange - 1) / xrange};
    ash_team_making_enter(function);
    ash_team_enter(function, parent);
    rc = make_team(function, parent, &call, list_of(function, parent, row), row.size, ret_xaxis);
    if (rc == 0)
        rc = make_team(function, parent, &call, list_of(function, parent, column), column.size,
                       ret_yaxis);
    ash_team_leave(parent);
    ash_team_making_leave();
    if (rc == 0 || *ret_xaxis == NVSHMEM_TEAM_INVALID) return rc;
    ash_team_destroy(function, *ret_xaxis);
    *ret_xaxis = NVSHMEM_TEAM_INVALID;
    return rc;
}

void ash_team_destroy(const char *function, int32_t team)
{
    struct ash_team *t;
    if (team == NVSHMEM_TEAM_INVALID) return;
    t = ash_check_team(function, team);
    if (team < NVSHMEM_TEAMS_MIN)
        ash_fatal("%s: team %d was not made by a split", function, team);
    ash_team_making_enter(function);
    ash_team_meet(function, t, ASH_MEETING_DESTROY);
    ash_team_forget((uint32_t)team);
    ash_team_making_leave();
}

/* NVSHMEM's names. */

int nvshmem_team_split_strided(nvshmem_team_t parent_team, int PE_start, int PE_stride,
                               int PE_size, const nvshmem_team_config_t *config, long config_mask,
                               nvshmem_team_t *new_team)
{
    (void)config, (void)config_mask;
    return ash_team_split_strided("nvshmem_team_split_strided", parent_team,
                                  (struct ash_stride){PE_start, PE_stride, PE_size}, new_team);
}

int nvshmem_team_split_2d(nvshmem_team_t parent_team, int xrange,
                          const nvshmem_team_config_t *xaxis_config, long xaxis_mask,
                          nvshmem_team_t *xaxis_team, const nvshmem_team_config_t *yaxis_config,
                          long yaxis_mask, nvshmem_team_t *yaxis_team)
{
    (void)xaxis_config, (void)xaxis_mask, (void)yaxis_config, (void)yaxis_mask;
    return ash_team_split_2d("nvshmem_team_split_2d", parent_team, xrange, xaxis_team, yaxis_team);
}

void nvshmem_team_get_config(nvshmem_team_t team, nvshmem_team_config_t *config)
{
    ash_check_team("nvshmem_team_get_config", team);
    ash_check_local("nvshmem_team_get_config", "config", config);
    memset(config, 0, sizeof(*config));
    config->version = (2 << 16) + (int)sizeof(*config);
}

void nvshmem_team_destroy(nvshmem_team_t team)
{
    ash_team_destroy("nvshmem_team_destroy", team);
}
