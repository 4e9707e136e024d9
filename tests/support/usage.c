/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts descriptors and threads in /proc/self, and takes RssAnon as the process's memory. */
#include "tests/support/usage.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/pe.h"

static int count_entries(const char *folder)
{
    DIR *dir = opendir(folder);
    int n = 0;
    PE_NEED(dir != NULL);
    while (readdir(dir) != NULL) n++;
    closedir(dir);
    return n;
}

int usage_threads(int expected)
{
    int n = count_entries("/proc/self/task");
    for (int ms = 0; n != expected && ms < 2000; ms++) {
        usleep(1000);
        n = count_entries("/proc/self/task");
    }
    return n;
}

struct usage usage_now(void)
{
    struct usage usage = {-1, count_entries("/proc/self/fd"), count_entries("/proc/self/task")};
    FILE *file = fopen("/proc/self/status", "r");
    char line[200];
    PE_NEED(file != NULL);
    while (usage.kib < 0 && fgets(line, sizeof(line), file) != NULL)
        if (sscanf(line, "RssAnon: %ld kB", &usage.kib) == 1) break;
    fclose(file);
    PE_NEED(usage.kib >= 0);
    return usage;
}

/* The inode of the file that is mapped there. */
static ino_t file_at(uintptr_t address)
{
    FILE *file = fopen("/proc/self/maps", "r");
    uintptr_t start, end;
    uintmax_t inode = 0;
    char line[4200];
    bool found = false;
    PE_NEED(file != NULL);
    while (!found && fgets(line, sizeof(line), file) != NULL)
        found = sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %" SCNuMAX, &start, &end,
                       &inode) == 3 && address >= start && address < end;
    fclose(file);
    PE_NEED(found);
    return (ino_t)inode;
}

/* By the library's descriptor of it: mincore does not see pages before their first use. */
long usage_heap_kib(const void *address, bool *ret_all)
{
    ino_t inode = file_at((uintptr_t)address);
    struct stat st;
    for (int fd = 0; fd < 1024; fd++)
        if (fstat(fd, &st) == 0 && st.st_ino == inode && st.st_nlink == 0) {
            *ret_all = st.st_blocks * 512 >= st.st_size;
            return (long)st.st_blocks / 2;
        }
    PE_NEED(false);
    return -1;
}

void usage_check(const struct usage *before, long growth_kib)
{
    struct usage after = usage_now();
    long more = after.kib - before->kib;
    PE_EQUAL(after.n_fds, before->n_fds);
    PE_EQUAL(usage_threads(before->n_threads), before->n_threads);
    if (more > growth_kib) PE_EQUAL(more, growth_kib);
    PE_TRUE(more <= growth_kib);
    if (pe_me == 0)
        printf("usage: of PE 0: %+ld KiB since %ld KiB, %d descriptors\n", more, before->kib,
               after.n_fds - 3);
}
