/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM's fetching atomics that may return before they are done, in a context. */
#define OF_CONTEXTS

#include "tests/pe/shmem_nbi.c"
