/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Remote operations beside a bare UCX that does the same, for remote.sh, which counts
 * their instructions: a job of one PE that is its own peer, over whatever UCX_TLS says,
 * and both ends' work done by the one thread that there is.
 *
 * usage: remote CASE COUNT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/channel/channel.h"
#include "device/channel/reply.h"
#include "lib/memory/memory.h"
#include "proxy/internal.h"

#define SHIFT 10u
#define PING 77
/* Posted before progress is made. */
#define BATCH 32u

static struct ash_memory memory;
static struct ash_channel channel __attribute__((aligned(128)));
static struct ash_channel_progress progress __attribute__((aligned(128)));
static struct ash_slot slots[(1u << SHIFT) + ASH_CHANNEL_PREFETCH] __attribute__((aligned(128)));
static struct ash_reply replies[ASH_REPLY_LINES] __attribute__((aligned(64)));
static struct ash_proxy *proxy;
static struct ash_connection *conn;
static uint64_t *words, pings, source = 1;

static int lookup(uint32_t pe, struct ash_peer_info *ret_info)
{
    struct ash_proxy_address address;
    ash_proxy_address(proxy, &address);
    ret_info->pid = pe;
    ret_info->heap = (uintptr_t)memory.base;
    ret_info->address = address.address;
    ret_info->rkey = address.rkey;
    ret_info->storage = NULL;
    return 0;
}

static ucs_status_t on_ping(void *argument, const void *header, size_t header_length, void *data,
                            size_t nbytes, const ucp_am_recv_param_t *param)
{
    (void)argument, (void)header, (void)header_length, (void)nbytes, (void)param;
    words[0] = *(const uint64_t *)data;
    pings++;
    return UCS_OK;
}

static void stop(const char *what)
{
    fprintf(stderr, "remote: %s\n", what);
    exit(1);
}

static void start(void)
{
    struct ash_proxy_config config = {.n_pes = 1,
                                      .n_local = 1,
                                      .job_key = {1, 2},
                                      .channel = &channel,
                                      .replies = replies,
                                      .n_replies = ASH_REPLY_LINES,
                                      .message_max = 4096,
                                      .cpus = "",
                                      .lookup = lookup};
    ucp_am_handler_param_t handler = {.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID |
                                                    UCP_AM_HANDLER_PARAM_FIELD_CB,
                                      .id = PING,
                                      .cb = on_ping};
    if (ash_memory_reserve(&memory, 1 << 20) != 0) stop("no memory");
    config.heap = memory.base;
    config.heap_size = memory.file.size;
    words = (uint64_t *)(void *)memory.base;
    ash_channel_init(&channel, slots, SHIFT, &progress, -1, 0);
    if (ash_proxy_create(&config, &proxy) != 0) stop("no proxy");
    if (ucp_worker_set_am_recv_handler(proxy->worker, &handler) != UCS_OK) stop("no messages");
    conn = ash_connection_get(proxy, 0);
    ash_connection_connect(proxy, conn);
    ash_state.channel = &channel;
    ash_state.replies = replies;
}

/* Ours: what a waiting thread does, but for its pauses. */
static void iterate(void) { (void)ash_proxy_iterate(proxy); }

static void quiet(void)
{
    uint64_t t = ash_channel_push_alone(&channel, ASH_WORD0(ASH_OP_QUIET, 0, 0, 0), 0, 0, 0);
    while (progress.completed <= t) iterate();
}

static void fetch_add(unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        uint32_t aux;
        struct ash_pending_reply pending = ash_reply_expect(&aux);
        ash_channel_push_alone(&channel, ASH_WORD0(ASH_OP_FETCH_ADD, 3, 0, aux), 0, 1, 8);
        while (dev_load_acquire64(&pending.line->sequence) != pending.sequence) iterate();
        (void)ash_reply_value(pending, "remote", 0, 0, 0);
    }
}

static void add(unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        ash_channel_push_alone(&channel, ASH_WORD0(ASH_OP_ADD, 3, 0, 0), 0, 1, 8);
        if (i % BATCH == BATCH - 1) iterate();
    }
    quiet();
}

static void put_signal(unsigned n)
{
    for (unsigned i = 1; i <= n; i++) {
        ash_channel_push_signal(&channel, ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, 0, 0), 8,
                                (uintptr_t)&source, 64, i, 0);
        while (dev_load_acquire64(words) != i) iterate();
    }
}

static void p(unsigned n)
{
    for (unsigned i = 1; i <= n; i++) {
        ash_channel_push_alone(&channel, ASH_WORD0(ASH_OP_P, 3, 0, 0), 0, i, 0);
        while (dev_load_acquire64(words) != i) iterate();
    }
}

/* The bare UCX. */
static void finish(ucs_status_ptr_t request)
{
    if (UCS_PTR_IS_ERR(request)) stop("UCX has failed");
    if (request == NULL) return;
    while (ucp_request_check_status(request) == UCS_INPROGRESS) ucp_worker_progress(proxy->worker);
    ucp_request_free(request);
}

static ucs_status_ptr_t post(uint64_t *ret_old)
{
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE | UCP_OP_ATTR_FIELD_MEMORY_TYPE,
        .datatype = ucp_dt_make_contig(8),
        .memory_type = UCS_MEMORY_TYPE_HOST,
        .reply_buffer = ret_old};
    if (ret_old != NULL) param.op_attr_mask |= UCP_OP_ATTR_FIELD_REPLY_BUFFER;
    return ucp_atomic_op_nbx(conn->ep, UCP_ATOMIC_OP_ADD, &source, 1, conn->heap + 8, conn->rkey,
                             &param);
}

static void bare_fetch_add(unsigned n)
{
    uint64_t old;
    for (unsigned i = 0; i < n; i++) finish(post(&old));
}

static void bare_add(unsigned n)
{
    static const ucp_request_param_t plain;
    for (unsigned i = 0; i < n; i++) {
        ucs_status_ptr_t request = post(NULL);
        if (UCS_PTR_IS_ERR(request)) stop("UCX has failed");
        if (request != NULL) ucp_request_free(request);
        if (i % BATCH == BATCH - 1) ucp_worker_progress(proxy->worker);
    }
    finish(ucp_ep_flush_nbx(conn->ep, &plain));
}

/* A message with as many bytes as ours. */
static void bare_message(unsigned n)
{
    char header[sizeof(struct ash_message)] = {0};
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS | UCP_OP_ATTR_FIELD_MEMORY_TYPE,
        .flags = UCP_AM_SEND_FLAG_EAGER,
        .memory_type = UCS_MEMORY_TYPE_HOST};
    for (uint64_t i = 1; i <= n; i++) {
        uint64_t wanted = pings + 1;
        finish(ucp_am_send_nbx(conn->ep, PING, header, sizeof(header), &i, 8, &param));
        while (pings != wanted) ucp_worker_progress(proxy->worker);
    }
}

static void iterations(unsigned n)
{
    while (n-- > 0) iterate();
}

static void bare_iterations(unsigned n)
{
    while (n-- > 0) ucp_worker_progress(proxy->worker);
}

static const struct {
    const char *name;
    void (*run)(unsigned n);
} cases[] = {{"fetch_add", fetch_add},   {"bare_fetch_add", bare_fetch_add},
             {"add", add},               {"bare_add", bare_add},
             {"put_signal", put_signal}, {"p", p},
             {"bare_message", bare_message},
             {"iterations", iterations},           {"bare_iterations", bare_iterations}};

int main(int argc, char **argv)
{
    unsigned n = argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    for (size_t i = 0; n > 0 && i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (strcmp(argv[1], cases[i].name) != 0) continue;
        start();
        cases[i].run(n);
        ash_connections_finish(proxy);
        ash_proxy_destroy(proxy);
        ash_memory_finish(&memory);
        return 0;
    }
    stop("usage: remote CASE COUNT");
}
