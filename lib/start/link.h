/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The link to PEs that are not mapped: channel, reply lines and proxy.
 */
#ifndef ASH_LIB_START_LINK_H
#define ASH_LIB_START_LINK_H

#include "lib/bootstrap/bootstrap.h"
#include "lib/memory/memory.h"
#include "proxy/proxy.h"

struct ash_link {
    /* NULL where there is no proxy. */
    struct ash_channel *channel;
    struct ash_channel_progress *progress;
    struct ash_slot *slots;
    struct ash_reply *replies;
    int wake_fd;
    struct ash_proxy *proxy;
};

/* Make the channel and the proxy, which does not run yet.  0, or an error that was logged. */
int ash_link_start(struct ash_link *link, const struct ash_bootstrap *bootstrap,
                   const struct ash_memory *memory);

/* A link that was not started is allowed. */
void ash_link_stop(struct ash_link *link);

#endif
