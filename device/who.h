/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who is who, and where another PE's memory is mapped: the same for each family
 * of names.
 */
#ifndef ASH_DEVICE_WHO_H
#define ASH_DEVICE_WHO_H

#include "device/team.h"

DEV int ash_my_pe(const char *function)
{
    ash_check_started(function);
    return dev_state->my_pe;
}

DEV int ash_n_pes(const char *function)
{
    ash_check_started(function);
    return (int)dev_state->n_pes;
}

DEV int ash_team_my_pe(const char *function, int32_t team)
{
    ash_check_started(function);
    return ash_team_exists(team) ? dev_state->team[team].my_pe : -1;
}

DEV int ash_team_n_pes(const char *function, int32_t team)
{
    ash_check_started(function);
    return ash_team_exists(team) ? dev_state->team[team].n_pes : -1;
}

DEV void *ash_ptr(const char *function, const void *dest, int pe)
{
    const struct ash_state *s = dev_state;
    uint64_t offset = (uint64_t)((uintptr_t)dest - (uintptr_t)s->heap);
    ash_check_started(function);
    if ((uint32_t)pe >= s->n_pes || offset >= s->heap_size || s->peer[pe] == NULL) return NULL;
    return s->peer[pe] + offset;
}

#endif
