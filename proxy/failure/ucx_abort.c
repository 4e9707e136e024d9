/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The handler of UCX's aborts.  When a connection has broken, UCX goes on with data that it
 * received from that PE before, cannot acknowledge it, and aborts the process (ucp_put_handler of
 * UCX 1.13): before it is known which PE was lost, or while others are notified of the job's end.
 * It also aborts if the other PE is gone before the two have connected
 * (ucp_request_send_state_ff); then it has not even reported the connection as broken.
 *
 * So SIGABRT is caught, unless the program has a handler of its own, and the thread that does the
 * proxy's work waits for the end of the job; any other thread that aborts does abort.  UCX
 * writes no backtrace before it aborts, which would take time and does not name the PE, unless
 * the environment wants it (UCX_HANDLE_ERRORS).
 */
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/deadline.h"
#include "lib/base/end.h"
#include "lib/base/kept.h"
#include "lib/base/log.h"
#include "lib/base/times.h"
#include "proxy/internal.h"

/* Of libucs, which libucp needs; NULL if it does not have them. */
extern int ucs_global_opts_set_value(const char *name, const char *value) __attribute__((weak));
extern int ucs_global_opts_get_value(const char *name, char *value, size_t nbytes)
    __attribute__((weak));

static struct ash_proxy *guarded;
/* UCX's HANDLE_ERRORS before it was changed; empty: it is not changed. */
static char errors_before[64];

/* UCX may still send for a transfer that is complete here, so operations not flushed count, too. */
static bool is_unflushed(const struct ash_connection *conn)
{
    return conn != NULL && (conn->rma_dirty || conn->rma_flushes > 0 || conn->pending_replies > 0);
}

/* Take a connection to another node as the only one; false: *only is a different one. */
static bool is_only(const struct ash_proxy *proxy, const struct ash_connection *conn,
                    const struct ash_connection **only)
{
    if (conn == NULL || conn == *only || !ash_failure_is_far(proxy, conn->pe)) return true;
    if (*only != NULL) return false;
    *only = conn;
    return true;
}

/*
 * The only PE of another node to which something is in flight; NULL: none, or several.  UCX
 * aborts for a request of a connection that has broken, so that PE is suspected.
 */
static const struct ash_connection *only_connection(const struct ash_proxy *proxy)
{
    const struct ash_connection *only = NULL;
    for (uint32_t i = 0; i < proxy->n_chunks; i++)
        for (uint32_t k = 0; k < ASH_XFER_CHUNK; k++)
            if (!is_only(proxy, proxy->chunks[i][k].conn, &only)) return NULL;
    for (uint32_t pe = 0; pe < proxy->config.n_pes; pe++)
        if (is_unflushed(proxy->connections[pe]) && !is_only(proxy, proxy->connections[pe], &only))
            return NULL;
    return only;
}

static void suspect_only_connection(const struct ash_proxy *proxy)
{
    const struct ash_connection *conn = only_connection(proxy);
    struct ash_cause cause;
    if (conn == NULL) return;
    ash_failure_cause(&cause, conn->pe, conn->pid, conn->host, "UCX has aborted",
                      UCS_ERR_CONNECTION_RESET);
    ash_end_after(&cause, true, ASH_CONNECTION_GRACE_MS);
}

/* Abort as without the handler.  abort() itself raises SIGABRT again; raise() and kill() do not. */
static void go_on(int signal_number)
{
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Wait until the job ends or its kept cause is due; false: no PE is known to be lost. */
static bool wait_for_cause(void)
{
    int64_t end = ash_now_ms() + ASH_UCX_ABORT_GRACE_MS;
    struct ash_cause unused;
    bool is_suspected;
    while (!ash_end_begun()) {
        int ms = ash_kept_cause(&unused, &is_suspected);
        if (ms == 0) return true;
        if (ms < 0 && ash_now_ms() >= end) return false;
        ash_sleep_ms(1);
    }
    return true;
}

/* The watch thread ends the job, and says more than this one can; unless it is this one. */
static _Noreturn void let_job_end(void)
{
    int64_t end = ash_now_ms() + ASH_WATCH_MS;
    struct ash_cause cause;
    bool is_suspected;
    while (!ash_end_begun() && ash_now_ms() < end) ash_sleep_ms(1);
    if (ash_kept_cause(&cause, &is_suspected) >= 0) ash_end(&cause, 0, NULL);
    ash_fatal_logged();
}

/*
 * UCX calls abort in a thread that holds the proxy's lock: the thread waits here for the end of
 * the job, or ends it.  If no PE is known to be lost, it goes on to abort.
 */
static void on_abort(int signal_number)
{
    struct ash_proxy *proxy = guarded;
    struct ash_cause cause;
    bool is_suspected;
    if (proxy == NULL || !ash_proxy_is_mine(proxy)) {
        go_on(signal_number);
        return;
    }
    /* UCX aborted while this thread notified the other PEs: end without that. */
    if (ash_end_is_mine()) ash_fatal_logged();
    if (ash_kept_cause(&cause, &is_suspected) < 0) suspect_only_connection(proxy);
    if (wait_for_cause()) let_job_end();
    ash_log(ASH_LOG_ERROR, "proxy: UCX has aborted this process: a PE of another node may be lost, "
                           "which it has not named, or bytes of no PE have reached its port "
                           "(UCX_HANDLE_ERRORS=bt: where)");
    go_on(signal_number);
}

static void hush(void)
{
    if (getenv("UCX_HANDLE_ERRORS") != NULL || ucs_global_opts_set_value == NULL ||
        ucs_global_opts_get_value == NULL || *errors_before != '\0')
        return;
    if (ucs_global_opts_get_value("HANDLE_ERRORS", errors_before, sizeof(errors_before)) == 0)
        (void)ucs_global_opts_set_value("HANDLE_ERRORS", "none");
    else
        *errors_before = '\0';
}

static void unhush(void)
{
    if (*errors_before != '\0')
        (void)ucs_global_opts_set_value("HANDLE_ERRORS", errors_before);
    *errors_before = '\0';
}

static bool is_handled_by(void (*handler)(int))
{
    struct sigaction now;
    return sigaction(SIGABRT, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
           now.sa_handler == handler;
}

void ash_ucx_abort_start(struct ash_proxy *proxy)
{
    struct sigaction action = {.sa_handler = on_abort};
    sigemptyset(&action.sa_mask);
    guarded = proxy;
    hush();
    if (is_handled_by(SIG_DFL)) sigaction(SIGABRT, &action, NULL);
}

/*
 * The end of a PE of this node becomes known at once: until then UCX is not progressed.  The watch
 * thread notifies other nodes through UCX, so if there are PEs to notify, this thread must go on,
 * and release the proxy's lock, as soon as the cause is certain.
 */
void ash_ucx_abort_grace(const struct ash_proxy *proxy, uint32_t pe)
{
    struct ash_cause unused;
    bool is_suspected = true;
    if (!proxy->config.is_monitored(pe)) return;
    while (ash_kept_cause(&unused, &is_suspected) > 0) {
        if (!is_suspected && ash_notification_has_peers(proxy)) return;
        ash_sleep_ms(1);
    }
}

void ash_ucx_abort_stop(const struct ash_proxy *proxy)
{
    if (guarded != proxy) return;
    guarded = NULL;
    unhush();
    if (is_handled_by(on_abort)) signal(SIGABRT, SIG_DFL);
}
