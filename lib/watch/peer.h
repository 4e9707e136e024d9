/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PE of this node, as the watch sees it: its process and its status block.
 */
#ifndef ASH_LIB_WATCH_PEER_H
#define ASH_LIB_WATCH_PEER_H

#include <stdbool.h>

#include "lib/base/deadline.h"
#include "lib/watch/status.h"
#include "lib/bootstrap/record.h"

struct ash_watched {
    uint32_t pe;
    int64_t pid;
    /* Readable when it has ended; -1: cannot be watched, or has left. */
    int process;
    /* Mapped; NULL: cannot be read. */
    const struct ash_status_block *status;
    /* The last beat that was seen, and since when it has been the last one. */
    uint64_t beat;
    struct ash_silence silence;
};

/*
 * Open a PE's process and its status block.  That a PE cannot be watched is no error, but
 * that it has ended ends this one.
 */
void ash_watched_open(struct ash_watched *peer, const struct ash_record *record,
                      uint64_t status_offset);

/* The process has ended.  Returns if that is as it should be. */
void ash_watched_ended(struct ash_watched *peer);

/* It is about to end, and why; false: not that this one could see. */
bool ash_watched_ends(const struct ash_watched *peer, struct ash_cause *ret_cause);

/* It does not do what it should: end this PE if that one ends within a moment. */
void ash_watched_suspect(struct ash_watched *peer);

/* Time has passed, at most so much: warn or end if the PE has not stirred for too long. */
void ash_watched_beat(struct ash_watched *peer, int elapsed_ms);

void ash_watched_close(struct ash_watched *peer);

#endif
