/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heap pages: real when committed, shared with a peer, sealed, without a name.
 */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/error.h"
#include "lib/memory.h"

#define MIB (UINT64_C(1) << 20)

static void test_reserve(void **state)
{
    struct ash_memory m;
    (void)state;
    assert_int_equal(ash_memory_reserve(&m, 3 * MIB + 1), 0);
    assert_int_equal(m.size, 3 * MIB + 4096);
    assert_int_equal((uintptr_t)m.base % (2 * MIB), 0);
    assert_true(fcntl(m.fd, F_GETFD) & FD_CLOEXEC);
    assert_int_not_equal(ftruncate(m.fd, 4096), 0);
    assert_int_not_equal(ftruncate(m.fd, (off_t)(8 * MIB)), 0);
    ash_memory_finish(&m);
    assert_int_not_equal(ash_memory_reserve(&m, 0), 0);
    assert_int_not_equal(ash_memory_reserve(&m, UINT64_MAX), 0);
}

/* Address space is free of charge: 64 heaps of 1 GiB on a small machine. */
static void test_reserve_many(void **state)
{
    struct ash_memory m[64];
    struct stat st;
    (void)state;
    for (int i = 0; i < 64; i++) {
        assert_int_equal(ash_memory_reserve(&m[i], 1024 * MIB), 0);
        assert_int_equal(fstat(m[i].fd, &st), 0);
        assert_int_equal(st.st_blocks, 0);
    }
    for (int i = 0; i < 64; i++) ash_memory_finish(&m[i]);
}

static void test_commit(void **state)
{
    struct ash_memory m;
    struct stat st;
    (void)state;
    assert_int_equal(ash_memory_reserve(&m, 64 * MIB), 0);
    assert_int_equal(ash_memory_commit(&m, 8 * MIB, 16 * MIB), 0);
    assert_int_equal(fstat(m.fd, &st), 0);
    assert_int_equal(st.st_blocks * 512, 16 * MIB);
    memset(m.base + 8 * MIB, 1, 16 * MIB);
    assert_int_equal(fstat(m.fd, &st), 0);
    assert_int_equal(st.st_blocks * 512, 16 * MIB);
    ash_memory_finish(&m);
}

/* More than the machine has is an error now, not a signal later. */
static void test_commit_too_much(void **state)
{
    struct ash_memory m;
    struct stat st;
    uint64_t available = ash_memory_available();
    (void)state;
    assert_true(available > 0 && available < UINT64_C(1) << 50);
    assert_int_equal(ash_memory_reserve(&m, 2 * available), 0);
    assert_int_equal(ash_memory_commit(&m, 0, 2 * available - 8192), ASH_ERROR_NO_MEMORY);
    assert_int_equal(fstat(m.fd, &st), 0);
    assert_int_equal(st.st_blocks, 0);
    ash_memory_finish(&m);
}

static void test_peer(void **state)
{
    struct ash_memory m;
    unsigned char *peer;
    (void)state;
    assert_int_equal(ash_memory_reserve(&m, MIB), 0);
    m.base[100] = 42;
    assert_int_equal(ash_memory_map_peer(getpid(), m.fd, m.dev, m.ino, m.size, &peer), 0);
    assert_true(peer != m.base);
    assert_int_equal(peer[100], 42);
    peer[200] = 43;
    assert_int_equal(m.base[200], 43);
    ash_memory_unmap_peer(peer, m.size);
    /* The wrong file, size or process is refused. */
    assert_int_equal(ash_memory_map_peer(getpid(), m.fd, m.dev, m.ino + 1, m.size, &peer),
                     ASH_ERROR_NOT_THE_FILE);
    assert_int_equal(ash_memory_map_peer(getpid(), m.fd, m.dev, m.ino, m.size + 4096, &peer),
                     ASH_ERROR_NOT_THE_FILE);
    assert_int_equal(ash_memory_map_peer(getpid(), 9999, m.dev, m.ino, m.size, &peer),
                     ASH_ERROR_SYSTEM);
    ash_memory_finish(&m);
}

/* Another process maps it and both see each other's bytes. */
static void test_other_process(void **state)
{
    struct ash_memory m;
    int status;
    pid_t child, me = getpid();
    (void)state;
    assert_int_equal(ash_memory_reserve(&m, MIB), 0);
    child = fork();
    if (child == 0) {
        unsigned char *peer;
        alarm(20);
        if (ash_memory_map_peer(me, m.fd, m.dev, m.ino, m.size, &peer) != 0) _exit(1);
        peer[5] = 77;
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(m.base[5], 77);
    ash_memory_finish(&m);
}

/* The kernel lets no other user open it. */
static void test_other_user(void **state)
{
    struct ash_memory m;
    int status;
    pid_t child, me = getpid();
    (void)state;
    assert_int_equal(ash_memory_reserve(&m, MIB), 0);
    child = fork();
    if (child == 0) {
        unsigned char *peer;
        alarm(20);
        if (setgid(65534) != 0 || setuid(65534) != 0) _exit(2);
        _exit(ash_memory_map_peer(me, m.fd, m.dev, m.ino, m.size, &peer) == ASH_ERROR_SYSTEM ? 0
                                                                                          : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    ash_memory_finish(&m);
}

static int count_shm(void)
{
    DIR *dir = opendir("/dev/shm");
    int n = 0;
    if (dir == NULL) return 0;
    while (readdir(dir) != NULL) n++;
    closedir(dir);
    return n;
}

static void test_no_name(void **state)
{
    struct ash_memory m;
    int before = count_shm();
    (void)state;
    assert_int_equal(ash_memory_reserve(&m, MIB), 0);
    assert_int_equal(ash_memory_commit(&m, 0, MIB), 0);
    assert_int_equal(count_shm(), before);
    ash_memory_finish(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reserve),    cmocka_unit_test(test_reserve_many),
        cmocka_unit_test(test_commit),     cmocka_unit_test(test_commit_too_much),
        cmocka_unit_test(test_peer),       cmocka_unit_test(test_other_process),
        cmocka_unit_test(test_no_name),    cmocka_unit_test(test_other_user),
    };
    /* Only root can be somebody else: the last one is not run, and not counted, without. */
    if (geteuid() == 0) return cmocka_run_group_tests(tests, NULL, NULL);
    puts("# test_other_user needs root: not run");
    return _cmocka_run_group_tests("tests", tests, sizeof(tests) / sizeof(tests[0]) - 1, NULL, NULL);
}
