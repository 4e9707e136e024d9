/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PE that cannot be connected to: the job ends for that, unless a better cause becomes known
 * within the grace period, for which other threads can have the proxy's lock meanwhile.
 */
#include <pthread.h>
#include <stdlib.h>

#include "lib/base/end.h"
#include "lib/base/times.h"
#include "tests/unit/child.h"
#include "tests/unit/proxy/order.h"
#include "tests/unit/sleep.h"

#define STATUS_OTHER 42

static char said[65536];

/* The address of another process, which UCX_TLS=self does not reach. */
static unsigned char address[4096];

static void get_address(void)
{
    int fds[2], status;
    if (pipe(fds) != 0) _exit(1);
    if (fork() == 0) {
        (void)start(NULL);
        _exit(write(fds[1], proxy->address, proxy->address_length) <= 0);
    }
    if (read(fds[0], address, sizeof(address)) <= 0) _exit(1);
    if (wait(&status) < 0 || status != 0) _exit(1);
}

static int lookup_unreachable(uint32_t pe, struct ash_peer_info *ret_info)
{
    if (peer_info_of(proxy, &memory, ret_info) != 0) return -1;
    if (pe == 1) ret_info->address = (ucp_address_t *)(void *)address;
    return 0;
}

static bool nobody_is_monitored(uint32_t pe)
{
    (void)pe;
    return false;
}

static void connect_to_1(bool has_watch)
{
    alarm(20);
    setenv("UCX_TLS", "self", 1);
    get_address();
    (void)start(NULL);
    proxy->config.lookup = lookup_unreachable;
    if (has_watch) proxy->config.is_monitored = nobody_is_monitored;
    if (!ash_proxy_try_lock(proxy)) _exit(1);
    give(ASH_WORD0(ASH_OP_P, 3, 1, 0), 0, 7, 4096);
}

static void nobody_knows(const void *has_watch)
{
    connect_to_1(has_watch != NULL);
}

/* Returns how long it took. */
static double end_without_cause(const void *has_watch)
{
    double began = ash_seconds();
    int status;
    run_child(nobody_knows, has_watch, said, sizeof(said), &status);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), ASH_EXIT_FATAL);
    assert_non_null(strstr(said, "error: proxy: cannot connect to PE 1: "));
    assert_non_null(strstr(said, "; UCX_TLS=self may leave no transport"));
    return ash_seconds() - began;
}

static void test_nobody_knows(void **state)
{
    (void)state;
    assert_true(end_without_cause("watch") >= ASH_CONNECTION_GRACE_MS * 1e-3);
    /* Who watches no PEs is told nothing, and does not wait. */
    assert_true(end_without_cause(NULL) < 10);
}

/* As the watch does, which notifies other nodes. */
static void *take_lock_and_end(void *unused)
{
    (void)unused;
    sleep_ms(200);
    if (!ash_proxy_lock_within(proxy, ASH_NOTIFY_MS)) return NULL;
    ash_end_begin(STATUS_OTHER);
    _exit(conn->ep == NULL ? STATUS_OTHER : 1);
}

static void another_thread_knows(const void *unused)
{
    pthread_t thread;
    (void)unused;
    if (pthread_create(&thread, NULL, take_lock_and_end, NULL) != 0) _exit(1);
    connect_to_1(true);
}

static void test_another_thread_knows(void **state)
{
    int status;
    (void)state;
    run_child(another_thread_knows, NULL, said, sizeof(said), &status);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), STATUS_OTHER);
    assert_null(strstr(said, "cannot connect"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nobody_knows),
        cmocka_unit_test(test_another_thread_knows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
