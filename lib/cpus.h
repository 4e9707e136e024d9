/* SPDX-License-Identifier: BSD-3-Clause */
/* Which CPUs this process may use, and who else does. */
#ifndef ASH_LIB_CPUS_H
#define ASH_LIB_CPUS_H

#include <stdint.h>

/* How many; 0 where the system does not say. */
uint32_t ash_cpus_count(void);

/* The only one, or -1 if there are more. */
int64_t ash_cpus_only(void);

/*
 * What part of its time another process is on these CPUs, if it takes all of its own by
 * turns: 0 where it has none of these, 1 where it has no others.
 */
double ash_cpus_shared_with(int64_t pid);

#endif
