/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PE that others try to look into: it says where its heap is, and stays until
 * its standard input ends.  security.sh looks.
 *
 *   PE I: process PID, heap PATH
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <nvshmem.h>

/* The descriptor of the heap's file, found as anybody would who may look. */
static int heap_fd(void)
{
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    int found = -1;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char path[300], target[300] = "";
        snprintf(path, sizeof(path), "/proc/self/fd/%s", entry->d_name);
        if (readlink(path, target, sizeof(target) - 1) > 0 &&
            strncmp(target, "/memfd:anyshmem-heap", 20) == 0)
            sscanf(entry->d_name, "%d", &found);
    }
    if (folder != NULL) closedir(folder);
    return found;
}

int main(void)
{
    uint64_t *word;
    char byte;
    alarm(100);
    nvshmem_init();
    word = nvshmem_calloc(64, sizeof(*word));
    *word = 42;
    nvshmem_barrier_all();
    nvshmem_uint64_atomic_add(&word[1], 1, (nvshmem_my_pe() + 1) % nvshmem_n_pes());
    nvshmem_barrier_all();
    printf("PE %d: process %d, heap /proc/%d/fd/%d\n", nvshmem_my_pe(), (int)getpid(),
           (int)getpid(), heap_fd());
    fflush(stdout);
    /* The launcher gives input to PE 0 alone: the others wait for it. */
    if (nvshmem_my_pe() == 0)
        while (read(STDIN_FILENO, &byte, 1) > 0) {
        }
    nvshmem_barrier_all();
    if (word[1] != 1) printf("PE %d: %llu\n", nvshmem_my_pe(), (unsigned long long)word[1]);
    nvshmem_finalize();
    printf("PE %d: done\n", nvshmem_my_pe());
    return 0;
}
