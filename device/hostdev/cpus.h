/* SPDX-License-Identifier: BSD-3-Clause */
/* Which CPUs the calling thread may use, and who else does. */
#ifndef ASH_DEVICE_HOSTDEV_CPUS_H
#define ASH_DEVICE_HOSTDEV_CPUS_H

#include <stdint.h>

#include "device/hostdev/hostdev.h"

/* How many; 0 where the system does not say. */
ASH_HIDDEN uint32_t ash_cpus_count(void);

/* The only one, or -1 if there are more. */
ASH_HIDDEN int64_t ash_cpus_only(void);

/*
 * What part of its time the main thread of another process is on these CPUs, if it takes all
 * of its own alternately: 0 where it has none of these, 1 where it has no others, and where the
 * system does not say.
 */
ASH_HIDDEN double ash_cpus_shared_with(int64_t pid);

#endif
