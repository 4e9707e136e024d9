/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM's interface, as far as its point-to-point synchronization and
 * what a program needs around it go: set-up, symmetric memory, put and get,
 * signals, atomics, ordering, wait and test.
 *
 * Compiles as C and, as Intel's own header, as C++: there the names exist
 * without a type, too (ishmem/overloads.h).  No SYCL is needed.  The extensions
 * and what is collective over a group stand in ishmemx.h.
 */
#ifndef ISHMEM_H
#define ISHMEM_H

#include <ishmem/setup.h>

#include <ishmem/amo.h>
#include <ishmem/rma.h>
#include <ishmem/sync.h>

#include <ishmem/overloads.h>

#endif
