/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM 1.5, as far as point-to-point synchronization and what a program
 * needs around it go: set-up, symmetric memory, put and get, signals, atomics,
 * ordering, wait and test.  For the host.
 *
 * Compiles as C and as C++.  In C11 the names exist without a type, too; C++ has
 * the same names as overloads.  Not here: contexts, teams, collectives, locks,
 * strided copies, and the names that OpenSHMEM 1.5 calls deprecated, but for
 * shmem_wait.
 */
#ifndef SHMEM_H
#define SHMEM_H

#include <shmem/setup.h>

#include <shmem/amo.h>
#include <shmem/rma.h>
#include <shmem/signal.h>
#include <shmem/sync.h>

#include <shmem/generic.h>
#include <shmem/overloads.h>

#endif
