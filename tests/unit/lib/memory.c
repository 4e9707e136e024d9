/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heap pages: real when committed, shared with a peer, sealed, without a name.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "tests/unit/unit.h"

#define MIB (UINT64_C(1) << 20)

/* A call that is refused with this error, and the number of that call. */
static struct {
    int error, number;
} forbidden;

static bool is_forbidden(int number)
{
    if (forbidden.error == 0 || forbidden.number != number) return false;
    errno = forbidden.error;
    return true;
}

/* A kernel that is interrupted in long calls, and whose memory ends early. */
static struct {
    off_t longest;
    int64_t budget;
} kernel;

static int limited_fallocate(int fd, int mode, off_t offset, off_t nbytes)
{
    if (is_forbidden(3)) return -1;
    if (mode == 0 && nbytes > kernel.longest) {
        errno = EINTR;
        return -1;
    }
    if (mode == 0 && (kernel.budget -= nbytes) < 0) {
        errno = ENOSPC;
        return -1;
    }
    return fallocate(fd, mode, offset, nbytes);
}

static int tested_memfd_create(const char *name, unsigned flags)
{
    return is_forbidden(0) ? -1 : memfd_create(name, flags);
}

static int tested_ftruncate(int fd, off_t nbytes)
{
    return is_forbidden(1) ? -1 : ftruncate(fd, nbytes);
}

static int tested_fcntl(int fd, int command, ...)
{
    va_list seals;
    int rc;
    va_start(seals, command);
    rc = is_forbidden(2) ? -1 : fcntl(fd, command, va_arg(seals, int));
    va_end(seals);
    return rc;
}

static int new_kernel(void **state)
{
    forbidden.error = 0;
    kernel.longest = (off_t)(1024 * MIB);
    kernel.budget = (int64_t)(1024 * MIB);
    return 0;
}

#define fallocate limited_fallocate
#define memfd_create tested_memfd_create
#define ftruncate tested_ftruncate
#define fcntl tested_fcntl
#include "lib/memory/memfd.c"
#undef fallocate
#undef memfd_create
#undef ftruncate
#undef fcntl

static void test_reserve(void **state)
{
    struct ash_memory m;
    assert_int_equal(ash_memory_reserve(&m, 3 * MIB + 1), 0);
    assert_int_equal(m.file.size, 3 * MIB + (uint64_t)sysconf(_SC_PAGESIZE));
    assert_int_equal((uintptr_t)m.base % (2 * MIB), 0);
    assert_true(fcntl(m.file.fd, F_GETFD) & FD_CLOEXEC);
    assert_int_not_equal(ftruncate(m.file.fd, 4096), 0);
    assert_int_not_equal(ftruncate(m.file.fd, (off_t)(8 * MIB)), 0);
    ash_memory_finish(&m);
    assert_int_not_equal(ash_memory_reserve(&m, 0), 0);
    assert_int_not_equal(ash_memory_reserve(&m, UINT64_MAX), 0);
}

/* Address space is free of charge: 64 heaps of 1 GiB on a small machine. */
static void test_reserve_more_than_the_machine_has(void **state)
{
    struct ash_memory m[64];
    struct stat st;
    for (int i = 0; i < 64; i++) {
        assert_int_equal(ash_memory_reserve(&m[i], 1024 * MIB), 0);
        assert_int_equal(fstat(m[i].file.fd, &st), 0);
        assert_int_equal(st.st_blocks, 0);
    }
    for (int i = 0; i < 64; i++) ash_memory_finish(&m[i]);
}

static void test_commit(void **state)
{
    struct ash_memory m;
    struct stat st;
    assert_int_equal(ash_memory_reserve(&m, 64 * MIB), 0);
    assert_int_equal(ash_memory_commit(&m, 8 * MIB, 16 * MIB), 0);
    assert_int_equal(fstat(m.file.fd, &st), 0);
    assert_int_equal(st.st_blocks * 512, 16 * MIB);
    memset(m.base + 8 * MIB, 1, 16 * MIB);
    assert_int_equal(fstat(m.file.fd, &st), 0);
    assert_int_equal(st.st_blocks * 512, 16 * MIB);
    ash_memory_finish(&m);
}

/* In a child that the kernel kills first, should it come to that. */
static int commit_too_much(void)
{
    struct ash_memory m;
    uint64_t available = ash_memory_available();
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, "1000", 4) != 4) return 2;
    if (available == 0 || available > UINT64_C(1) << 50) return 3;
    if (ash_memory_reserve(&m, 2 * available) != 0) return 4;
    if (ash_memory_commit(&m, 0, 2 * available - 8192) != ASH_ERROR_NO_MEMORY) return 5;
    /* Refused before the first page, so nobody was in danger. */
    if (real_bytes(&m) != 0 || kernel.budget != (int64_t)(1024 * MIB)) return 6;
    ash_memory_finish(&m);
    return 0;
}

/* More than the machine has is an error now, not a signal later. */
static void test_commit_of_too_much_is_an_error(void **state)
{
    int status;
    pid_t child;
    child = fork();
    if (child == 0) {
        alarm(60);
        _exit(commit_too_much());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* Open a heap of a process and map it, as lib/start/peers.c does first. */
static int map_peer(pid_t pid, struct ash_memory_file file, unsigned char **ret_base)
{
    const struct ash_memory own = {.file = {.size = file.size}};
    int rc;
    file.fd = ash_memory_open_peer(pid, file.fd);
    if (file.fd < 0) return ASH_ERROR_SYSTEM;
    rc = ash_memory_map_peer(&own, 0, &file, ret_base);
    close(file.fd);
    return rc;
}

static void test_map_peer(void **state)
{
    struct ash_memory_file other;
    struct ash_memory m;
    unsigned char *peer;
    assert_int_equal(ash_memory_reserve(&m, MIB), 0);
    m.base[100] = 42;
    assert_int_equal(map_peer(getpid(), m.file, &peer), 0);
    assert_true(peer != m.base);
    assert_int_equal(peer[100], 42);
    peer[200] = 43;
    assert_int_equal(m.base[200], 43);
    ash_memory_unmap_peer(peer, m.file.size);
    /* The wrong file, size or process is refused. */
    other = m.file, other.ino++;
    assert_int_equal(map_peer(getpid(), other, &peer), ASH_ERROR_NOT_THE_FILE);
    other = m.file, other.size += 4096;
    assert_int_equal(map_peer(getpid(), other, &peer), ASH_ERROR_NOT_THE_FILE);
    assert_int_equal(ash_memory_map_peer(&m, 0, &other, &peer), ASH_ERROR_NOT_THE_FILE);
    other = m.file, other.fd = 9999;
    assert_int_equal(map_peer(getpid(), other, &peer), ASH_ERROR_SYSTEM);
    ash_memory_finish(&m);
}

/*
 * By which processors of AMD's Zen find a line in the first cache, and those before: so it was
 * found out by measurement ("Take A Way", 2020).  Of bits 12 to 19, each goes with a higher one.
 */
static const unsigned char zen[8] = {27, 26, 25, 20, 21, 22, 23, 24};
static const unsigned char bulldozer[8] = {21, 22, 23, 24, 25, 26, 27, 20};

static unsigned hash_of(const unsigned char *base, const unsigned char *with)
{
    uintptr_t bits = (uintptr_t)base;
    unsigned hash = 0;
    for (unsigned i = 0; i < 8; i++) hash |= ((bits >> (12 + i) ^ bits >> with[i]) & 1) << i;
    return hash;
}

/* The same variable of many PEs: none is where another one is in the cache. */
static void check_apart(uint64_t size)
{
    enum { PEERS = 127 };
    unsigned char *base[PEERS + 1];
    struct ash_memory m;
    assert_int_equal(ash_memory_reserve(&m, size), 0);
    base[PEERS] = m.base;
    for (uint32_t nth = 0; nth < PEERS; nth++) {
        assert_int_equal(ash_memory_map_peer(&m, nth, &m.file, &base[nth]), 0);
        assert_int_equal((uintptr_t)(base[nth] - m.base) % (2 * MIB), 0);
    }
    for (unsigned i = 0; i <= PEERS; i++)
        for (unsigned j = 0; j < i; j++) {
            assert_int_not_equal(hash_of(base[i], zen), hash_of(base[j], zen));
            assert_int_not_equal(hash_of(base[i], bulldozer), hash_of(base[j], bulldozer));
        }
    m.base[size - 1] = 42;
    for (unsigned i = 0; i < PEERS; i++) {
        assert_int_equal(base[i][size - 1], 42);
        ash_memory_unmap_peer(base[i], m.file.size);
    }
    /* The next one is where the first one was. */
    assert_int_equal(ash_memory_map_peer(&m, PEERS, &m.file, &base[1]), 0);
    assert_int_equal(hash_of(base[1], zen), hash_of(base[0], zen));
    ash_memory_unmap_peer(base[1], m.file.size);
    ash_memory_finish(&m);
}

static void test_mapped_peers_do_not_alias(void **state)
{
    check_apart(64 * MIB);
    check_apart(MIB / 2);
}

/* Where there is no address space for that they are mapped all the same. */
static int map_with_little(void)
{
    struct ash_memory m;
    struct rlimit limit;
    unsigned char *peer;
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%lu", &pages) != 1) return 2;
    (void)fclose(file);
    if (ash_memory_reserve(&m, 8 * MIB) != 0) return 3;
    limit.rlim_cur = limit.rlim_max = pages * (uint64_t)sysconf(_SC_PAGESIZE) + 48 * MIB;
    if (setrlimit(RLIMIT_AS, &limit) != 0) return 4;
    if (ash_memory_map_peer(&m, 0, &m.file, &peer) != 0) return 5;
    peer[100] = 42;
    return m.base[100] == 42 ? 0 : 6;
}

static void test_map_peer_with_little_address_space(void **state)
{
    int status;
    pid_t child;
    child = fork();
    if (child == 0) _exit(map_with_little());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* Another process maps it and both see each other's bytes. */
static void test_other_process_sees_the_same_bytes(void **state)
{
    struct ash_memory m;
    int status;
    pid_t child, me = getpid();
    assert_int_equal(ash_memory_reserve(&m, MIB), 0);
    child = fork();
    if (child == 0) {
        unsigned char *peer;
        alarm(20);
        if (map_peer(me, m.file, &peer) != 0) _exit(1);
        peer[5] = 77;
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(m.base[5], 77);
    ash_memory_finish(&m);
}

/* The kernel lets no other user open it. */
static void test_other_user_cannot_open_the_file(void **state)
{
    struct ash_memory m;
    int status;
    pid_t child, me = getpid();
    assert_int_equal(ash_memory_reserve(&m, MIB), 0);
    child = fork();
    if (child == 0) {
        unsigned char *peer;
        alarm(20);
        if (setgid(65534) != 0 || setuid(65534) != 0) _exit(2);
        _exit(map_peer(me, m.file, &peer) == ASH_ERROR_SYSTEM ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    ash_memory_finish(&m);
}

/* No folder has it: nothing can be left behind, not even after kill -9. */
static void test_file_has_no_name(void **state)
{
    struct ash_memory m;
    struct stat st;
    char link[64], name[64] = "";
    assert_int_equal(ash_memory_reserve(&m, MIB), 0);
    assert_int_equal(ash_memory_commit(&m, 0, MIB), 0);
    assert_int_equal(fstat(m.file.fd, &st), 0);
    assert_int_equal(st.st_nlink, 0);
    snprintf(link, sizeof(link), "/proc/self/fd/%d", m.file.fd);
    assert_true(readlink(link, name, sizeof(name) - 1) > 0);
    assert_string_equal(name, "/memfd:anyshmem-heap (deleted)");
    ash_memory_finish(&m);
}

/* Pages that are real are not asked for again, so a freed block can come back. */
static void test_committed_pages_are_not_committed_again(void **state)
{
    struct ash_memory m;
    assert_int_equal(ash_memory_reserve(&m, 2 * ash_memory_available()), 0);
    assert_int_equal(ash_memory_commit(&m, MIB, 40 * MIB), 0);
    assert_int_equal(ash_memory_commit(&m, MIB, 40 * MIB), 0);
    m.credit = 0;
    assert_int_equal(ash_memory_commit(&m, 2 * MIB + 512, 512), 0);
    assert_int_equal(m.credit, 0);
    assert_int_equal(real_bytes(&m), 40 * MIB);
    ash_memory_finish(&m);
}

/* Undo takes the new pages of the last commit, and no others. */
static void test_undo_takes_only_the_last_commit(void **state)
{
    struct ash_memory m;
    assert_int_equal(ash_memory_reserve(&m, 64 * MIB), 0);
    assert_int_equal(ash_memory_commit(&m, 4 * MIB, 4 * MIB), 0);
    memset(m.base + 4 * MIB, 7, 4 * MIB);
    assert_int_equal(ash_memory_commit(&m, 0, 40 * MIB), 0);
    assert_int_equal(real_bytes(&m), 40 * MIB);
    ash_memory_undo(&m);
    assert_int_equal(real_bytes(&m), 4 * MIB);
    assert_int_equal(m.base[4 * MIB], 7);
    assert_int_equal(m.base[8 * MIB - 1], 7);
    ash_memory_undo(&m);
    assert_int_equal(real_bytes(&m), 4 * MIB);
    assert_int_equal(ash_memory_commit(&m, 0, 40 * MIB), 0);
    assert_int_equal(real_bytes(&m), 40 * MIB);
    assert_int_equal(ash_memory_commit(&m, 0, MIB), 0);
    ash_memory_undo(&m);
    assert_int_equal(real_bytes(&m), 40 * MIB);
    ash_memory_finish(&m);
}

/* What is kept stays, also of pages that the last commit has made real, and what was committed
 * last can be undone as before. */
static void test_undo_takes_nothing_that_is_kept(void **state)
{
    struct ash_memory m;
    assert_int_equal(ash_memory_reserve(&m, 64 * MIB), 0);
    assert_int_equal(ash_memory_commit(&m, 8 * MIB, 8 * MIB), 0);
    assert_int_equal(ash_memory_keep(&m, 6 * MIB + 100, 3 * MIB), 0);
    memset(m.base + 6 * MIB, 7, 3 * MIB);
    ash_memory_undo(&m);
    assert_int_equal(real_bytes(&m), 3 * MIB + page_size());
    assert_int_equal(m.base[9 * MIB - 1], 7);
    m.credit = 0;
    assert_int_equal(ash_memory_keep(&m, 6 * MIB, 3 * MIB), 0);
    assert_int_equal(m.credit, 0);
    ash_memory_finish(&m);
}

/* Pages that somebody else made real (UCX pins heaps) cost nothing and stay. */
static void test_pinned_pages_cost_nothing(void **state)
{
    struct ash_memory m;
    assert_int_equal(ash_memory_reserve(&m, 8 * MIB), 0);
    memset(m.base, 3, 8 * MIB);
    assert_int_equal(ash_memory_commit(&m, 0, 8 * MIB), 0);
    ash_memory_undo(&m);
    assert_int_equal(real_bytes(&m), 8 * MIB);
    assert_int_equal(m.base[5 * MIB], 3);
    ash_memory_finish(&m);
}

/* fallocate gives up at each signal, and a profiler sends many. */
static void test_signals_during_a_commit(void **state)
{
    struct ash_memory m;
    kernel.longest = 3 * (off_t)page_size();
    assert_int_equal(ash_memory_reserve(&m, 32 * MIB), 0);
    assert_int_equal(ash_memory_commit(&m, 0, 32 * MIB), 0);
    assert_int_equal(real_bytes(&m), 32 * MIB);
    ash_memory_finish(&m);
}

/* Half-way the memory is gone after all: what was taken is given back. */
static void test_failed_commit_gives_all_back(void **state)
{
    struct ash_memory m;
    assert_int_equal(ash_memory_reserve(&m, 128 * MIB), 0);
    assert_int_equal(ash_memory_commit(&m, 30 * MIB, MIB), 0);
    memset(m.base + 30 * MIB, 9, MIB);
    kernel.budget = (int64_t)(50 * MIB);
    assert_int_equal(ash_memory_commit(&m, MIB, 100 * MIB), ASH_ERROR_NO_MEMORY);
    assert_int_equal(real_bytes(&m), MIB);
    assert_int_equal(m.base[31 * MIB - 1], 9);
    new_kernel(NULL);
    assert_int_equal(ash_memory_commit(&m, MIB, 100 * MIB), 0);
    assert_int_equal(real_bytes(&m), 100 * MIB);
    ash_memory_finish(&m);
}

/* A limit of the shell's is an error, no signal. */
static void test_file_size_limit_is_an_error(void **state)
{
    struct ash_memory m;
    struct rlimit limit, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = MIB;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_int_equal(ash_memory_reserve(&m, 2 * MIB), ASH_ERROR_NO_MEMORY);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* What a container forbids is no lack of memory, and the call is named. */
static void test_forbidden_calls_are_named(void **state)
{
    static const struct {
        int error, rc;
        const char *why;
    } errors[] = {{EPERM, ASH_ERROR_SYSTEM, ": Operation not permitted"},
                  {ENOSYS, ASH_ERROR_SYSTEM, ": Function not implemented"},
                  {ENOMEM, ASH_ERROR_NO_MEMORY, NULL},
                  {ENOSPC, ASH_ERROR_NO_MEMORY, NULL}};
    static const char *const calls[] = {"memfd_create", "ftruncate", "fcntl(F_ADD_SEALS)",
                                        "fallocate"};
    for (int i = 0; i < 16; i++) {
        struct ash_memory m;
        char wanted[96];
        int rc;
        forbidden.number = i / 4;
        forbidden.error = errors[i % 4].error;
        rc = ash_memory_reserve(&m, MIB);
        if (i / 4 == 3) {
            assert_int_equal(rc, 0);
            rc = ash_memory_commit(&m, 0, MIB);
            ash_memory_finish(&m);
        }
        assert_int_equal(rc, errors[i % 4].rc);
        if (rc != ASH_ERROR_SYSTEM) continue;
        snprintf(wanted, sizeof(wanted), "%s%s", calls[i / 4], errors[i % 4].why);
        assert_string_equal(ash_memory_refused(), wanted);
    }
}

/* A file that its owner could shrink under our feet is none of ours. */
static void test_unsealed_file_is_refused(void **state)
{
    struct ash_memory_file file;
    struct stat st;
    unsigned char *peer;
    int fd = memfd_create("stranger", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_int_equal(ftruncate(fd, (off_t)MIB), 0);
    assert_int_equal(fstat(fd, &st), 0);
    file = (struct ash_memory_file){fd, st.st_dev, st.st_ino, MIB};
    assert_int_equal(map_peer(getpid(), file, &peer), ASH_ERROR_NOT_THE_FILE);
    close(fd);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, new_kernel)
    const struct CMUnitTest tests[] = {
        TEST(test_reserve),
        TEST(test_reserve_more_than_the_machine_has),
        TEST(test_commit),
        TEST(test_map_peer),
        TEST(test_other_process_sees_the_same_bytes),
        TEST(test_commit_of_too_much_is_an_error),
        TEST(test_file_has_no_name),
        TEST(test_committed_pages_are_not_committed_again),
        TEST(test_undo_takes_only_the_last_commit),
        TEST(test_undo_takes_nothing_that_is_kept),
        TEST(test_pinned_pages_cost_nothing),
        TEST(test_signals_during_a_commit),
        TEST(test_failed_commit_gives_all_back),
        TEST(test_unsealed_file_is_refused),
        TEST(test_file_size_limit_is_an_error),
        TEST(test_forbidden_calls_are_named),
        TEST(test_mapped_peers_do_not_alias),
        TEST(test_map_peer_with_little_address_space),
        TEST(test_other_user_cannot_open_the_file),
    };
#undef TEST
    /* Only root can be somebody else: the last one is not run, and not counted, without. */
    if (geteuid() == 0) return cmocka_run_group_tests(tests, NULL, NULL);
    puts("# test_other_user_cannot_open_the_file needs root: not run");
    return _cmocka_run_group_tests("tests", tests, sizeof(tests) / sizeof(tests[0]) - 1, NULL,
                                   NULL);
}
