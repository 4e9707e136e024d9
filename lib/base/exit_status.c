/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The C library tells the status to the handlers of on_exit alone.  It calls them at the end even
 * if the shared library that has them was closed, but this one stays loaded (lib/local.am).
 */
#include "lib/base/exit_status.h"

#include <stdbool.h>
#include <stdlib.h>

static int kept;

#if defined(__GLIBC__)
static void keep(int status, void *unused)
{
    (void)unused;
    kept = status;
}
#endif

void ash_exit_status_keep(void)
{
#if defined(__GLIBC__)
    static bool keeps;
    if (!keeps) keeps = on_exit(keep, NULL) == 0;
#endif
}

int ash_exit_status(void) { return kept; }
