/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a report of copies of the wait table's entries, of the channel's counters, and of what
 * the proxy lists if it gives its data up in time.
 */
#include "lib/report/report.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "device/hostdev/clock.h"
#include "device/hostdev/running.h"
#include "device/hostdev/wait_table.h"
#include "device/observe/observe.h"
#include "device/target/target.h"
#include "lib/base/log.h"
#include "lib/report/text.h"
#include "proxy/proxy.h"

/* How long the proxy has to give up its data, in ms, and the size of its text. */
#define PROXY_MS 100u
#define PROXY_TEXT 8192u

/* Protects reported_proxy; held while a report uses it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ash_proxy *reported_proxy;

/* List the waits that are for this process's own work, or those that are not. */
static void list_all(struct ash_report_list *list, bool work)
{
    struct ash_wait_entry entry;
    uint64_t use;
    for (uint32_t i = 1; i <= ASH_WAIT_ENTRIES; i++)
        if (ash_hostdev_wait_read(i, &entry, &use) &&
            (entry.info.kind == ASH_WAIT_FOR_WORK) == work)
            ash_report_list_add(list, &entry);
}

void ash_report_describe(char *ret_text, size_t nbytes)
{
    struct ash_report_list list = {ash_text_in(ret_text, nbytes), 0};
    list_all(&list, false);
    if (list.n == 0) list_all(&list, true);
    ash_report_list_end(&list, ash_hostdev_waits_unlisted());
}

/* A line of a report, written whatever the log level is. */
#define line(...) ash_log_write(ASH_LOG_INFO, "report: " __VA_ARGS__)

static void print_waits(void)
{
    struct ash_wait_entry entry;
    char buffer[ASH_REPORT_TEXT];
    uint64_t use;
    unsigned n = 0, unlisted = ash_hostdev_waits_unlisted();
    int64_t now = (int64_t)ash_now_ns();
    for (uint32_t i = 1; i <= ASH_WAIT_ENTRIES; i++) {
        struct ash_text text = ash_text_in(buffer, sizeof(buffer));
        if (!ash_hostdev_wait_read(i, &entry, &use)) continue;
        ash_report_wait(&text, &entry);
        line("wait %u, for %.1f s: %s", ++n, (double)(now - entry.began) * 1e-9, buffer);
    }
    if (unlisted > 0) line("and %u more waits", unlisted);
    if (n == 0) line("no thread waits in the library");
}

/* The counters of the channel, which can be read without a lock. */
static void print_channel(void)
{
    const struct ash_channel *channel = dev_state->channel;
    if (channel == NULL) {
        line("no channel: all PEs are reached directly");
        return;
    }
    line("channel: %" PRIu64 " requests pushed, %" PRIu64 " popped, %" PRIu64
         " known to be complete; it holds %" PRIu64,
         ash_channel_ticket(channel), dev_load_acquire64(&channel->progress->tail),
         dev_load_acquire64(&channel->progress->completed), channel->mask + 1);
}

static void print_proxy(void)
{
    char text[PROXY_TEXT], *next = text, *end;
    bool got = true;
    text[0] = '\0';
    pthread_mutex_lock(&lock);
    if (reported_proxy != NULL)
        got = ash_proxy_report(reported_proxy, PROXY_MS, text, sizeof(text));
    pthread_mutex_unlock(&lock);
    if (!got) line("the proxy is busy: its transfers in flight cannot be listed");
    for (; (end = strchr(next, '\n')) != NULL; next = end + 1) {
        *end = '\0';
        line("%s", next);
    }
}

static void print_grid(const struct ash_running_grid *grid)
{
    const struct anyshmem_index *g = &grid->grid_dim, *b = &grid->block_dim;
    line("kernel %s, %u,%u,%u blocks of %u,%u,%u threads, of which %u have begun and not ended",
         grid->name != NULL ? grid->name : "without a name", g->x, g->y, g->z, b->x, b->y, b->z,
         grid->n_threads);
    for (uint32_t i = 0; i < grid->n_groups; i++) {
        char buffer[ASH_REPORT_TEXT];
        struct ash_text text = ash_text_in(buffer, sizeof(buffer));
        ash_report_group(&text, &grid->group[i]);
        line("  %s", buffer);
    }
    if (grid->n_others > 0) line("  and %u more threads", grid->n_others);
}

void ash_report_print(const char *why)
{
    line("%s", why);
    print_waits();
    ash_grids_describe(print_grid);
    if (ash_job_pes() > 0) print_channel();
    print_proxy();
    line("end");
}

void ash_report_on(struct ash_proxy *proxy)
{
    pthread_mutex_lock(&lock);
    reported_proxy = proxy;
    pthread_mutex_unlock(&lock);
}

void ash_report_on_forked(void)
{
    pthread_mutex_init(&lock, NULL);
    reported_proxy = NULL;
}
