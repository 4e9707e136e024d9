/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Faults of the machine in kernels: which kernel, block and thread, and where in the program.
 */
#ifndef ASH_LIB_REPORT_CRASH_H
#define ASH_LIB_REPORT_CRASH_H

#include <stdbool.h>
#include <stddef.h>

#include "device/hostdev/hostdev.h"

/* What is known of an access that the machine has refused. */
struct ash_crash {
    const void *address;
    bool write;
    /* Where the program was, and its calls, the innermost first. */
    const void *site;
    void *const *calls;
    int n_calls;
};

/* If set, is asked before all else, with the address of an access: true, it is to be made again. */
extern bool (*ash_crash_wait)(const void *address);

/*
 * If set, is asked next, on the thread that made the access: true, the access is to be made
 * again.  It may end the program with a message, or add to ret_text what the address is.
 */
extern ASH_PRIVATE bool (*ash_crash_look)(const struct ash_crash *crash, char *ret_text,
                                          size_t nbytes);

/*
 * Take the signals of such faults, unless the program, or a sanitizer, has them.  A fault that is
 * not in a kernel goes on to whoever had the signal before.  True if SIGSEGV is taken.
 */
ASH_PRIVATE bool ash_crash_take_signals(void);

#endif
