/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PE that others try to look into: it says where its heap is, and stays as long
 * as the file of its argument.  security.sh looks.
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

int main(int argc, char **argv)
{
    uint64_t *word;
    int me;
    alarm(100);
    nvshmem_init();
    me = nvshmem_my_pe();
    word = nvshmem_calloc(64, sizeof(*word));
    *word = 42;
    nvshmem_barrier_all();
    nvshmem_uint64_atomic_add(&word[1], 1, (me + 1) % nvshmem_n_pes());
    nvshmem_barrier_all();
    printf("PE %d: process %d, heap /proc/%d/fd/%d\n", me, (int)getpid(),
           (int)getpid(), heap_fd());
    fflush(stdout);
    while (argc > 1 && access(argv[1], F_OK) == 0) usleep(20000);
    nvshmem_barrier_all();
    if (word[1] != 1) printf("PE %d: %llu\n", me, (unsigned long long)word[1]);
    nvshmem_finalize();
    printf("PE %d: done\n", me);
    return 0;
}
