/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM 1.5: set-up, symmetric memory, put and get, strided ones too, signals,
 * atomics, contexts, locks, ordering, wait and test, teams and collectives, and what OpenSHMEM
 * 1.6 adds to these: blocks with strides, shmem_signal_set, shmem_signal_add,
 * shmem_pe_quiet, shmem_query_initialized and scans.  For the host.
 *
 * Compiles as C and as C++.  C11 also has the generic names without a type; C++
 * has the same names as overloads.  The names that OpenSHMEM 1.5 calls deprecated are in
 * shmem/deprecated.h, shmem/active_set.h and shmem/sync.h (shmem_wait).
 */
#ifndef SHMEM_H
#define SHMEM_H

#include <shmem/setup.h>

#include <shmem/active_set.h>
#include <shmem/amo.h>
#include <shmem/collective.h>
#include <shmem/ctx.h>
#include <shmem/deprecated.h>
#include <shmem/lock.h>
#include <shmem/rma.h>
#include <shmem/signal.h>
#include <shmem/strided.h>
#include <shmem/sync.h>
#include <shmem/team.h>

/* Programs choose by names of others' headers what an OpenSHMEM has: by these two, of Sandia's, all
 * of 1.5 (shmem4py does). */
#define SHMEM_DEF_H
#define SHMEM_FUNCTION_ATTRIBUTES

#include <shmem/generic.h>
#include <shmem/generic_collective.h>
#include <shmem/overloads.h>
#include <shmem/overloads_collective.h>

#endif
