/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM: the routines of its point-to-point synchronization and those that
 * a program needs with it: set-up, symmetric memory, put and get, signals, atomics,
 * ordering, wait and test.
 *
 * Compiles as C and, like Intel's own header, as C++, which also has the names
 * without a type (ishmem/overloads.h).  SYCL is not needed.  The extensions, and
 * the routines that are collective over a group, are in ishmemx.h.
 */
#ifndef ISHMEM_H
#define ISHMEM_H

#include <ishmem/setup.h>

#include <ishmem/amo.h>
#include <ishmem/rma.h>
#include <ishmem/sync.h>

#include <ishmem/overloads.h>

#endif
