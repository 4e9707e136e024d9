/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UCX when a connection has broken.  It goes on with what it received from that
 * PE before, cannot acknowledge it, and aborts the process (ucp_put_handler of UCX
 * 1.13): before it is known who was lost, or while the job's end is being told.
 */
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "lib/error.h"
#include "proxy/internal.h"

/* How long a thread that UCX aborts waits for the one that ends the job. */
#define END_SECONDS 5

/* Of libucs, which UCX's own library needs. */
extern int ucs_global_opts_set_value(const char *name, const char *value) __attribute__((weak));

static struct ash_proxy *guarded;

static void nap(void)
{
    const struct timespec moment = {0, 1000000};
    nanosleep(&moment, NULL);
}

static bool is_ending(void)
{
    return __atomic_load_n(&ash_end_cause, __ATOMIC_ACQUIRE) != NULL;
}

/* UCX calls abort, with the proxy held: the thread waits here, or ends the job. */
static void on_abort(int signal_number)
{
    struct ash_proxy *proxy = guarded;
    double end = ash_seconds() + END_SECONDS;
    (void)signal_number;
    while (!is_ending() && ash_seconds() < proxy->failure_due) nap();
    if (!is_ending()) proxy->config.end_for(&proxy->failure);
    while (ash_seconds() < end) nap();
    _exit(proxy->failure.status);
}

static void guard(struct ash_proxy *proxy)
{
    struct sigaction action = {.sa_handler = on_abort};
    if (guarded == proxy) return;
    guarded = proxy;
    if (ucs_global_opts_set_value != NULL) (void)ucs_global_opts_set_value("HANDLE_ERRORS", "none");
    sigemptyset(&action.sa_mask);
    sigaction(SIGABRT, &action, NULL);
}

/*
 * The end of a PE of this node is known at once: until then UCX gets no turn.  Who
 * ends the job tells other nodes by UCX, so where there are any it must go on then.
 */
static void wait_for_verdict(const struct ash_proxy *proxy)
{
    while (ash_seconds() < proxy->failure_due)
        if (is_ending() && proxy->heartbeat.n > 0)
            return;
        else
            nap();
}

void ash_broken(struct ash_proxy *proxy, uint32_t pe)
{
    guard(proxy);
    if (proxy->config.is_watched(pe)) wait_for_verdict(proxy);
}

void ash_broken_forget(const struct ash_proxy *proxy)
{
    if (guarded != proxy) return;
    guarded = NULL;
    signal(SIGABRT, SIG_DFL);
}
