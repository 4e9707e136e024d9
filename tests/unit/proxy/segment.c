/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fragment goes over TCP as one segment of UCX (ucx/config.c): in parts it would be copied once
 * more, to put these together.
 */
#include <dlfcn.h>
#include <sys/socket.h>

#include "tests/unit/proxy/order.h"

static unsigned char bytes[2 * ASH_FRAGMENT_SIZE];
static size_t largest;
/* PE 1, with a heap, channel and worker of its own. */
static struct ash_memory memory_there;
static struct ash_channel channel_there;
static struct ash_channel_progress progress_there;
static struct ash_slot slots_there[8];
static struct ash_proxy *there;

/* UCX's call, in its place: remembers the most bytes that it wanted to send at once. */
__attribute__((visibility("default"))) ssize_t sendmsg(int fd, const struct msghdr *message,
                                                       int flags)
{
    ssize_t (*real)(int, const struct msghdr *, int);
    size_t nbytes = 0;
    *(void **)&real = dlsym(RTLD_NEXT, "sendmsg");
    for (size_t i = 0; i < message->msg_iovlen; i++) nbytes += message->msg_iov[i].iov_len;
    if (nbytes > largest) largest = nbytes;
    return real(fd, message, flags);
}

static void test_fragment_is_one_segment(void **state)
{
    double end = ash_seconds() + LIMIT_SECONDS;
    memset(bytes, 7, sizeof(bytes));
    give(ASH_WORD0(ASH_OP_PUT, 0, 1, 0), sizeof(bytes), (uintptr_t)bytes, 0);
    while (memory_there.base[sizeof(bytes) - 1] != 7 && ash_seconds() < end) {
        move_on();
        ucp_worker_progress(there->worker);
    }
    assert_memory_equal(memory_there.base, bytes, sizeof(bytes));
    assert_in_range(largest, ASH_FRAGMENT_SIZE, ASH_FRAGMENT_SIZE + 1024);
}

static int lookup_there(uint32_t pe, struct ash_peer_info *ret_info)
{
    return peer_info_of(there, &memory_there, ret_info);
}

static int start_tcp(void **state)
{
    struct ash_proxy_config config;
    unsetenv("UCX_TCP_RX_SEG_SIZE");
    start(state);
    config = proxy->config;
    assert_int_equal(ash_memory_reserve(&memory_there, 4 << 20), 0);
    config.my_pe = 1;
    config.channel = &channel_there;
    config.heap = memory_there.base;
    ash_channel_init(&channel_there, slots_there, 3, &progress_there, -1, 0);
    assert_int_equal(ash_proxy_create(&config, &there), 0);
    proxy->config.lookup = lookup_there;
    proxy->config.messages_only = true;
    return 0;
}

static int stop_tcp(void **state)
{
    ash_connections_finish(there);
    stop(state);
    ash_proxy_destroy(there);
    ash_memory_finish(&memory_there);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_fragment_is_one_segment, start_tcp, stop_tcp),
    };
    if (!only_tcp()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
