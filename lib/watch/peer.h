/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PE of this node, as the watch sees it: its process and its status block.
 */
#ifndef ASH_LIB_WATCH_PEER_H
#define ASH_LIB_WATCH_PEER_H

#include <stdbool.h>

#include "lib/base/deadline.h"
#include "lib/bootstrap/record.h"
#include "lib/watch/status.h"

struct ash_monitored_peer {
    uint32_t pe;
    int64_t pid;
    /* Readable when it has ended; -1: cannot be monitored, or has left. */
    int process;
    /* Mapped; NULL: cannot be read. */
    const struct ash_status_block *status;
    /* The last heartbeat that was seen, and since when it has been the last one. */
    uint64_t heartbeat;
    struct ash_heartbeat_timer timer;
};

/*
 * Open a PE's process and its status block.  That a PE cannot be monitored is no error, but
 * that it has ended ends this one.
 */
void ash_monitored_open(struct ash_monitored_peer *peer, const struct ash_record *record,
                        uint64_t status_offset);

/* The process has ended.  Returns if that is as it should be. */
void ash_monitored_ended(struct ash_monitored_peer *peer);

/* It is about to end, and why; false: not that this one could see. */
bool ash_monitored_ends(const struct ash_monitored_peer *peer, struct ash_cause *ret_cause);

/* It is suspected to have failed: end this PE if that one ends within a moment. */
void ash_monitored_suspect(struct ash_monitored_peer *peer);

/* Time has passed, at most so much: warn or end if the PE has sent no heartbeat for too long. */
void ash_monitored_heartbeat(struct ash_monitored_peer *peer, int elapsed_ms);

void ash_monitored_close(struct ash_monitored_peer *peer);

#endif
