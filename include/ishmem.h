/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM: set-up, symmetric memory, put and get, signals, atomics, ordering, wait
 * and test, teams, collectives.
 *
 * Compiles as C and, like Intel's own header, as C++, which also has the names
 * without a type (ishmem/overloads.h).  SYCL is not needed.  The extensions, and
 * the routines that are collective over a group, are in ishmemx.h.
 */
#ifndef ISHMEM_H
#define ISHMEM_H

#include <ishmem/setup.h>

#include <ishmem/amo.h>
#include <ishmem/collective.h>
#include <ishmem/rma.h>
#include <ishmem/sync.h>
#include <ishmem/team.h>

#include <ishmem/overloads.h>

#endif
