/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiles OpenSHMEM's strided copies for the CPU.
 */
#include "device/api/shmem_strided.h"

_Static_assert(sizeof(long double) == 8 || sizeof(long double) == 16,
               "ash_copy_element copies a long double");
