/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A shared library with symmetric variables, for static.c: it calls OpenSHMEM.
 */
#include "tests/pe/static_library.h"

#include <shmem.h>

long *static_of_library(void)
{
    static long variable[STATIC_OF_LIBRARY] = {1, 2};
    return variable;
}

int static_library_pes(void) { return shmem_n_pes(); }
