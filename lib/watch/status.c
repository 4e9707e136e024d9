/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes this PE's status block, the state after the cause, so that peers that map it read a
 * complete cause; and ends this PE for a cause that another one has.
 */
#include "lib/watch/status.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/end.h"
#include "lib/base/log.h"
#include "lib/report/report.h"

_Static_assert(sizeof(struct ash_status_block) <= ASH_STATUS_BYTES, "the status block has room");

/* Written by: the thread that starts or ends the library.  Read by: the watch thread, and the
 * thread that ends the job. */
static struct ash_status_block *own_status;

void ash_status_use(struct ash_status_block *block)
{
    /* Pairs with the acquires below: a thread that sees the block sees its contents. */
    __atomic_store_n(&own_status, block, __ATOMIC_RELEASE);
}

void ash_status_heartbeat(void)
{
    struct ash_status_block *block = __atomic_load_n(&own_status, __ATOMIC_ACQUIRE);
    if (block != NULL) __atomic_store_n(&block->heartbeat, block->heartbeat + 1, __ATOMIC_RELAXED);
}

void ash_status_leave(void)
{
    if (own_status != NULL) __atomic_store_n(&own_status->state, ASH_STATUS_LEFT, __ATOMIC_RELEASE);
}

void ash_status_end(const struct ash_cause *cause)
{
    struct ash_status_block *block = __atomic_load_n(&own_status, __ATOMIC_ACQUIRE);
    if (block == NULL || block->state != ASH_STATUS_RUNNING) return;
    block->cause = *cause;
    /* Pairs with the acquires in peer.c: a peer that sees ENDING reads the whole cause. */
    __atomic_store_n(&block->state, ASH_STATUS_ENDING, __ATOMIC_RELEASE);
}

_Noreturn void ash_end_for(const struct ash_cause *cause)
{
    char what[256], mine[ASH_REPORT_TEXT], text[1024];
    ash_cause_describe(cause, what, sizeof(what));
    ash_report_describe(mine, sizeof(mine));
    snprintf(text, sizeof(text), "%s; this PE was %s", what, mine);
    ash_end(cause, 0, text);
}
