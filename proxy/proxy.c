/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 3 of 6: the proxy thread drains the channel, and a GPU's.
 *
 * One thread per process does the work, and so do host threads that wait for it: they
 * make progress themselves, under a try-lock, instead of waking it.  The holder of that
 * lock is the channel's only consumer and UCX's only caller.  The proxy thread never
 * stops making progress, for other PEs' atomics and messages are applied here; while
 * callers make progress, it does an iteration only now and then.  It blocks only when
 * it has nothing to do (idle.c).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device/hostdev/backoff.h"
#include "lib/base/end.h"
#include "lib/base/error.h"
#include "lib/base/log.h"
#include "proxy/internal.h"

static int phase_of(struct ash_proxy *proxy)
{
    /* Pairs with set_phase: lib and the proxy thread see what the other did before its phase. */
    return __atomic_load_n(&proxy->phase, __ATOMIC_ACQUIRE);
}

static void set_phase(struct ash_proxy *proxy, int phase)
{
    /* Pairs with phase_of. */
    __atomic_store_n(&proxy->phase, phase, __ATOMIC_RELEASE);
}

/* The proxy whose work callers do; one for each process. */
static struct ash_proxy *progressed_proxy;

bool ash_proxy_progress(void)
{
    ash_kicks_end(progressed_proxy);
    return ash_proxy_iterate(progressed_proxy);
}

void ash_proxy_kick(bool can_wait)
{
    ash_kick(progressed_proxy, can_wait);
}

void ash_proxy_yield_progress(void)
{
    ash_idle_yield_progress(progressed_proxy);
}

bool ash_proxy_interrupted(void)
{
    struct ash_proxy *proxy = progressed_proxy;
    if (!ash_proxy_is_mine(proxy)) return false;
    /* UCX is in the middle of a call, and must not be called. */
    proxy->interrupted = true;
    return true;
}

static bool work_alone(struct ash_proxy *proxy)
{
    bool worked;
    if (!ash_proxy_try_lock(proxy)) return false;
    if (phase_of(proxy) == ASH_PROXY_FINISH) {
        ash_connections_finish(proxy);
        set_phase(proxy, ASH_PROXY_FINISHED);
    }
    ash_kicks_taken(proxy);
    worked = ash_proxy_work(proxy);
    ash_proxy_release(proxy);
    return worked;
}

static void *proxy_main(void *arg)
{
    struct ash_proxy *proxy = arg;
    unsigned idle = 0;
    prctl(PR_SET_TIMERSLACK, 1000UL);
    __atomic_store_n(&proxy->thread_id, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
    while (phase_of(proxy) != ASH_PROXY_STOP) {
        if (work_alone(proxy))
            idle = 0;
        else
            ash_idle_backoff(proxy, idle++);
    }
    set_phase(proxy, ASH_PROXY_ENDED);
    return NULL;
}

int ash_proxy_create(const struct ash_proxy_config *config, struct ash_proxy **ret_proxy)
{
    struct ash_proxy *proxy = calloc(1, sizeof(*proxy));
    int rc;
    if (proxy == NULL) return ash_no_memory_for("the proxy");
    proxy->config = *config;
    proxy->requests_max = ash_requests_max(config->n_pes);
    ash_idle_start(proxy);
    ash_cpu_load_start(&proxy->cpu_load);
    if (ash_trace_sink != NULL) {
        proxy->trace = calloc(1, sizeof(*proxy->trace));
        if (proxy->trace == NULL) ash_fatal("out of memory for ANYSHMEM_TRACE");
    }
    proxy->clients[ASH_HOST].own = (struct ash_proxy_gpu){
        .channel = config->channel, .replies = config->replies, .n_replies = config->n_replies};
    proxy->clients[ASH_HOST].completion = &proxy->completion;
    proxy->completion.clients = proxy->clients;
    proxy->completion.n_clients = ASH_CLIENTS;
    proxy->connections = calloc(config->n_pes, sizeof(*proxy->connections));
    rc = ash_xfer_pool_init(proxy);
    if (proxy->connections == NULL || rc != 0) {
        rc = ash_no_memory_for("the proxy's tables");
        goto free_proxy;
    }
    rc = ash_ucx_start(proxy);
    if (rc != 0) goto free_proxy;
    *ret_proxy = proxy;
    return 0;

free_proxy:
    ash_proxy_destroy(proxy);
    return rc;
}

void ash_proxy_address(const struct ash_proxy *proxy, struct ash_proxy_address *ret_address)
{
    ret_address->address = proxy->address;
    ret_address->address_length = proxy->address_length;
    ret_address->rkey = proxy->rkey;
    ret_address->rkey_length = proxy->rkey_length;
    ret_address->ucx = ash_ucx_version();
    ret_address->tcp_segment = ash_ucx_tcp_segment();
}

void ash_proxy_set_job_key(struct ash_proxy *proxy, const uint64_t job_key[2])
{
    memcpy(proxy->config.job_key, job_key, sizeof(proxy->config.job_key));
}

int ash_proxy_start(struct ash_proxy *proxy)
{
    int rc = ash_hostdev_thread(&proxy->thread, proxy_main, proxy, "anyshmem-proxy");
    if (rc != 0) return ash_no_thread_for("the proxy", -rc);
    proxy->started = true;
    ash_ucx_abort_start(proxy);
    progressed_proxy = proxy;
    return ash_proxy_bind(proxy);
}

bool ash_proxy_iterations(struct ash_proxy *proxy, uint64_t *ret_iterations)
{
    int thread = __atomic_load_n(&proxy->thread_id, __ATOMIC_ACQUIRE);
    *ret_iterations = __atomic_load_n(&proxy->iterations, __ATOMIC_RELAXED);
    return thread == 0 || syscall(SYS_tgkill, getpid(), thread, 0) == 0 || errno != ESRCH;
}

bool ash_proxy_unpublished(const struct ash_proxy *proxy, uint64_t *ret_ticket)
{
    return ash_channel_unpublished(proxy->config.channel, ret_ticket);
}

static void enter_phase(struct ash_proxy *proxy, int phase)
{
    set_phase(proxy, phase);
    ash_hostdev_wake(proxy->config.channel->wake_fd);
}

void ash_proxy_finish(struct ash_proxy *proxy)
{
    struct dev_backoff backoff = dev_backoff_start();
    uint32_t wait;
    if (proxy == NULL || !proxy->started) return;
    enter_phase(proxy, ASH_PROXY_FINISH);
    wait = ash_hostdev_register_call("nvshmem_finalize", "the proxy to send what is left");
    while (phase_of(proxy) != ASH_PROXY_FINISHED) dev_backoff(&backoff);
    ash_hostdev_wait_unregister(wait);
}

/* Wait for the end of the proxy thread; if that takes too long, end the job. */
static void join(struct ash_proxy *proxy)
{
    int limit = proxy->heartbeat.limit_ms / 1000;
    if (!ash_hostdev_join(proxy->thread, limit))
        ash_fatal("proxy: no progress for %d s (ANYSHMEM_PEER_TIMEOUT)", limit);
}

void ash_proxy_destroy(struct ash_proxy *proxy)
{
    bool under_way;
    if (proxy == NULL) return;
    under_way = proxy->started && phase_of(proxy) != ASH_PROXY_FINISHED;
    ash_proxy_detach_gpu(proxy);
    if (proxy->started) {
        enter_phase(proxy, ASH_PROXY_STOP);
        join(proxy);
    }
    if (proxy->dropped > 0)
        ash_log(ASH_LOG_WARN, "%llu messages were dropped: from another job, or not from anyshmem",
                (unsigned long long)proxy->dropped);
    /*
     * UCX 1.13 aborts if a worker is destroyed that has something in flight, even for
     * another PE.  A start that fails after the thread ran ends the job: the worker stays
     * until then.
     */
    if (!under_way) ash_ucx_stop(proxy);
    ash_ucx_abort_stop(proxy);
    ash_cpu_load_stop(&proxy->cpu_load);
    ash_xfer_pool_finish(proxy);
    if (proxy->trace != NULL) ash_trace_flush(proxy->trace);
    free(proxy->trace);
    if (proxy->connections != NULL)
        for (uint32_t pe = 0; pe < proxy->config.n_pes; pe++)
            ash_connection_free(proxy->connections[pe]);
    free(proxy->connections);
    ash_completion_finish(&proxy->completion);
    ash_ctxs_free(proxy);
    free(proxy);
}
