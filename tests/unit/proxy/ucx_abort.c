/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The handler of aborts by UCX: if the job ends, or a PE is lost, the process ends with
 * that cause; any other abort has its usual effect.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/hostdev/hostdev.h"
#include "lib/base/end.h"
#include "lib/base/kept.h"
#include "lib/watch/status.h"
#include "proxy/failure/failure.h"
#include "proxy/internal.h"
#include "tests/unit/child.h"
#include "tests/unit/sleep.h"

/* Exit statuses: end by another thread, the program's handler, own end. */
#define STATUS_OTHER 42
#define STATUS_HANDLER 43
#define STATUS_OWN 44
/* When the other thread knows the cause, and how long after that it ends the process, in ms. */
#define KNOWS_MS 200
#define ENDS_MS 1200

extern int ucs_global_opts_set_value(const char *name, const char *value) __attribute__((weak));
extern void ucs_fatal_error_format(const char *file, unsigned line, const char *function,
                                   const char *format, ...) __attribute__((weak));

static struct ash_proxy proxy;
static char said[65536];

/* As with a watch that never ends the job. */
static void wake_nobody(void) {}

/* Run body in a child; returns waitpid's status, and how long it took. */
static int end_of(void (*body)(const void *), const void *what, double *ret_seconds)
{
    double begin;
    int status;
    let_others_end(); /* not within the measured time, as in run_child */
    begin = ash_seconds();
    run_child(body, what, said, sizeof(said), &status);
    *ret_seconds = ash_seconds() - begin;
    return status;
}

static void start(void)
{
    alarm(20);
    ash_kept_hook = wake_nobody;
    ash_ucx_abort_start(&proxy);
}

static void abort_with_proxy(void)
{
    if (!ash_proxy_try_lock(&proxy)) _exit(1);
    abort();
}

static void program_aborts(const void *what)
{
    start();
    abort();
}

static void test_the_program_aborts(void **state)
{
    double seconds;
    int status = end_of(program_aborts, NULL, &seconds);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_true(seconds < 0.7);
    assert_null(strstr(said, "UCX has aborted"));
}

/* A SIGABRT that comes from raise(), which, unlike abort(), does not send it again by itself. */
static void signal_comes(const void *what)
{
    start();
    raise(SIGABRT);
    _exit(STATUS_OTHER);
}

static void test_a_signal_comes(void **state)
{
    double seconds;
    int status = end_of(signal_comes, NULL, &seconds);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void ucx_aborts(const void *what)
{
    start();
    abort_with_proxy();
}

static void test_no_pe_is_lost(void **state)
{
    const char *told;
    double seconds;
    int status = end_of(ucx_aborts, NULL, &seconds);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    /* Longer than the grace period of another PE that knows only of a connection error. */
    assert_true(seconds > 1 && seconds < 5);
    told = strstr(said, "error: proxy: UCX has aborted this process");
    assert_non_null(told);
    assert_non_null(strstr(told, "or bytes of no PE have reached its port"));
    /* For tests/api/requests.sh. */
    printf("# told: UCX itself aborts a PE: anyshmem: %.*s\n", (int)strcspn(told, "\n"), told);
}

/* As abort() of glibc 2.41, which does not unblock its signal, in a thread of the library. */
static void *raise_with_proxy(void *unused)
{
    if (!ash_proxy_try_lock(&proxy)) _exit(1);
    raise(SIGABRT);
    _exit(STATUS_OTHER);
    return unused;
}

static void ucx_aborts_in_a_thread(const void *what)
{
    pthread_t thread;
    start();
    if (ash_hostdev_thread(&thread, raise_with_proxy, NULL, "aborts") != 0) _exit(1);
    pthread_join(thread, NULL);
}

static void test_in_a_thread_of_the_library(void **state)
{
    double seconds;
    int status = end_of(ucx_aborts_in_a_thread, NULL, &seconds);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_non_null(strstr(said, "error: proxy: UCX has aborted this process"));
}

static bool pe_2_is_monitored(uint32_t pe)
{
    return pe == 2;
}

/* `what` names, as digits, the PEs to which a transfer is in flight when UCX aborts; 0 is this
 * PE.  Behind a comma are the PEs to which transfers may be incomplete, as they are not flushed. */
static void ucx_aborts_a_transfer(const void *what)
{
    static struct ash_connection connections[10];
    static struct ash_connection *used[10];
    bool unflushed = false;
    start();
    proxy.config.is_monitored = pe_2_is_monitored;
    proxy.config.n_pes = 10;
    proxy.connections = used;
    if (ash_xfer_pool_init(&proxy) != 0) _exit(1);
    for (const char *c = what; *c != '\0'; c++) {
        struct ash_connection *conn = &connections[*c == ',' ? 0 : *c - '0'];
        unflushed |= *c == ',';
        conn->pe = (uint32_t)(conn - connections);
        used[conn->pe] = conn;
        if (unflushed)
            conn->rma_dirty = true;
        else
            (void)ash_xfer_new(&proxy, conn, ASH_OP_PUT);
    }
    abort_with_proxy();
}

/* No other PE names the lost PE: it can only be the one that this PE was sending to. */
static void test_a_transfer_is_aborted(void **state)
{
    static const char *const known[] = {"777", "0727", ",7", "7,27"};
    static const char *const unknown[] = {"02", "7017", "1,7"};
    double seconds;
    int status;
    for (unsigned i = 0; i < sizeof(known) / sizeof(*known); i++) {
        status = end_of(ucx_aborts_a_transfer, known[i], &seconds);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), ASH_EXIT_PEER_LOST);
        assert_non_null(strstr(said, "error: PE 7 (process 0 on ) is unreachable"));
        assert_true(seconds > 0.7);
    }
    for (unsigned i = 0; i < sizeof(unknown) / sizeof(*unknown); i++) {
        status = end_of(ucx_aborts_a_transfer, unknown[i], &seconds);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    }
}

static void pe_is_lost(const void *what)
{
    struct ash_cause lost;
    start();
    ash_cause_of_peer(&lost, ASH_CAUSE_LOST, 7, 4711, "there");
    ash_end_after(&lost, false, KNOWS_MS);
    abort_with_proxy();
}

static void test_a_pe_is_lost(void **state)
{
    double seconds;
    int status = end_of(pe_is_lost, NULL, &seconds);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), ASH_EXIT_PEER_LOST);
    assert_non_null(strstr(said, "error: PE 7 (process 4711 on there) has ended without"));
    assert_true(seconds > KNOWS_MS * 1e-3);
}

/* UCX aborts the thread that ends the job, while that thread notifies other PEs by UCX. */
static void abort_while_notifying(const struct ash_cause *cause)
{
    abort_with_proxy();
}

static void own_end_aborts(const void *what)
{
    static struct ash_cause cause = {
        .kind = ASH_CAUSE_ENDED, .status = STATUS_OWN, .pe = 3, .pid = 4711, .host = "there"};
    start();
    ash_notify_hook = abort_while_notifying;
    ash_end_for(&cause);
}

static void test_the_end_itself_aborts(void **state)
{
    double seconds;
    int status = end_of(own_end_aborts, NULL, &seconds);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), STATUS_OWN);
    assert_true(seconds < 1);
    assert_non_null(strstr(said, "PE 3 (process 4711 on there) has ended the job with status 44"));
}

static void *other_thread(void *arg)
{
    sleep_ms(KNOWS_MS);
    ash_end_begin(STATUS_OTHER);
    sleep_ms(ENDS_MS);
    _exit(STATUS_OTHER);
}

static void job_ends(const void *what)
{
    pthread_t thread;
    start();
    if (pthread_create(&thread, NULL, other_thread, NULL) == 0) abort_with_proxy();
}

static void test_another_thread_ends_the_job(void **state)
{
    double seconds;
    int status = end_of(job_ends, NULL, &seconds);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), STATUS_OTHER);
}

static void own_handler(int number)
{
    _exit(STATUS_HANDLER);
}

/* `what` says when the program sets its handler: "before" or "after" the library's start; with
 * "gone" it sets it after the start, and the library has ended when UCX aborts. */
static void program_has_a_handler(const void *what)
{
    bool before = strcmp(what, "before") == 0;
    if (before) (void)signal(SIGABRT, own_handler);
    start();
    if (!before) (void)signal(SIGABRT, own_handler);
    if (strcmp(what, "gone") == 0) ash_ucx_abort_stop(&proxy);
    abort_with_proxy();
}

static void test_the_programs_handler_stays(void **state)
{
    static const char *const whens[] = {"before", "after", "gone"};
    for (unsigned i = 0; i < 3; i++) {
        double seconds;
        int status = end_of(program_has_a_handler, whens[i], &seconds);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), STATUS_HANDLER);
    }
}

static void library_has_ended(const void *what)
{
    start();
    ash_ucx_abort_stop(&proxy);
    abort_with_proxy();
}

static void test_forgotten(void **state)
{
    double seconds;
    int status = end_of(library_has_ended, NULL, &seconds);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_true(seconds < 0.7);
}

/* A fatal error in UCX "before" the library runs, "meanwhile" or "after" it; with "asked" the
 * user has requested backtraces. */
static void ucx_asserts(const void *when)
{
    (void)ucs_global_opts_set_value("HANDLE_ERRORS", "bt");
    if (strcmp(when, "asked") == 0) setenv("UCX_HANDLE_ERRORS", "bt", 1);
    if (strcmp(when, "before") != 0) start();
    if (strcmp(when, "after") == 0) ash_ucx_abort_stop(&proxy);
    ucs_fatal_error_format("file.c", 1, "function", "made up");
}

static void test_no_backtrace_of_ucx_while_the_library_runs(void **state)
{
    static const char *const whens[] = {"before", "meanwhile", "after", "asked"};
    if (ucs_global_opts_set_value == NULL || ucs_fatal_error_format == NULL) skip();
    for (unsigned i = 0; i < 4; i++) {
        bool hushed = strcmp(whens[i], "meanwhile") == 0;
        double seconds;
        (void)end_of(ucx_asserts, whens[i], &seconds);
        assert_non_null(strstr(said, "made up"));
        assert_int_equal(strstr(said, "==== backtrace") == NULL, hushed);
    }
}

static bool nobody_is_monitored(uint32_t pe)
{
    return false;
}

/* A connection error to PE 1, and then a failure notification that names another PE. */
static void one_breaks_and_one_is_notified(struct ash_proxy *of, uint32_t other)
{
    struct ash_cause cause;
    ash_failure_cause(&cause, 1, 1, "host", "connection", UCS_ERR_CONNECTION_RESET);
    ash_failure_lost(of, &cause);
    ash_failure_cause(&cause, other, 1, "host", "connection", UCS_ERR_CONNECTION_RESET);
    ash_failure_receive(of, &cause, sizeof(cause));
}

/* The PE that sends a failure notification has waited for a better cause, so the cause in it is
 * final and the receiver does not wait again. */
static void test_cause_from_a_peer_is_final(void **state)
{
    static struct ash_proxy alone;
    struct ash_cause cause;
    bool is_suspected;
    alone.config.n_pes = 9;
    ash_kept_hook = wake_nobody;
    alone.config.is_monitored = nobody_is_monitored;
    one_breaks_and_one_is_notified(&alone, 5);
    assert_int_equal(ash_kept_cause(&cause, &is_suspected), 0);
    assert_int_equal(cause.pe, 5);
    /* The first cause stays. */
    one_breaks_and_one_is_notified(&alone, 6);
    assert_int_equal(ash_kept_cause(&cause, &is_suspected), 0);
    assert_int_equal(cause.pe, 5);
    ash_kept_forget();
    ash_kept_hook = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_program_aborts),
        cmocka_unit_test(test_a_signal_comes),
        cmocka_unit_test(test_no_pe_is_lost),
        cmocka_unit_test(test_in_a_thread_of_the_library),
        cmocka_unit_test(test_a_transfer_is_aborted),
        cmocka_unit_test(test_a_pe_is_lost),
        cmocka_unit_test(test_the_end_itself_aborts),
        cmocka_unit_test(test_another_thread_ends_the_job),
        cmocka_unit_test(test_the_programs_handler_stays),
        cmocka_unit_test(test_forgotten),
        cmocka_unit_test(test_cause_from_a_peer_is_final),
        cmocka_unit_test(test_no_backtrace_of_ucx_while_the_library_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
