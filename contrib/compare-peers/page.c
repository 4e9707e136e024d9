/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that all PEs share without the measured OpenSHMEM, from a memfd of PE 0 or a file: for the
 * limits, and for messages between PEs while they must not call OpenSHMEM.
 */
#include "bench.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void page_wait(const struct line *line, uint64_t value)
{
    unsigned turns = 0;
    while (__atomic_load_n(&line->value, __ATOMIC_ACQUIRE) != value) relax(&turns);
}

/* PE 0 creates a file without a name; the others open it through /proc/PID/fd. */
static int open_file(struct bench *bench)
{
    char path[64];
    long pid = (long)getpid();
    int fd = -1;
    if (bench->me == 0) {
        fd = memfd_create("compare-peers", MFD_CLOEXEC);
        if (fd >= 0 && ftruncate(fd, sizeof(struct page)) != 0) fd = -1;
        for (int pe = 0; pe < bench->n_pes; pe++) {
            shmem_long_p(&bench->words[0], pid, pe);
            shmem_long_p(&bench->words[1], fd, pe);
        }
    }
    shmem_barrier_all();
    if (bench->me == 0 || bench->words[1] < 0) return fd;
    snprintf(path, sizeof(path), "/proc/%ld/fd/%ld", bench->words[0], bench->words[1]);
    return open(path, O_RDWR | O_CLOEXEC);
}

struct page *page_open(struct bench *bench, const char *path)
{
    int fd = path != NULL ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : open_file(bench);
    void *page = MAP_FAILED;
    if (fd >= 0 && (path == NULL || ftruncate(fd, sizeof(struct page)) == 0))
        page = mmap(NULL, sizeof(struct page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED) perror("bench: memory shared by all PEs, which are on one machine");
    /* PE 0 keeps its file open until all have opened it. */
    shmem_barrier_all();
    if (fd >= 0) close(fd);
    if (page == MAP_FAILED) return NULL;
    if (bench->me == 0) memset(page, 0, sizeof(struct page));
    shmem_barrier_all();
    return page;
}
