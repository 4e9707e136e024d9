/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UCX starts in a child of fork, whatever another thread of the parent was doing: here one that
 * maps and unmaps all the time, so that it is in UCX's hooks of mmap and munmap at most forks.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/hostdev/fiber.h"
#include "lib/base/deadline.h"
#include "proxy/internal.h"
#include "proxy/ucx/config.h"
#include "tests/unit/ucx_config.h"
#include "tests/unit/unit.h"

#define FORKS 40
#define LIMIT_SECONDS 20

static atomic_bool over;

static void *map_and_unmap(void *unused)
{
    while (!atomic_load(&over)) {
        void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page != MAP_FAILED) munmap(page, 4096);
    }
    return NULL;
}

static ucs_status_t start_and_stop_ucx(void)
{
    const ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES,
                                 .features = UCP_FEATURE_RMA | UCP_FEATURE_AM};
    ucp_config_t *config;
    ucp_context_h context;
    ucs_status_t status = ash_ucx_config_read(&config);
    if (status != UCS_OK) return status;
    status = ucp_init(&params, config, &context);
    ucp_config_release(config);
    if (status == UCS_OK) ucp_cleanup(context);
    return status;
}

/* Fails, and ends the child, if that does not end by itself in time. */
static void await_child(pid_t child, int number)
{
    int64_t deadline = ash_deadline_ms(LIMIT_SECONDS);
    int status = -1;
    pid_t ended;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0 && ash_now_ms() < deadline) usleep(1000);
    if (ended == 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        fail_msg("child %d of %d has not started UCX in %d s", number, FORKS, LIMIT_SECONDS);
    }
    assert_int_equal(ended, child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_start_in_a_child_of_a_thread_that_maps(void **state)
{
    pthread_t thread;
    /* ThreadSanitizer ends a child that starts a thread, if its parent had several. */
    if (ash_fiber_tool == ASH_TOOL_OF_THREADS) skip();
    assert_int_equal(start_and_stop_ucx(), UCS_OK);
    assert_int_equal(pthread_create(&thread, NULL, map_and_unmap, NULL), 0);
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) _exit(start_and_stop_ucx() != UCS_OK);
        await_child(child, i);
    }
    atomic_store(&over, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

/* Has UCX a registration cache in this process? */
static bool has_cache(void)
{
    char *text;
    bool has;
    ucx_config_text(&text);
    has = strstr(text, "UCX_RCACHE_ENABLE=n") == NULL;
    free(text);
    return has;
}

/* The cache matters to who puts from memory outside the heap over RDMA. */
static void test_only_a_child_goes_without_the_cache(void **state)
{
    pid_t child;
    assert_true(has_cache());
    child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(has_cache());
    await_child(child, 0);
    setenv("UCX_RCACHE_ENABLE", "try", 1);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(!has_cache());
    await_child(child, 0);
    unsetenv("UCX_RCACHE_ENABLE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_in_a_child_of_a_thread_that_maps),
        cmocka_unit_test(test_only_a_child_goes_without_the_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
