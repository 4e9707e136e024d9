/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A monitored peer: a PE of this node, of which the watch thread sees the process and the
 * status block.
 */
#ifndef ASH_LIB_WATCH_PEER_H
#define ASH_LIB_WATCH_PEER_H

#include <stdbool.h>

#include "lib/base/deadline.h"
#include "lib/bootstrap/record.h"
#include "lib/watch/status.h"

/* Written by: the thread that starts the library, then the watch thread. */
struct ash_monitored_peer {
    uint32_t pe;
    int64_t pid;
    /* A pidfd, readable when the process has ended; -1: it cannot be monitored, or has left. */
    int process;
    /* Mapped from the peer's heap; NULL: cannot be read. */
    const struct ash_status_block *status;
    /* The last heartbeat that was seen, and for how long there was no newer one. */
    uint64_t heartbeat;
    struct ash_heartbeat_timer timer;
};

/*
 * Open a PE's process and its status block.  It is no error if a PE cannot be monitored, but
 * if it has ended already, this PE ends as well.
 */
void ash_monitored_open(struct ash_monitored_peer *peer, const struct ash_record *record,
                        uint64_t status_offset);

/* The process has ended.  False if the PE had left by nvshmem_finalize; otherwise the job ends
 * (ash_end_after). */
bool ash_monitored_ended(struct ash_monitored_peer *peer);

/* True, and the cause, if the PE is about to end; false if not, or if this PE cannot see it. */
bool ash_monitored_ends(const struct ash_monitored_peer *peer, struct ash_cause *ret_cause);

/* The peer is suspected to have failed: end this PE if the peer ends within a second. */
void ash_monitored_suspect(struct ash_monitored_peer *peer);

/* At most elapsed_ms have passed: warn, or end the job, if the peer has sent no heartbeat for
 * too long. */
void ash_monitored_heartbeat(struct ash_monitored_peer *peer, int elapsed_ms);

void ash_monitored_close(struct ash_monitored_peer *peer);

#endif
