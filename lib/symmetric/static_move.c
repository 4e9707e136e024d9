/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves pages of static variables into the heap's file and back, piece by piece: a piece is copied,
 * and mapped where it was.  Other threads may write meanwhile (static_guard.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device/hostdev/fiber_tools.h"
#include "lib/symmetric/static_guard.h"
#include "lib/symmetric/static_parts.h"

#define PIECE (UINT64_C(1) << 20)
#define SMALL_PIECE (UINT64_C(64) << 10)
#define PAGES_MOST (PIECE >> 12)
/* A piece is copied so often at most: one that changes all the time is taken as it is. */
#define TRIES 100u

typedef uint64_t __attribute__((may_alias)) word;

static uint64_t page_size(void) { return (uint64_t)sysconf(_SC_PAGESIZE); }

/* Not instrumented, for there is memory of sanitizers between the variables; not memcpy, which
 * they replace. */
ASH_NO_TOOL static void copy_page(unsigned char *to, const unsigned char *from, uint64_t nbytes,
                                  bool is_zero)
{
    const volatile word *source = (const volatile word *)(const volatile void *)from;
    volatile word *dest = (volatile word *)(volatile void *)to;
    size_t i = 0, n = nbytes / sizeof(word);
    while (is_zero && i < n && source[i] == 0) i++;
    for (; i < n; i++) dest[i] = source[i];
}

ASH_NO_TOOL static uint64_t digest_page(uint64_t digest, const unsigned char *from,
                                        uint64_t nbytes)
{
    const volatile word *source = (const volatile word *)(const volatile void *)from;
    for (size_t i = 0; i < nbytes / sizeof(word); i++)
        digest = (digest ^ source[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return digest;
}

/* A piece of a part. */
struct piece {
    unsigned char *from, *to;
    uint64_t nbytes, page;
    /* For each page: it may have something else than zeros. */
    bool has[PAGES_MOST];
};

/* Bits 63 and 62 of its word in /proc/PID/pagemap say that a page is there, or on disk. */
static void find_pages(struct piece *piece, int pagemap, const unsigned char *file_end)
{
    uint64_t n = piece->nbytes / piece->page, words[PAGES_MOST];
    off_t at = (off_t)((uintptr_t)piece->from / piece->page * sizeof(words[0]));
    ssize_t nbytes = (ssize_t)(n * sizeof(words[0]));
    bool known = pagemap >= 0 && pread(pagemap, words, (size_t)nbytes, at) == nbytes;
    for (uint64_t i = 0; i < n; i++)
        piece->has[i] = !known || words[i] >> 62 != 0 ||
                        piece->from + i * piece->page < file_end;
}

static uint64_t digest(const struct piece *piece)
{
    uint64_t all = 0;
    for (uint64_t i = 0; i < piece->nbytes / piece->page; i++)
        if (piece->has[i])
            all = digest_page(all + i, piece->from + i * piece->page, piece->page);
    return all;
}

static void copy_piece(const struct piece *piece, bool is_zero)
{
    for (uint64_t i = 0; i < piece->nbytes / piece->page; i++)
        if (piece->has[i])
            copy_page(piece->to + i * piece->page, piece->from + i * piece->page, piece->page,
                      is_zero);
}

/* How parts are moved: the same for all pieces of one. */
struct move {
    const struct ash_static_part *part;
    enum ash_static_guard guard;
    int fd, pagemap;
};

/* Copy a piece until nobody has written to it meanwhile.  0 or an errno. */
static int copy_undisturbed(const struct move *move, struct piece *piece)
{
    const struct ash_static_part *part = move->part;
    uint64_t before;
    bool done = false;
    for (unsigned tries = 0; !done && tries < TRIES; tries++) {
        int error = ash_static_guard_begin(move->guard, piece->from, piece->nbytes,
                                           part->protection);
        if (error != 0) return error;
        find_pages(piece, move->pagemap, part->begin + part->file_nbytes);
        before = move->guard == ASH_STATIC_COMPARED ? digest(piece) : 0;
        /* The file is all zeros at first. */
        copy_piece(piece, tries == 0);
        done = !ash_static_guard_disturbed();
        if (move->guard == ASH_STATIC_COMPARED) {
            find_pages(piece, move->pagemap, part->begin + part->file_nbytes);
            done = digest(piece) == before;
        }
    }
    return 0;
}

static int move_piece(const struct move *move, unsigned char *heap, uint64_t at, uint64_t nbytes)
{
    const struct ash_static_part *part = move->part;
    struct piece piece = {.from = part->begin + at,
                          .to = heap + part->offset + at,
                          .nbytes = nbytes,
                          .page = page_size()};
    sigset_t before;
    int error;
    ash_static_guard_block(&before);
    error = copy_undisturbed(move, &piece);
    if (error == 0 &&
        mmap(piece.from, nbytes, part->protection, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
             move->fd, (off_t)(part->offset + at)) == MAP_FAILED)
        error = errno;
    ash_static_guard_end(move->guard, error);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

int ash_static_part_move(const struct ash_static_part *part, enum ash_static_guard guard, int fd,
                         unsigned char *heap)
{
    struct move move = {part, guard, fd,
                        open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)};
    uint64_t nbytes, most = guard == ASH_STATIC_COMPARED ? SMALL_PIECE : PIECE;
    struct ash_static_part moved = *part;
    int error = 0;
    for (moved.nbytes = 0; moved.nbytes < part->nbytes; moved.nbytes += nbytes) {
        nbytes = part->nbytes - moved.nbytes < most ? part->nbytes - moved.nbytes : most;
        error = move_piece(&move, heap, moved.nbytes, nbytes);
        if (error != 0) break;
    }
    if (move.pagemap >= 0) close(move.pagemap);
    if (error != 0 && moved.nbytes > 0) (void)ash_static_part_move_back(&moved, guard, fd);
    return error;
}

/* Copy those pages of a moved part that its file has. */
static void copy_data(const struct ash_static_part *part, int fd, unsigned char *to, bool is_zero)
{
    uint64_t page = page_size(), end = part->offset + part->nbytes, at = part->offset;
    off_t data, hole;
    for (; at < end; at = (uint64_t)hole) {
        data = lseek(fd, (off_t)at, SEEK_DATA);
        if (data < 0 && errno == ENXIO) return;
        if (data < 0) data = (off_t)at;
        hole = lseek(fd, data, SEEK_HOLE);
        if (hole < 0 || (uint64_t)hole > end) hole = (off_t)end;
        for (at = (uint64_t)data; at < (uint64_t)hole; at += page)
            copy_page(to + (at - part->offset), part->begin + (at - part->offset), page, is_zero);
    }
}

static unsigned char *make_copy(const struct ash_static_part *part)
{
    unsigned char *copy = mmap(NULL, part->nbytes, part->protection,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return copy == MAP_FAILED ? NULL : copy;
}

unsigned char *ash_static_part_copy(const struct ash_static_part *part, int fd)
{
    unsigned char *copy = make_copy(part);
    if (copy != NULL) copy_data(part, fd, copy, true);
    return copy;
}

/*
 * UCX takes the place of mremap, and loses the new address (its libucm, seen with 1.13), so the
 * system is called itself.  That UCX, if MPI uses it, forgets what it knows of these pages, it has
 * to be told by another call: this one changes nothing, for their memory is a file's.
 */
int ash_static_part_replace(const struct ash_static_part *part, unsigned char *copy)
{
    (void)madvise(part->begin, part->nbytes, MADV_DONTNEED);
    return syscall(SYS_mremap, copy, part->nbytes, part->nbytes, MREMAP_MAYMOVE | MREMAP_FIXED,
                   part->begin) == -1
               ? errno
               : 0;
}

int ash_static_part_move_back(const struct ash_static_part *part, enum ash_static_guard guard,
                              int fd)
{
    unsigned char *copy = make_copy(part);
    bool done = false;
    sigset_t before;
    int error = 0;
    if (copy == NULL) return ENOMEM;
    ash_static_guard_block(&before);
    for (unsigned tries = 0; error == 0 && !done && tries < TRIES; tries++) {
        error = ash_static_guard_begin(guard, part->begin, part->nbytes, part->protection);
        if (error == 0) copy_data(part, fd, copy, tries == 0);
        done = !ash_static_guard_disturbed();
    }
    /* Once more, so that what has changed meanwhile is not lost. */
    if (error == 0 && guard == ASH_STATIC_COMPARED) copy_data(part, fd, copy, false);
    if (error == 0) error = ash_static_part_replace(part, copy);
    ash_static_guard_end(guard, error);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0) munmap(copy, part->nbytes);
    return error;
}
