/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allocates the channel and its reply lines, checks the limits of UCX, and creates the proxy
 * over them.
 */
#include "lib/start/remote_path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/hostdev/hostdev.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/log.h"
#include "lib/bootstrap/record.h"
#include "lib/report/stats.h"
#include "lib/start/job.h"
#include "lib/start/limits.h"
#include "lib/watch/status.h"
#include "lib/watch/watch.h"

#define REPLY_BYTES (ASH_REPLY_LINES * sizeof(struct ash_reply))
/* Two cache lines: CPUs prefetch them in pairs, which would be false sharing. */
#define LINE_PAIR 128

_Static_assert(ASH_REPLY_LINES <= ASH_REPLY_MAX, "a request can name every reply line");

static void *zeroed_lines(size_t nbytes)
{
    void *p = aligned_alloc(LINE_PAIR, (nbytes + LINE_PAIR - 1) / LINE_PAIR * LINE_PAIR);
    if (p != NULL) memset(p, 0, nbytes);
    return p;
}

static uint32_t log2_of(uint64_t power_of_two)
{
    return (uint32_t)__builtin_ctzll(power_of_two);
}

static int make_channel(struct ash_remote_path *path)
{
    uint64_t n = (uint64_t)ash_env.channel_slots;
    path->channel = zeroed_lines(sizeof(*path->channel));
    path->progress = zeroed_lines(sizeof(*path->progress));
    path->slots = zeroed_lines(n * sizeof(*path->slots));
    /* MAP_NORESERVE: a page is only used once a device thread uses a line in it. */
    path->replies = mmap(NULL, REPLY_BYTES, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (path->replies == MAP_FAILED) path->replies = NULL;
    if (path->channel == NULL || path->progress == NULL || path->slots == NULL ||
        path->replies == NULL)
        return ASH_ERROR_NO_MEMORY;
    path->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (path->wake_fd < 0) return ASH_ERROR_SYSTEM;
    ash_channel_init(path->channel, path->slots, log2_of(n), path->progress, path->wake_fd,
                     ash_env.start_ticket);
    return 0;
}

int ash_remote_path_start(struct ash_remote_path *path, const struct ash_bootstrap *bootstrap,
                   const struct ash_memory *memory)
{
    struct ash_proxy_config config = {.my_pe = bootstrap->pe,
                                      .n_pes = bootstrap->n_pes,
                                      .n_local = bootstrap->n_local,
                                      .heap = memory->base,
                                      .heap_size = memory->file.size,
                                      .has_wake_word = true,
                                      .n_replies = ASH_REPLY_LINES,
                                      .messages_only = ash_env.remote == ASH_REMOTE_AM,
                                      .message_max = ash_env.message_max,
                                      .cpus = ash_env.proxy_cpus,
                                      .counts = ash_stats_requests(),
                                      .lookup = ash_job_lookup,
                                      .is_monitored = ash_watch_sees};
    int rc;
    memset(path, 0, sizeof(*path));
    path->wake_fd = -1;
    rc = make_channel(path);
    if (rc != 0) ash_log(ASH_LOG_ERROR, "cannot make the channel: %s", ash_error_text(rc));
    if (rc == 0) rc = ash_limits_check(bootstrap->n_pes);
    if (rc == 0) {
        config.channel = path->channel;
        config.replies = path->replies;
        rc = ash_proxy_create(&config, &path->proxy);
    }
    if (rc != 0) ash_remote_path_stop(path);
    return rc;
}

void ash_remote_path_stop(struct ash_remote_path *path)
{
    if (path->channel == NULL) return;
    ash_proxy_destroy(path->proxy);
    if (path->wake_fd >= 0) close(path->wake_fd);
    if (path->replies != NULL) munmap(path->replies, REPLY_BYTES);
    free(path->slots);
    free(path->progress);
    free(path->channel);
    memset(path, 0, sizeof(*path));
    path->wake_fd = -1;
}
