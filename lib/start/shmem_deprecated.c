/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The start of the library under OpenSHMEM's oldest name.
 */
#include <shmem.h>

#include "lib/base/error.h"
#include "lib/start/init.h"

void start_pes(int npes)
{
    (void)npes;
    if (ash_library_state != ASH_LIBRARY_STARTED) ash_init_openshmem("start_pes");
}
