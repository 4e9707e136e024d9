/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The C library tells the status to the handlers of on_exit alone.  It calls them at the end even
 * if the shared library that has them was closed, so this library must not be unloaded.
 */
#include "lib/base/exit_status.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>

static int kept;

#if defined(__GLIBC__)
static void keep(int status, void *unused)
{
    (void)unused;
    kept = status;
}

/* True if the library cannot be unloaded any more. */
static bool stay_loaded(void)
{
    Dl_info info;
    void *self;
    if (dladdr(&kept, &info) == 0) return false;
    self = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
    return self != NULL && dlclose(self) == 0;
}
#endif

void ash_exit_status_keep(void)
{
#if defined(__GLIBC__)
    static bool keeps;
    if (keeps || !stay_loaded()) return;
    keeps = on_exit(keep, NULL) == 0;
#endif
}

int ash_exit_status(void) { return kept; }
