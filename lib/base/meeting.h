/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The message of PEs that met in different collective calls.
 */
#ifndef ASH_LIB_BASE_MEETING_H
#define ASH_LIB_BASE_MEETING_H

#include <stdint.h>

/*
 * Names both calls, and ends the job.  signal: the caller's; where: the team's number in the upper
 * half and the other PE in the lower one.  The calls stand in the records of the heap
 * (device/routine/meeting.h).
 */
_Noreturn void ash_meeting_report(const char *function, uint64_t signal, uint64_t where);

#endif
