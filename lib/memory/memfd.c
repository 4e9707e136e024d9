/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The heap is a memfd that is sealed, so that no process can shrink it while peers have it
 * mapped.  Peers open it through /proc/PID/fd, which the kernel allows to the same user only;
 * where that fails, its descriptor is passed to them (fd_passing.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/memory/huge.h"
#include "lib/memory/memory.h"

/* Pages are committed, which here means made real, in steps of so many bytes. */
#define CHUNK (UINT64_C(16) << 20)

/*
 * The same variable of two PEs is at the same offset of two heaps, and programs use both
 * alternately.  AMD's processors look up a line in the L1 cache by a hash of bits 12 to 27 of
 * its address: if two lines have the same hash, each access evicts the other line.  So the heap
 * of each peer lies a different number of these steps behind this PE's heap, modulo 256 MiB.
 * Where pages have 4 KiB, a step is the size of a huge page, so that huge pages stay possible.
 */
#define COLOR_BYTES (UINT64_C(2) << 20)
#define COLORS_BYTES (UINT64_C(256) << 20)

/* Flags of a page: it is real; it was made so by the last commit and by nobody else. */
enum { PAGE_REAL = 1, PAGE_FRESH = 2 };

static uint64_t page_size(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t base_alignment(uint64_t size)
{
    uint64_t alignment = page_size();
    while (alignment * 2 <= size && alignment < ASH_MEMORY_ALIGNMENT_MAX) alignment *= 2;
    return alignment;
}

/*
 * Map the file `beyond` bytes behind a multiple of `alignment`: reserve more address space, then
 * map the file over a part of it.  NULL if that fails.
 */
static unsigned char *map_at(int fd, uint64_t size, uint64_t alignment, uint64_t beyond)
{
    uint64_t room = size + alignment, before;
    unsigned char *all = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                              -1, 0);
    unsigned char *base;
    if (all == MAP_FAILED) return NULL;
    before = (beyond - (uintptr_t)all) & (alignment - 1);
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

/* A file larger than the limit would raise SIGXFSZ instead of returning an error. */
static bool file_may_have(uint64_t size)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           size <= limit.rlim_cur;
}

static char refused[96];

const char *ash_memory_refused(void) { return refused; }

/* The error for a call that failed: only some values of errno mean that there is too little. */
static int error_of(const char *call, int error)
{
    switch (error) {
    case ENOMEM:
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EAGAIN: return ASH_ERROR_NO_MEMORY;
    default: break;
    }
    snprintf(refused, sizeof(refused), "%s: %s", call, strerror(error));
    return ASH_ERROR_SYSTEM;
}

int ash_memory_reserve(struct ash_memory *memory, uint64_t size)
{
    uint64_t page = page_size();
    const char *call = "ftruncate";
    struct stat st;
    int error;
    memset(memory, 0, sizeof(*memory));
    size = (size + page - 1) / page * page;
    if (size == 0 || size > INT64_MAX / 2 || !file_may_have(size)) return ASH_ERROR_NO_MEMORY;
    memory->file.fd = memfd_create("anyshmem-heap", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory->file.fd < 0) return error_of("memfd_create", errno);
    if (ftruncate(memory->file.fd, (off_t)size) != 0) goto close_fd;
    call = "fcntl(F_ADD_SEALS)";
    if (fcntl(memory->file.fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        goto close_fd;
    call = "fstat";
    if (fstat(memory->file.fd, &st) != 0) goto close_fd;
    call = "mmap";
    memory->pages = calloc(size / page, 1);
    if (memory->pages == NULL) goto close_fd;
    memory->base = map_at(memory->file.fd, size, base_alignment(size), 0);
    if (memory->base == NULL) goto free_pages;
    memory->file.size = size;
    memory->file.dev = st.st_dev;
    memory->file.ino = st.st_ino;
    return 0;

free_pages:
    error = errno;
    free(memory->pages);
    memory->pages = NULL;
    errno = error;
close_fd:
    error = errno;
    close(memory->file.fd);
    memory->file.fd = -1;
    return error_of(call, error);
}

/* Bytes of the file that are real, also those that UCX made so when it pinned the heap. */
static uint64_t real_bytes(const struct ash_memory *memory)
{
    struct stat st;
    return fstat(memory->file.fd, &st) == 0 ? (uint64_t)st.st_blocks * 512 : 0;
}

static bool affordable(struct ash_memory *memory, uint64_t nbytes)
{
    uint64_t available, real, missing;
    /* First, because most blocks need no new page, and then no system call. */
    if (nbytes <= memory->credit) return true;
    real = real_bytes(memory);
    missing = memory->file.size > real ? memory->file.size - real : 0;
    if (nbytes > missing) nbytes = missing;
    if (nbytes <= memory->credit) return true;
    available = ash_memory_available();
    if (nbytes > available) return false;
    /* Take a small credit only, because other PEs see the same number. */
    memory->credit = available < CHUNK ? available : CHUNK;
    return true;
}

static int punch(const struct ash_memory *memory, uint64_t first, uint64_t end)
{
    return fallocate(memory->file.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                     (off_t)(first * page_size()), (off_t)((end - first) * page_size()));
}

/* Make the pages from first up to end real: 0, or an errno, and none was made so. */
static int fill(struct ash_memory *memory, uint64_t first, uint64_t end)
{
    uint64_t nbytes = (end - first) * page_size(), before = real_bytes(memory);
    unsigned char mark = PAGE_REAL;
    bool made;
    if (!affordable(memory, nbytes)) return ENOMEM;
    /* UCX pins the whole file or nothing of it: then all is real. */
    made = before < memory->file.size &&
           ash_memory_make_huge(memory, first * page_size(), end * page_size());
    if (fallocate(memory->file.fd, 0, (off_t)(first * page_size()), (off_t)nbytes) != 0) {
        int error = errno;
        if (made) punch(memory, first, end);
        return error;
    }
    memory->credit -= nbytes < memory->credit ? nbytes : memory->credit;
    /* If pages were there before, they may be in use, so ash_memory_undo must keep them. */
    if (real_bytes(memory) - before == nbytes) mark |= PAGE_FRESH;
    memset(memory->pages + first, mark, end - first);
    return 0;
}

/* The end of the run of pages from `first` on that all have the flag, or all lack it. */
static uint64_t run_end(const struct ash_memory *memory, uint64_t first, uint64_t end, int mark)
{
    bool has = (memory->pages[first] & mark) != 0;
    while (first < end && ((memory->pages[first] & mark) != 0) == has) first++;
    return first;
}

static uint64_t missing_bytes(const struct ash_memory *memory, uint64_t first, uint64_t end)
{
    uint64_t n = 0;
    for (; first < end; first++) n += (memory->pages[first] & PAGE_REAL) == 0;
    return n * page_size();
}

void ash_memory_undo(struct ash_memory *memory)
{
    uint64_t page = memory->last_first, end = memory->last_end, next;
    for (; page < end; page = next) {
        next = run_end(memory, page, end, PAGE_FRESH);
        if ((memory->pages[page] & PAGE_FRESH) == 0) continue;
        if (punch(memory, page, next) == 0)
            memset(memory->pages + page, 0, next - page);
    }
    memory->last_end = memory->last_first;
}

/* Make the missing pages of a range real, in steps, so that PEs that allocate at the same time
 * see each other's pages in the available memory. */
static int fill_missing(struct ash_memory *memory, uint64_t first, uint64_t end)
{
    uint64_t page, next, step = CHUNK / page_size();
    int rc;
    for (page = first; page < end; page = next) {
        next = run_end(memory, page, end, PAGE_REAL);
        if (memory->pages[page] & PAGE_REAL) continue;
        if (next - page > step) next = page + step;
        rc = fill(memory, page, next);
        if (rc == 0) continue;
        if (rc != EINTR) return error_of("fallocate", rc);
        /* A signal: those of a profiler come so often that only short steps succeed. */
        if (step > 1) step /= 2;
        next = page;
    }
    return 0;
}

int ash_memory_commit(struct ash_memory *memory, uint64_t offset, uint64_t nbytes)
{
    int rc;
    uint64_t page, first = offset / page_size();
    uint64_t end = (offset + nbytes + page_size() - 1) / page_size();
    for (page = memory->last_first; page < memory->last_end; page++)
        memory->pages[page] &= (unsigned char)~PAGE_FRESH;
    memory->last_first = first;
    memory->last_end = end;
    if (memory->huge == ASH_HUGE_SLOW) memory->huge = ASH_HUGE_ASK;
    if (!affordable(memory, missing_bytes(memory, first, end))) return ASH_ERROR_NO_MEMORY;
    rc = fill_missing(memory, first, end);
    if (rc != 0) ash_memory_undo(memory);
    return rc;
}

int ash_memory_keep(struct ash_memory *memory, uint64_t offset, uint64_t nbytes)
{
    uint64_t page, first = offset / page_size();
    uint64_t end = (offset + nbytes + page_size() - 1) / page_size();
    int rc;
    if (!affordable(memory, missing_bytes(memory, first, end))) return ASH_ERROR_NO_MEMORY;
    rc = fill_missing(memory, first, end);
    for (page = first; page < end; page++) memory->pages[page] &= (unsigned char)~PAGE_FRESH;
    return rc;
}

void ash_memory_finish(struct ash_memory *memory)
{
    if (memory->base == NULL) return;
    munmap(memory->base, memory->file.size);
    close(memory->file.fd);
    free(memory->pages);
    memset(memory, 0, sizeof(*memory));
    memory->file.fd = -1;
}

/* Is it the announced file, and sealed against shrinking, which would cause SIGBUS later? */
static bool is_announced(const struct ash_memory_file *file)
{
    struct stat st;
    int seals = fcntl(file->fd, F_GET_SEALS, 0);
    return fstat(file->fd, &st) == 0 && st.st_dev == file->dev && st.st_ino == file->ino &&
           (uint64_t)st.st_size == file->size && seals >= 0 && (seals & F_SEAL_SHRINK);
}

int ash_memory_open_peer(int64_t pid, int fd)
{
    char path[64];
    snprintf(path, sizeof(path), "/proc/%" PRId64 "/fd/%d", pid, fd);
    return open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

/* How far behind a multiple of COLORS_BYTES the heap of the nth mapped peer begins. */
static uint64_t color(const struct ash_memory *own, uint32_t nth)
{
    uint64_t steps = COLORS_BYTES / COLOR_BYTES - 1;
    return ((uintptr_t)own->base + (1 + nth % steps) * COLOR_BYTES) & (COLORS_BYTES - 1);
}

int ash_memory_map_peer(const struct ash_memory *own, uint32_t nth,
                        const struct ash_memory_file *file, unsigned char **ret_base)
{
    void *base;
    /* Offsets are only checked against the size of this PE's heap. */
    if (file->size != own->file.size) return ASH_ERROR_NOT_THE_FILE;
    /* In another PID name space, another process may have the same process id. */
    if (!is_announced(file)) return ASH_ERROR_NOT_THE_FILE;
    base = map_at(file->fd, file->size, COLORS_BYTES, color(own, nth));
    /* Without address space for the alignment, map it anywhere: slower, but it works. */
    if (base == NULL)
        base = mmap(NULL, file->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                    file->fd, 0);
    if (base == MAP_FAILED) return errno == ENOMEM ? ASH_ERROR_NO_MEMORY : ASH_ERROR_SYSTEM;
    *ret_base = base;
    return 0;
}

void ash_memory_unmap_peer(unsigned char *base, uint64_t size)
{
    munmap(base, size);
}

const void *ash_memory_map_part(const struct ash_memory_file *file, uint64_t offset,
                                uint64_t nbytes)
{
    uint64_t within = offset & (page_size() - 1);
    unsigned char *page;
    if (!is_announced(file) || offset + nbytes > file->size) return NULL;
    page = mmap(NULL, within + nbytes, PROT_READ, MAP_SHARED, file->fd, (off_t)(offset - within));
    return page != MAP_FAILED ? page + within : NULL;
}

void ash_memory_unmap_part(const void *part, uint64_t nbytes)
{
    uintptr_t within = (uintptr_t)part & (page_size() - 1);
    munmap((void *)((uintptr_t)part - within), within + nbytes);
}
