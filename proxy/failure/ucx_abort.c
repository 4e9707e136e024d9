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

#include "lib/base/end.h"
#include "lib/base/log.h"
#include "proxy/internal.h"

/* How long a thread that UCX aborts waits for the thread that ends the job. */
#define END_SECONDS 5
/* The grace period in which the watch or another PE may say which PE is lost: longer than the
 * one that other PEs wait out after a broken connection (failure.c). */
#define ABORT_GRACE_SECONDS 1.3

/* Of libucs, which libucp needs; NULL if it does not have them. */
extern int ucs_global_opts_set_value(const char *name, const char *value) __attribute__((weak));
extern int ucs_global_opts_get_value(const char *name, char *value, size_t nbytes)
    __attribute__((weak));

static struct ash_proxy *guarded;
/* UCX's HANDLE_ERRORS before it was changed; empty: it is not changed. */
static char errors_before[64];

static void timed_sleep(void)
{
    const struct timespec moment = {0, 1000000};
    nanosleep(&moment, NULL);
}

static bool is_ending(void)
{
    return __atomic_load_n(&ash_end_cause, __ATOMIC_ACQUIRE) != NULL;
}

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

static void suspect_only_connection(struct ash_proxy *proxy)
{
    const struct ash_connection *conn = only_connection(proxy);
    struct ash_cause cause;
    if (conn == NULL) return;
    ash_failure_cause(&cause, conn->pe, conn->pid, conn->host, "UCX has aborted",
                      UCS_ERR_CONNECTION_RESET);
    ash_failure_keep(proxy, &cause, false);
}

/* When the grace period ends, in which a PE or the watch may still notify of a failure. */
static double grace_end(const struct ash_proxy *proxy)
{
    return proxy->has_failed ? proxy->failure_due : ash_seconds() + ABORT_GRACE_SECONDS;
}

/* Abort as without the handler.  abort() itself raises SIGABRT again; raise() and kill() do not. */
static void go_on(int signal_number)
{
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/*
 * UCX calls abort in a thread that holds the proxy's lock: the thread waits here for the end of
 * the job, or ends it.  If no PE is known to be lost, it goes on to abort.
 */
static void on_abort(int signal_number)
{
    struct ash_proxy *proxy = guarded;
    double due, end = ash_seconds() + END_SECONDS;
    if (proxy == NULL || !ash_proxy_is_mine()) {
        go_on(signal_number);
        return;
    }
    /* UCX aborted while this thread notified the other PEs: end without that. */
    if (ash_end_is_mine()) ash_end_without_notice();
    if (!proxy->has_failed) suspect_only_connection(proxy);
    due = grace_end(proxy);
    while (!is_ending() && ash_seconds() < due) timed_sleep();
    if (!is_ending() && !proxy->has_failed) {
        ash_log(ASH_LOG_ERROR, "proxy: UCX has aborted this process; it may have lost a PE of "
                               "another node, which UCX has not named "
                               "(UCX_HANDLE_ERRORS=bt: where)");
        go_on(signal_number);
        return;
    }
    if (!is_ending()) proxy->config.end_for(&proxy->failure);
    while (ash_seconds() < end) timed_sleep();
    _exit(ASH_EXIT_PEER_LOST);
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
 * The end of a PE of this node becomes known at once: until then UCX is not progressed.  The thread
 * that ends the job notifies other nodes through UCX, so if there are PEs to notify, this thread
 * must go on, and release the proxy's lock, as soon as the job is ending.
 */
static void wait_grace_period(const struct ash_proxy *proxy)
{
    while (ash_seconds() < proxy->failure_due)
        if (is_ending() && ash_notification_has_peers(proxy))
            return;
        else
            timed_sleep();
}

void ash_ucx_abort_grace(struct ash_proxy *proxy, uint32_t pe)
{
    if (proxy->config.is_monitored(pe)) wait_grace_period(proxy);
}

void ash_ucx_abort_stop(const struct ash_proxy *proxy)
{
    if (guarded != proxy) return;
    guarded = NULL;
    unhush();
    if (is_handled_by(on_abort)) signal(SIGABRT, SIG_DFL);
}
