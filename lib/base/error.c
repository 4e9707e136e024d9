/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The texts of errors, and the log lines of two errors that occur in many places.
 */
#include "lib/base/error.h"

#include <string.h>

#include "lib/base/log.h"

enum ash_library_state ash_library_state;

const char *ash_error_text(int error)
{
    switch (error) {
    case 0: return "no error";
#define X(NAME, VALUE, TEXT) \
    case ASH_ERROR_##NAME: return TEXT;
        ASH_ERRORS(X)
#undef X
    default: return "unknown error";
    }
}

int ash_no_memory_for(const char *what)
{
    ash_log(ASH_LOG_ERROR, "out of memory for %s", what);
    return ASH_ERROR_NO_MEMORY;
}

int ash_no_thread_for(const char *what, int why)
{
    ash_log(ASH_LOG_ERROR, "cannot start a thread for %s (%s): set the limit of processes higher "
                           "(ulimit -u, or pids.max of the control group)", what, strerror(why));
    return ASH_ERROR_SYSTEM;
}
