/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The time limit of a call: it ends a job whose call lasts, and leaves nothing behind otherwise.
 */
#include "lib/base/limit.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/lib/output_of.h"

static void last(const void *ms)
{
    ash_limit_begin(*(const int64_t *)ms, "the call lasts");
    sleep(2);
    ash_limit_end();
    _exit(0);
}

static void test_a_call_that_lasts(void **state)
{
    const int64_t some = 300, none = 0;
    assert_non_null(strstr(output_of(last, &some, 70), "error: the call lasts"));
    assert_string_equal(output_of(last, &none, 0), "");
}

static unsigned threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    unsigned n = 0;
    assert_non_null(tasks);
    while (readdir(tasks) != NULL) n++;
    closedir(tasks);
    return n;
}

static void test_calls_that_return(void **state)
{
    unsigned before = threads();
    for (int i = 0; i < 200; i++) {
        ash_limit_begin(60000 + i * 7, "never written");
        ash_limit_end();
        ash_limit_end();
    }
    /* pthread_join returns shortly before the kernel removes the thread's entry. */
    for (int ms = 0; threads() != before && ms < 2000; ms++) usleep(1000);
    assert_int_equal(threads(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_call_that_lasts),
                                       cmocka_unit_test(test_calls_that_return)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
