/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of PEs in the job and in teams, and where another PE's memory is mapped, for
 * every family of names.
 */
#ifndef ASH_DEVICE_API_WHO_H
#define ASH_DEVICE_API_WHO_H

#include "device/routine/team.h"

DEV int ash_my_pe(const char *function)
{
    ash_check_started(function);
    return dev_state->my_pe;
}

DEV int ash_n_pes(const char *function)
{
    ash_check_started(function);
    return (int)ash_job_pes();
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

DEV bool ash_pe_exists(const char *function, int pe)
{
    ash_check_started(function);
    return (uint32_t)pe < ash_job_pes();
}

/* True if the PE exists and the address is symmetric. */
DEV bool ash_reaches(const char *function, const void *address, int pe)
{
    return ash_pe_exists(function, pe) && ash_offset_of(address) < dev_state->heap_size;
}

DEV void *ash_ptr(const char *function, const void *dest, int pe)
{
    const struct ash_state *s = dev_state;
    if (!ash_reaches(function, dest, pe) || s->peer[pe] == NULL) return NULL;
    /* A static variable has two addresses in its own PE. */
    if (pe == s->my_pe) return (void *)(uintptr_t)dest;
    return s->peer[pe] + ash_offset_of(dest);
}

/* The same, but the caller's own memory is never out of its reach, whatever the settings say of
 * direct access. */
DEV void *ash_ptr_or_own(const char *function, const void *dest, int pe)
{
    if (ash_reaches(function, dest, pe) && pe == dev_state->my_pe) return (void *)(uintptr_t)dest;
    return ash_ptr(function, dest, pe);
}

/* With the terminating zero; the name is shorter than NVSHMEM_MAX_NAME_LEN. */
DEV void ash_copy_name(char *to, const char *name)
{
    do *to++ = *name;
    while (*name++ != '\0');
}

#endif
