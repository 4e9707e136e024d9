/* SPDX-License-Identifier: BSD-3-Clause */
/* Which CPUs the calling thread may use, and how far another process shares them. */
#ifndef ASH_DEVICE_HOSTDEV_CPUS_H
#define ASH_DEVICE_HOSTDEV_CPUS_H

#include <stdint.h>

#include "device/hostdev/hostdev.h"

/* How many CPUs the caller may use; 0 where the system does not say. */
ASH_HIDDEN uint32_t ash_cpus_count(void);

/* The number of the only CPU that the caller may use; -1 if there are more, or it is unknown. */
ASH_HIDDEN int64_t ash_cpus_only(void);

/*
 * The part of its time that the main thread of another process spends on the caller's CPUs, if
 * it uses all of its own equally: 0 if it may use none of the caller's, 1 if it may use no
 * others, and 1 where the system does not say.
 */
ASH_HIDDEN double ash_cpus_shared_with(int64_t pid);

#endif
