/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM 1.5: the routines of point-to-point synchronization and those that a
 * program needs with it: set-up, symmetric memory, put and get, signals, atomics,
 * ordering, wait and test.  For the host.
 *
 * Compiles as C and as C++.  C11 also has the generic names without a type; C++
 * has the same names as overloads.  Not here: teams, collectives, locks,
 * and the names that OpenSHMEM 1.5 calls deprecated, except
 * shmem_wait.
 */
#ifndef SHMEM_H
#define SHMEM_H

#include <shmem/setup.h>

#include <shmem/amo.h>
#include <shmem/ctx.h>
#include <shmem/rma.h>
#include <shmem/signal.h>
#include <shmem/strided.h>
#include <shmem/sync.h>

#include <shmem/generic.h>
#include <shmem/overloads.h>

#endif
