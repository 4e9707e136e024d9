/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that the program did not start. */
#ifndef TESTS_SUPPORT_OTHERS_H
#define TESTS_SUPPORT_OTHERS_H

#include <dirent.h>
#include <stddef.h>
#include <unistd.h>

/*
 * UCX has a thread that works for a moment when a program begins, and may stay: a lock that
 * it has at a fork nobody gives back in the child, and it counts as a process of the user.
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
