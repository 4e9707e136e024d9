/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a job: its message, its steps, its states, and the cause that is kept until it is due.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#include "lib/base/deadline.h"
#include "lib/base/end.h"
#include "lib/base/error.h"
#include "lib/base/kept.h"
#include "lib/base/log.h"
#include "tests/unit/lib/output_of.h"

static void fail_again(int status)
{
    dprintf(STDERR_FILENO, "hook %d\n", status);
    ash_fatal("never written");
}

static void *fail_too(void *unused)
{
    ash_fatal("never written, either");
}

static void let_another_fail(int status)
{
    pthread_t thread;
    pthread_create(&thread, NULL, fail_too, NULL);
    usleep(300000);
    dprintf(STDERR_FILENO, "hook %d\n", status);
}

/* What a thread says that only sees the end. */
static void log_too(int status)
{
    ash_log(ASH_LOG_ERROR, "never written, for all that");
    ash_log(ASH_LOG_WARN, "a warning");
}

static void hang(int status)
{
    for (;;) pause();
}

/* A hook that waits for a thread that fails, too. */
static void wait_for_another(int status)
{
    pthread_t thread;
    pthread_create(&thread, NULL, fail_too, NULL);
    pthread_join(thread, NULL);
}

static void fatal(const void *hook)
{
    memcpy(&ash_abort_hook, hook, sizeof(ash_abort_hook));
    ash_fatal("the %s", "end");
}

/* One message, the hook once, and an end however the hook behaves. */
static void test_fatal_says_one_message_and_ends(void **state)
{
    static const char line[] = "anyshmem: error: the end\n";
    static const char with_hook[] = "anyshmem: error: the end\nhook 70\n";
    void (*hook)(int) = NULL;
    assert_string_equal(output_of(fatal, &hook, ASH_EXIT_FATAL), line);
    hook = fail_again;
    assert_string_equal(output_of(fatal, &hook, ASH_EXIT_FATAL), with_hook);
    hook = let_another_fail;
    assert_string_equal(output_of(fatal, &hook, ASH_EXIT_FATAL), with_hook);
    hook = wait_for_another;
    assert_string_equal(output_of(fatal, &hook, ASH_EXIT_FATAL), line);
    hook = log_too;
    assert_string_equal(output_of(fatal, &hook, ASH_EXIT_FATAL),
                        "anyshmem: error: the end\nanyshmem: warn: a warning\n");
    hook = hang;
    assert_string_equal(output_of(fatal, &hook, ASH_EXIT_FATAL), line);
}

static void on_alarm(int signal_number) { (void)signal_number; }

/* The signal of a timer of the program's, as a profiler has, comes as the end sets its own. */
static void fatal_with_timer(const void *unused)
{
    const struct itimerval soon = {{0, 0}, {0, 10}};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &soon, NULL);
    while (sigpending(&set) == 0 && !sigismember(&set, SIGALRM)) continue;
    ash_fatal("the end");
}

/* The timer of the end is not the program's, whose signals do not end it without a message. */
static void test_the_program_has_a_timer(void **state)
{
    assert_string_equal(output_of(fatal_with_timer, NULL, 70), "anyshmem: error: the end\n");
}

/* A thread that another one cancels ends the job all the same. */
static void *end_cancelled(void *unused)
{
    pthread_cancel(pthread_self());
    ash_fatal("cancelled");
    return unused;
}

static void in_cancelled_thread(const void *unused)
{
    pthread_t thread;
    pthread_create(&thread, NULL, end_cancelled, NULL);
    pthread_join(thread, NULL);
}

static void test_fatal_in_a_cancelled_thread(void **state)
{
    assert_string_equal(output_of(in_cancelled_thread, NULL, ASH_EXIT_FATAL),
                        "anyshmem: error: cancelled\n");
}

/* A shutdown waits while the job's end notifies others. */
static bool is_notifying;

static void notify_slowly(const struct ash_cause *cause)
{
    __atomic_store_n(&is_notifying, true, __ATOMIC_RELEASE);
    ash_sleep_ms(300);
    fputs("notified\n", stderr);
}

static void *end_and_notify(void *unused)
{
    ash_notify_hook = notify_slowly;
    ash_fatal("ends");
    return unused;
}

static void stop_meanwhile(const void *unused)
{
    pthread_t thread;
    pthread_create(&thread, NULL, end_and_notify, NULL);
    while (!__atomic_load_n(&is_notifying, __ATOMIC_ACQUIRE)) ash_sleep_ms(1);
    ash_shutdown_begin();
    fputs("stopped\n", stderr);
}

/* The job's end waits for a shutdown, if that was first, but not indefinitely. */
static void end_meanwhile(const void *unused)
{
    pthread_t thread;
    ash_shutdown_begin();
    pthread_create(&thread, NULL, end_and_notify, NULL);
    ash_sleep_ms(200);
    fputs("stopped\n", stderr);
    pthread_join(thread, NULL);
}

static void test_end_and_shutdown_are_exclusive(void **state)
{
    assert_string_equal(output_of(stop_meanwhile, NULL, ASH_EXIT_FATAL),
                        "anyshmem: error: ends\nnotified\n");
    assert_string_equal(output_of(end_meanwhile, NULL, ASH_EXIT_FATAL),
                        "stopped\nanyshmem: error: ends\nnotified\n");
}

/* A step that fails is left out, and those after it are not. */
static void fail_to_notify(const struct ash_cause *cause)
{
    fputs("notifies\n", stderr);
    ash_fatal("never written");
}

static void say_hook(int status)
{
    dprintf(STDERR_FILENO, "hook %d\n", status);
}

static void fail_in_a_step(const void *unused)
{
    ash_notify_hook = fail_to_notify;
    ash_abort_hook = say_hook;
    ash_fatal("the end");
}

static void test_a_step_that_fails_is_left_out(void **state)
{
    assert_string_equal(output_of(fail_in_a_step, NULL, ASH_EXIT_FATAL),
                        "anyshmem: error: the end\nnotifies\nhook 70\n");
}

/* A shutdown that ends gives way to the job's end, in this thread and in others. */
static void shut_down_and_fail(const void *by_other)
{
    pthread_t thread;
    ash_shutdown_begin();
    ash_shutdown_end();
    ash_shutdown_begin();
    if (by_other == NULL) ash_fatal("in shutdown");
    pthread_create(&thread, NULL, end_and_notify, NULL);
    ash_sleep_ms(100);
    fputs("stopped\n", stderr);
    ash_shutdown_end();
    pthread_join(thread, NULL);
}

static void test_shutdown_gives_way_to_the_end(void **state)
{
    assert_string_equal(output_of(shut_down_and_fail, NULL, ASH_EXIT_FATAL),
                        "anyshmem: error: in shutdown\n");
    assert_string_equal(output_of(shut_down_and_fail, "other", ASH_EXIT_FATAL),
                        "stopped\nanyshmem: error: ends\nnotified\n");
}

static int n_woken;

static void count_wakeup(void) { n_woken++; }

/* What another PE has found of this one is not said in this one's own name. */
static void test_no_pe_accuses_itself(void **state)
{
    struct ash_cause cause;
    char text[256];
    ash_cause_set_pe(3);
    ash_cause_of_peer(&cause, ASH_CAUSE_BROKEN, 3, getpid(), "host");
    ash_cause_describe(&cause, text, sizeof(text));
    assert_int_equal(strncmp(text, "another PE has found that this one, PE 3 (", 42), 0);
    ash_cause_of_peer(&cause, ASH_CAUSE_BROKEN, 4, getpid() + 1, "host");
    ash_cause_describe(&cause, text, sizeof(text));
    assert_int_equal(strncmp(text, "PE 4 (", 6), 0);
    ash_cause_own(&cause, 1);
    ash_cause_describe(&cause, text, sizeof(text));
    assert_int_equal(strncmp(text, "PE 3 (", 6), 0);
    ash_cause_set_pe(0);
}

/* What is certain replaces what is suspected; otherwise the first one stays. */
static void test_best_cause_is_kept(void **state)
{
    struct ash_cause cause;
    bool is_suspected;
    ash_kept_hook = count_wakeup;
    assert_int_equal(ash_kept_cause(&cause, &is_suspected), -1);
    for (uint32_t pe = 1; pe <= 4; pe++) {
        ash_cause_of_peer(&cause, pe < 3 ? ASH_CAUSE_BROKEN : ASH_CAUSE_LOST, pe, 1, "host");
        ash_end_after(&cause, pe < 3, pe < 3 ? 60000 : 0);
        assert_in_range(ash_kept_cause(&cause, &is_suspected), pe < 3 ? 50000 : 0,
                        pe < 3 ? 60000 : 0);
        assert_int_equal(is_suspected, pe < 3);
        assert_int_equal(cause.pe, pe < 3 ? 1 : 3);
    }
    assert_int_equal(n_woken, 4);
    ash_kept_forget();
    assert_int_equal(ash_kept_cause(&cause, &is_suspected), -1);
    ash_kept_hook = NULL;
}

/* Steps of step_ms after which a warning came, as a text. */
static const char *warned_at(int step_ms, int limit_ms)
{
    static char text[100];
    struct ash_heartbeat_timer timer = {0};
    text[0] = '\0';
    for (int step = 1; step * step_ms <= limit_ms; step++) {
        size_t used = strlen(text);
        if (ash_heartbeat_timer_advance(&timer, step_ms, limit_ms))
            snprintf(text + used, sizeof(text) - used, " %d", step);
        assert_int_equal(timer.ms, step * step_ms);
    }
    return text;
}

static void test_warnings_before_heartbeat_timeout(void **state)
{
    assert_string_equal(warned_at(1000, 60000), " 10 20 40");
    assert_string_equal(warned_at(1000, 300000), " 10 20 40 80 160");
    assert_string_equal(warned_at(1000, 32000), " 8 18");
    assert_string_equal(warned_at(100, 3000), " 8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fatal_says_one_message_and_ends),
        cmocka_unit_test(test_the_program_has_a_timer),
        cmocka_unit_test(test_warnings_before_heartbeat_timeout),
        cmocka_unit_test(test_fatal_in_a_cancelled_thread),
        cmocka_unit_test(test_end_and_shutdown_are_exclusive),
        cmocka_unit_test(test_a_step_that_fails_is_left_out),
        cmocka_unit_test(test_shutdown_gives_way_to_the_end),
        cmocka_unit_test(test_no_pe_accuses_itself),
        cmocka_unit_test(test_best_cause_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
