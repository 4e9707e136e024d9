/* SPDX-License-Identifier: BSD-3-Clause */
/* For programs that fork: wait until threads that the program did not start have ended. */
#ifndef TESTS_SUPPORT_OTHERS_H
#define TESTS_SUPPORT_OTHERS_H

#include <dirent.h>
#include <stddef.h>
#include <unistd.h>

/*
 * UCX starts a thread when a program begins; it works for a moment, and may stay.  If it holds
 * a lock at a fork, no thread releases that lock in the child.  It also counts against the
 * user's limit of processes.
 */
static inline void let_others_end(void)
{
    static int stays;
    for (int ms = 0; !stays; ms++) {
        DIR *threads = opendir("/proc/self/task");
        int n = 0;
        if (threads == NULL) return;
        while (readdir(threads) != NULL) n++;
        closedir(threads);
        if (n <= 3) return; /* ".", ".." and this one */
        usleep(1000);
        stays = ms >= 2000;
    }
}

#endif
