/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The heap is a sealed memfd: nobody can shrink it under a peer's feet.  Peers
 * open it through /proc/PID/fd, which the kernel allows to the same user only.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/error.h"
#include "lib/memory.h"

#define MAX_ALIGNMENT (UINT64_C(1) << 30)
/* Left to the rest of the machine. */
#define MARGIN (UINT64_C(64) << 20)

static uint64_t base_alignment(uint64_t size)
{
    uint64_t alignment = (uint64_t)sysconf(_SC_PAGESIZE);
    while (alignment * 2 <= size && alignment < MAX_ALIGNMENT) alignment *= 2;
    return alignment;
}

/* Map the file at a multiple of `alignment`: reserve more, then map over it. */
static unsigned char *map_aligned(int fd, uint64_t size, uint64_t alignment)
{
    uint64_t room = size + alignment, before;
    unsigned char *all = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                              -1, 0);
    unsigned char *base;
    if (all == MAP_FAILED) return NULL;
    before = (alignment - ((uintptr_t)all & (alignment - 1))) & (alignment - 1);
    base = mmap(all + before, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED,
                fd, 0);
    if (base == MAP_FAILED) {
        munmap(all, room);
        return NULL;
    }
    if (before > 0) munmap(all, before);
    munmap(base + size, room - before - size);
    return base;
}

int ash_memory_reserve(struct ash_memory *memory, uint64_t size)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    struct stat st;
    memset(memory, 0, sizeof(*memory));
    size = (size + page - 1) / page * page;
    if (size == 0 || size > INT64_MAX / 2) return ASH_ERROR_NO_MEMORY;
    memory->fd = memfd_create("anyshmem-heap", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory->fd < 0) return ASH_ERROR_SYSTEM;
    if (ftruncate(memory->fd, (off_t)size) != 0) goto close_fd;
    if (fcntl(memory->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        goto close_fd;
    if (fstat(memory->fd, &st) != 0) goto close_fd;
    memory->base = map_aligned(memory->fd, size, base_alignment(size));
    if (memory->base == NULL) goto close_fd;
    memory->size = size;
    memory->dev = st.st_dev;
    memory->ino = st.st_ino;
    return 0;

close_fd:
    close(memory->fd);
    memory->fd = -1;
    return ASH_ERROR_NO_MEMORY;
}

/* The number in the first line of a file that starts with `key`, or `otherwise`. */
static uint64_t read_number(const char *path, const char *key, uint64_t otherwise)
{
    char line[256];
    FILE *file = fopen(path, "re");
    uint64_t number = otherwise;
    size_t length = strlen(key);
    if (file == NULL) return otherwise;
    while (fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, key, length) != 0) continue;
        if (sscanf(line + length, "%" SCNu64, &number) != 1) number = otherwise;
        break;
    }
    fclose(file);
    return number;
}

/* What this process's control group may still use (version 2, then 1). */
static uint64_t control_group_left(void)
{
    static const char *const files[2][2] = {
        {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes",
         "/sys/fs/cgroup/memory/memory.usage_in_bytes"}};
    for (int i = 0; i < 2; i++) {
        uint64_t limit = read_number(files[i][0], "", UINT64_MAX);
        uint64_t used = read_number(files[i][1], "", 0);
        if (limit != UINT64_MAX) return limit > used ? limit - used : 0;
    }
    return UINT64_MAX;
}

uint64_t ash_memory_available(void)
{
    uint64_t kib = read_number("/proc/meminfo", "MemAvailable:", UINT64_MAX / 1024);
    uint64_t machine = kib * 1024, group = control_group_left();
    uint64_t left = machine < group ? machine : group;
    return left > MARGIN ? left - MARGIN : 0;
}

int ash_memory_commit(struct ash_memory *memory, uint64_t offset, uint64_t nbytes)
{
    /* Looking costs a system call or two: not worth it for small blocks. */
    if (nbytes >= MARGIN / 16 && nbytes > ash_memory_available()) return ASH_ERROR_NO_MEMORY;
    if (fallocate(memory->fd, 0, (off_t)offset, (off_t)nbytes) != 0) return ASH_ERROR_NO_MEMORY;
    return 0;
}

void ash_memory_finish(struct ash_memory *memory)
{
    if (memory->base == NULL) return;
    munmap(memory->base, memory->size);
    close(memory->fd);
    memset(memory, 0, sizeof(*memory));
    memory->fd = -1;
}

int ash_memory_map_peer(int64_t pid, int fd, uint64_t dev, uint64_t ino, uint64_t size,
                        unsigned char **ret_base)
{
    char path[64];
    struct stat st;
    void *base = MAP_FAILED;
    int mine, rc = ASH_ERROR_SYSTEM;
    snprintf(path, sizeof(path), "/proc/%" PRId64 "/fd/%d", pid, fd);
    mine = open(path, O_RDWR | O_CLOEXEC);
    if (mine < 0) return rc;
    /* Another PID name space has other processes under the same numbers. */
    if (fstat(mine, &st) != 0 || st.st_dev != dev || st.st_ino != ino ||
        (uint64_t)st.st_size != size)
        rc = ASH_ERROR_NOT_THE_FILE;
    else
        base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, mine, 0);
    close(mine);
    if (base == MAP_FAILED) return rc;
    *ret_base = base;
    return 0;
}

void ash_memory_unmap_peer(unsigned char *base, uint64_t size)
{
    munmap(base, size);
}
