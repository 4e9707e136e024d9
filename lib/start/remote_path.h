/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The remote path to PEs that are not mapped: channel, reply lines and proxy.
 */
#ifndef ASH_LIB_START_REMOTE_PATH_H
#define ASH_LIB_START_REMOTE_PATH_H

#include "lib/bootstrap/bootstrap.h"
#include "lib/memory/memory.h"
#include "proxy/proxy.h"

struct ash_remote_path {
    /* NULL where there is no proxy. */
    struct ash_channel *channel;
    struct ash_channel_progress *progress;
    struct ash_slot *slots;
    struct ash_reply *replies;
    int wake_fd;
    struct ash_proxy *proxy;
};

/* Make the channel and the proxy, which does not run yet.  0, or an error that was logged. */
int ash_remote_path_start(struct ash_remote_path *path, const struct ash_bootstrap *bootstrap,
                   const struct ash_memory *memory);

/* Does nothing for a path that was not started. */
void ash_remote_path_stop(struct ash_remote_path *path);

#endif
