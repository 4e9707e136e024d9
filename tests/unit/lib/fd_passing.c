/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The heap's file, passed over a local socket; and what is made of a PE that has none.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/cause.h"
#include "lib/base/deadline.h"
#include "lib/base/error.h"
#include "lib/watch/status.h"
#include "lib/memory/fd_passing.h"
#include "lib/watch/peer.h"
#include "tests/unit/unit.h"

static int heap;

static int start(void **state)
{
    alarm(60);
    heap = memfd_create("heap", MFD_CLOEXEC);
    return heap < 0;
}

static int stop(void **state)
{
    ash_fd_passing_stop();
    return close(heap);
}

static bool is_heap(int fd)
{
    struct stat mine, theirs;
    return fstat(heap, &mine) == 0 && fstat(fd, &theirs) == 0 && mine.st_dev == theirs.st_dev &&
           mine.st_ino == theirs.st_ino;
}

/* Ask in another process, as another user if told so: what ask returned, or 100. */
static int ask_elsewhere(const struct ash_fd_passing *passing, bool other_user)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        int fd = -1, rc;
        alarm(30);
        if (other_user && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(101);
        rc = ash_fd_passing_receive(passing, &fd, NULL);
        _exit(rc == 0 && !is_heap(fd) ? 100 : -rc);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_pass(void **state)
{
    struct ash_fd_passing passing;
    assert_int_equal(ash_fd_passing_start(heap, &passing), 0);
    for (int i = 0; i < 100; i++) {
        int fd = -1;
        assert_int_equal(ash_fd_passing_receive(&passing, &fd, NULL), 0);
        assert_true(is_heap(fd));
        assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
        close(fd);
    }
    assert_int_equal(ask_elsewhere(&passing, false), 0);
}

/* A process that sees the address but was not told the key gets nothing. */
static void test_wrong_key_gets_nothing(void **state)
{
    struct ash_fd_passing passing;
    int fd;
    assert_int_equal(ash_fd_passing_start(heap, &passing), 0);
    passing.key[1]++;
    assert_int_equal(ash_fd_passing_receive(&passing, &fd, NULL), ASH_ERROR_SYSTEM);
    passing.key[1]--;
    assert_int_equal(ask_elsewhere(&passing, false), 0);
}

/* A connection to the socket that says nothing. */
static int come_silently(const struct ash_fd_passing *passing)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), length;
    length = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
                      "anyshmem-%016" PRIx64 "%016" PRIx64, passing->name[0], passing->name[1]);
    assert_int_equal(connect(fd, (struct sockaddr *)&address,
                             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
                                         (size_t)length)), 0);
    return fd;
}

/* Processes of this user that connect and are silent, even many, delay nobody. */
static void test_silent_processes_delay_nobody(void **state)
{
    struct ash_fd_passing passing;
    int silent[100], fd = -1;
    int64_t began = ash_now_ms();
    assert_int_equal(ash_fd_passing_start(heap, &passing), 0);
    for (int i = 0; i < 100; i++) {
        silent[i] = come_silently(&passing);
        if (i % 10 != 0) continue;
        assert_int_equal(ash_fd_passing_receive(&passing, &fd, NULL), 0);
        assert_true(is_heap(fd));
        close(fd);
    }
    /* A part of a key is none. */
    assert_int_equal(send(silent[99], passing.key, 8, MSG_NOSIGNAL), 8);
    assert_int_equal(ask_elsewhere(&passing, false), 0);
    ash_fd_passing_stop();
    assert_true(ash_now_ms() - began < 5000);
    for (int i = 0; i < 100; i++) close(silent[i]);
}

/* Passing anew has a new name and a new key; the old one is gone. */
static void test_stop(void **state)
{
    struct ash_fd_passing first, second;
    int fd;
    assert_int_equal(ash_fd_passing_start(heap, &first), 0);
    ash_fd_passing_stop();
    assert_int_equal(ash_fd_passing_receive(&first, &fd, NULL), ASH_ERROR_SYSTEM);
    assert_int_equal(ash_fd_passing_start(heap, &second), 0);
    assert_memory_not_equal(first.name, second.name, sizeof(first.name));
    assert_memory_not_equal(first.key, second.key, sizeof(first.key));
    assert_int_equal(ash_fd_passing_receive(&first, &fd, NULL), ASH_ERROR_SYSTEM);
    assert_int_equal(ask_elsewhere(&second, false), 0);
}

static void test_no_fd_passing(void **state)
{
    const struct ash_fd_passing none = {{0, 0}, {0, 0}};
    int fd;
    assert_int_equal(ash_fd_passing_receive(&none, &fd, NULL), ASH_ERROR_SYSTEM);
}

/* Another user gets nothing, although it knows all; needs root to play one. */
static void test_other_user_gets_nothing(void **state)
{
    struct ash_fd_passing passing;
    assert_int_equal(ash_fd_passing_start(heap, &passing), 0);
    assert_int_equal(ask_elsewhere(&passing, true), -ASH_ERROR_SYSTEM);
    assert_int_equal(ask_elsewhere(&passing, false), 0);
}

static unsigned open_descriptors(void)
{
    unsigned n = 0;
    for (int fd = 0; fd < 1024; fd++) n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

/* In place of a PE: pass so many descriptors to whoever connects. */
static void hand_over(int listener, size_t n)
{
    int fds[3] = {heap, heap, heap}, to = accept(listener, NULL, NULL);
    char byte = 1, key[sizeof(((struct ash_fd_passing *)0)->key)];
    char room[CMSG_SPACE(sizeof(fds))] = {0};
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = room,
                             .msg_controllen = CMSG_SPACE(n * sizeof(int))};
    struct cmsghdr *part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(n * sizeof(int));
    memcpy(CMSG_DATA(part), fds, n * sizeof(int));
    /* Or it is gone before the other one has asked. */
    if (to < 0 || recv(to, key, sizeof(key), MSG_WAITALL) != (ssize_t)sizeof(key)) _exit(2);
    _exit(sendmsg(to, &message, 0) == 1 ? 0 : 1);
}

/* One or two descriptors are taken; of three none is, and none stays open. */
static void test_too_many_descriptors_are_refused(void **state)
{
    const struct ash_fd_passing passing = {{7, (uint64_t)getpid()}, {1, 2}};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), length;
    length = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
                      "anyshmem-%016" PRIx64 "%016" PRIx64, passing.name[0], passing.name[1]);
    assert_int_equal(bind(listener, (struct sockaddr *)&address,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)),
                     0);
    assert_int_equal(listen(listener, 1), 0);
    for (size_t n = 1; n <= 3; n++) {
        unsigned before = open_descriptors();
        int fd = -1, status, rc;
        pid_t child = fork();
        if (child == 0) hand_over(listener, n);
        rc = ash_fd_passing_receive(&passing, &fd, NULL);
        assert_int_equal(rc, n < 3 ? 0 : ASH_ERROR_SYSTEM);
        if (rc == 0) close(fd);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        assert_int_equal(open_descriptors(), before);
    }
    close(listener);
}

/* What a PE does that cannot reach the socket of one whose number no process has. */
static int look_for_gone(uint64_t pid_space)
{
    struct ash_record record = {.pe = 1, .fd = 3, .fd_passing = {{1, 2}, {3, 4}}};
    int status;
    pid_t child = fork();
    if (child == 0) _exit(0);
    assert_int_equal(waitpid(child, &status, 0), child);
    record.pid = child;
    record.pid_space = pid_space;
    child = fork();
    if (child == 0) {
        struct ash_monitored_peer peer;
        alarm(30);
        ash_monitored_open(&peer, &record, 0);
        _exit(peer.process == -1 && peer.status == NULL ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* It has ended; but in another name space that number says nothing. */
static void test_peer_that_has_ended(void **state)
{
    int self = ash_process_open(getpid());
    if (self >= 0) close(self);
    assert_int_not_equal(ash_pid_space(), 0);
    /* Without pidfd_open, as under valgrind, nothing is known of such a number, either. */
    assert_int_equal(look_for_gone(ash_pid_space()), self >= 0 ? ASH_EXIT_PEER_LOST : 0);
    assert_int_equal(look_for_gone(ash_pid_space() + 1), 0);
}

/* From when its number is known a PE names itself. */
static void test_cause_names_this_pe(void **state)
{
    struct ash_cause cause;
    ash_cause_set_pe(5);
    ash_cause_own(&cause, 1);
    assert_int_equal(cause.pe, 5);
    ash_status_use(NULL);
    ash_cause_own(&cause, 1);
    assert_int_equal(cause.pe, 5);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
#define ALL \
    TEST(test_pass), TEST(test_wrong_key_gets_nothing), \
        TEST(test_silent_processes_delay_nobody), TEST(test_stop), TEST(test_no_fd_passing), \
        TEST(test_too_many_descriptors_are_refused), TEST(test_peer_that_has_ended), \
        TEST(test_cause_names_this_pe)
    const struct CMUnitTest tests[] = {ALL};
    const struct CMUnitTest tests_of_root[] = {ALL, TEST(test_other_user_gets_nothing)};
    if (geteuid() == 0) return cmocka_run_group_tests(tests_of_root, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
