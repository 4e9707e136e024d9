/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of each fault and error, and where messages go.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "device/target/target.h"
#include "lib/base/deadline.h"
#include "lib/base/end.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/fault.h"
#include "lib/base/log.h"
#include "lib/report/trace.h"
#include "tests/unit/lib/output_of.h"

static void report(const void *fault)
{
    ash_fault_report(fault);
}

static void set_library_state(enum ash_library_state state, uint32_t n_pes)
{
    ash_library_state = state;
    ash_state.n_pes = n_pes;
    ash_state_set_heap(&ash_state, n_pes > 0 ? (unsigned char *)(uintptr_t)0x10000 : NULL,
                       n_pes > 0 ? 0x1000 : 0);
}

static const struct {
    struct ash_fault fault;
    const char *line;
} faults[] = {
    {{ASH_FAULT_PE, "nvshmem_int_p", "pe", 9, 0},
     "nvshmem_int_p: pe 9 is out of range: this job has PEs 0..7\n"},
    {{ASH_FAULT_PE, "f", "pe", UINT64_MAX, 0}, "f: pe -1 is out of range"},
    {{ASH_FAULT_RANGE, "nvshmem_putmem", "dest", 0x10fff, 64},
     "nvshmem_putmem: dest 0x10fff (64 bytes) is outside the symmetric heap [0x10000, 0x11000)\n"},
    {{ASH_FAULT_INTERRUPTED, "f", NULL, 0, 0},
     "f: called in a signal handler, it waits for what the signal has interrupted\n"},
    {{ASH_FAULT_ALIGNMENT, "f", "dest", 0x10002, 4}, "f: dest 0x10002 is not aligned to 4 bytes\n"},
    {{ASH_FAULT_CMP, "f", "cmp", 17, 0},
     "f: cmp 17 is not one of NVSHMEM_CMP_EQ..NVSHMEM_CMP_GE"},
    {{ASH_FAULT_SIGNAL_OP, "f", "sig_op", 3, 0}, "f: sig_op 3 is neither NVSHMEM_SIGNAL_SET"},
    {{ASH_FAULT_SIZE, "f", "nelems", UINT64_MAX, 8}, "f: nelems 18446744073709551615 of 8 bytes"},
    {{ASH_FAULT_NULL, "f", "source", 0, 0}, "f: source is NULL\n"},
};
#define N_FAULTS (sizeof(faults) / sizeof(faults[0]))

static void test_text_of_each_fault(void **state)
{
    set_library_state(ASH_LIBRARY_STARTED, 8);
    ash_log_identify(3, 8);
    for (size_t i = 0; i < N_FAULTS; i++) {
        const char *text = output_of(report, &faults[i].fault, ASH_EXIT_FATAL);
        if (strncmp(text, "anyshmem: PE 3/8 on ", 20) != 0 || strstr(text, ": error: ") == NULL ||
            strstr(text, faults[i].line) == NULL)
            fail_msg("%s instead of %s", text, faults[i].line);
    }
    ash_log_identify(-1, 0);
    set_library_state(ASH_LIBRARY_UNINITIALIZED, 0);
}

/* Whatever is wrong with an argument: that the library is not there is worse. */
static void test_not_initialized_comes_before_other_faults(void **state)
{
    static const char *const why[] = {[ASH_LIBRARY_UNINITIALIZED] = "called before nvshmem_init",
                                      [ASH_LIBRARY_FINALIZED] = "called after nvshmem_finalize",
                                      [ASH_LIBRARY_FORKED] = "not usable in a forked child"};
    for (int reason = 0; reason < (int)(sizeof(why) / sizeof(why[0])); reason++) {
        if (why[reason] == NULL) continue;
        set_library_state((enum ash_library_state)reason, 0);
        for (size_t i = 0; i < N_FAULTS; i++) {
            char wanted[128];
            snprintf(wanted, sizeof(wanted), "anyshmem: error: %s: %s\n", faults[i].fault.function,
                     why[reason]);
            assert_string_equal(output_of(report, &faults[i].fault, ASH_EXIT_FATAL), wanted);
        }
    }
    set_library_state(ASH_LIBRARY_UNINITIALIZED, 0);
}

static void log_to_file(const void *path)
{
    ash_log_to(path);
    ash_log(ASH_LOG_WARN, "number %d", 1);
    ash_log(ASH_LOG_INFO, "not at this level");
    ash_fatal("number %d", 2);
}

static void test_log_file(void **state)
{
    char path[] = "/tmp/anyshmem.log.XXXXXX", text[256] = "";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    /* What ends the job is seen on stderr, too. */
    assert_string_equal(output_of(log_to_file, path, ASH_EXIT_FATAL),
                        "anyshmem: error: number 2\n");
    assert_true(read(fd, text, sizeof(text) - 1) > 0);
    assert_string_equal(text, "anyshmem: warn: number 1\nanyshmem: error: number 2\n");
    close(fd);
    unlink(path);
}

static void log_often(const void *unused)
{
    char path[] = "/tmp/anyshmem.log.XXXXXX";
    int fd = mkstemp(path), before, after;
    close(fd);
    ash_log_to(path);
    before = dup(STDERR_FILENO);
    for (int i = 0; i < 100; i++) ash_log_to(path);
    after = dup(STDERR_FILENO);
    unlink(path);
    /* A start after a finalize opens the file anew. */
    _exit(after - before > 2 ? 2 : 0);
}

static void log_long(const void *unused)
{
    char text[5000];
    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    ash_log(ASH_LOG_ERROR, "first line\n%s", text);
    _exit(0);
}

static void log_nowhere(const void *unused)
{
    ash_log_to("/no such folder/log");
    ash_log(ASH_LOG_WARN, "still here");
    _exit(0);
}

static void log_to_fifo(const void *path)
{
    ash_log_to(path);
    ash_log(ASH_LOG_WARN, "still here");
    _exit(0);
}

static void trace_to_fifo(const void *path)
{
    ash_env.trace = path;
    _exit(ash_trace_open(0) == ASH_ERROR_BAD_VALUE ? 0 : 1);
}

/* The child has a time limit: it must not wait for a reader. */
static void test_fifo_that_nobody_reads(void **state)
{
    char folder[] = "/tmp/anyshmem-XXXXXX", path[64], wanted[160];
    const char *text;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/fifo.0", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    text = output_of(log_to_fifo, path, 0);
    snprintf(wanted, sizeof(wanted), "cannot open %s: nobody reads from it\n", path);
    assert_non_null(strstr(text, wanted));
    assert_non_null(strstr(text, "anyshmem: warn: still here\n"));
    path[strlen(path) - 2] = '\0'; /* the PE's number is added */
    text = output_of(trace_to_fifo, path, 0);
    snprintf(wanted, sizeof(wanted), "ANYSHMEM_TRACE=%s: %s.0 cannot be written: nobody reads",
             path, path);
    assert_non_null(strstr(text, wanted));
    strcat(path, ".0");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* A FIFO that is read gets the lines, and its descriptor waits for the reader. */
static void test_fifo_that_is_read(void **state)
{
    char folder[] = "/tmp/anyshmem-XXXXXX", path[64];
    int from, to;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/fifo", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    from = open(path, O_RDONLY | O_NONBLOCK);
    to = ash_output_open(path, O_APPEND);
    assert_true(from >= 0 && to >= 0);
    assert_int_equal(fcntl(to, F_GETFL) & O_NONBLOCK, 0);
    (void)close(to);
    (void)close(from);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void test_log_of_long_lines_and_bad_file(void **state)
{
    const char *text;
    output_of(log_often, NULL, 0);
    text = output_of(log_long, NULL, 0);
    assert_in_range(strlen(text), 1000, 4096);
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    text = output_of(log_nowhere, NULL, 0);
    assert_non_null(strstr(text, "NVSHMEM_DEBUG_FILE: cannot open /no such folder/log: No such"));
    assert_non_null(strstr(text, "anyshmem: warn: still here\n"));
}

static void test_text_of_each_error(void **state)
{
    assert_string_equal(ash_error_text(0), "no error");
    assert_string_equal(ash_error_text(-12345), "unknown error");
#define X(NAME, VALUE, TEXT) \
    assert_true(ASH_ERROR_##NAME < 0); \
    assert_string_equal(ash_error_text(ASH_ERROR_##NAME), TEXT);
    ASH_ERRORS(X)
#undef X
}

/* Empty the pipe; true if the text was in it. */
static bool read_all(int from, const char *text)
{
    static char bytes[1 << 20];
    size_t used = 0;
    ssize_t got;
    while ((got = read(from, bytes + used, sizeof(bytes) - 1 - used)) > 0) used += (size_t)got;
    bytes[used] = '\0';
    return strstr(bytes, text) != NULL;
}

static double lines_take(int n)
{
    struct timespec began, ended;
    clock_gettime(CLOCK_MONOTONIC, &began);
    for (int i = 0; i < n; i++) ash_log(ASH_LOG_WARN, "line %d of %d", i, n);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    return (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec);
}

/* A reader that has stopped is waited for once, and its lines are lost; then they come again. */
static void test_log_reader_that_stops(void **state)
{
    static const char filling[4096];
    char path[64];
    int fds[2];
    (void)alarm(20);
    assert_int_equal(pipe2(fds, O_NONBLOCK), 0);
    while (write(fds[1], filling, sizeof(filling)) > 0) {
    }
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[1]);
    ash_log_to(path);
    assert_true(lines_take(10) < 5);
    assert_false(read_all(fds[0], "of 10"));
    (void)lines_take(3);
    assert_true(read_all(fds[0], "line 0 of 3"));
    (void)alarm(0);
    ash_log_to("/dev/stderr");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_of_each_error),
        cmocka_unit_test(test_text_of_each_fault),
        cmocka_unit_test(test_not_initialized_comes_before_other_faults),
        cmocka_unit_test(test_log_file),
        cmocka_unit_test(test_log_of_long_lines_and_bad_file),
        cmocka_unit_test(test_fifo_that_nobody_reads),
        cmocka_unit_test(test_fifo_that_is_read),
        cmocka_unit_test(test_log_reader_that_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
