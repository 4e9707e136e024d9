/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of the host device that device/target/host.h calls, for threads of the
 * explorer; and the names and checks that all scenarios with a channel share.
 */
#ifndef TESTS_EXPLORE_HOSTDEV_H
#define TESTS_EXPLORE_HOSTDEV_H

#include "device/channel/channel.h"
#include "device/observe/observe.h"
#include "tests/explore/explore.h"

__thread struct ash_context *ash_context_current;
/* A wait yields at once, without pauses before it. */
uint32_t ash_hostdev_pauses;
uint32_t ash_hostdev_oversubscription = 1;

/* The eventfd that the proxy sleeps on: how often it was written; NULL: there is none. */
static uint64_t *hostdev_event;

/* Calls are not observed. */
uint32_t ash_observed_pes;
void ash_observed_begin(struct ash_observed *observed) { (void)observed; }
void ash_observed_end(struct ash_observed *observed) { (void)observed; }
void ash_observed_value(struct ash_observed *o, int pe, uint64_t offset, uint64_t value)
{
    (void)o, (void)pe, (void)offset, (void)value;
}
uint64_t ash_observed_push(void) { return 0; }
void ash_observed_pushed(uint64_t began, uint32_t doorbell, uint64_t ticket, unsigned op,
                         uint32_t pe, bool waits)
{
    (void)began, (void)doorbell, (void)ticket, (void)op, (void)pe, (void)waits;
}

bool ash_hostdev_yield(uint32_t turns)
{
    explore_spin(turns);
    return false;
}

__thread uint32_t ash_hostdev_tests = ASH_TESTS_PER_YIELD;
__thread uint32_t ash_hostdev_fetches = ASH_TESTS_PER_YIELD;
void ash_hostdev_tested(void)
{
    ash_hostdev_tests = ASH_TESTS_PER_YIELD;
    explore_spin(0);
}
void ash_hostdev_fetched(void) { ash_hostdev_fetches = ASH_TESTS_PER_YIELD; }
void ash_hostdev_yield_cpu(void) { explore_spin(0); }
void ash_hostdev_reply_renew(struct ash_context *context)
{
    context->awaits_reply = false; /* never */
}
uint32_t ash_hostdev_wait_register(const struct ash_wait_info *info) { return info != NULL; }
void ash_hostdev_wait_unregister(uint32_t number) { (void)number; }

/* Relaxed: the kernel's write gives more order than this. */
void ash_hostdev_wake(int fd)
{
    (void)fd;
    if (hostdev_event != NULL) __atomic_fetch_add(hostdev_event, 1, __ATOMIC_RELAXED);
}

static inline void hostdev_name_channel(struct ash_channel *channel,
                                        struct ash_channel_progress *progress,
                                        struct ash_slot *slots, unsigned n)
{
    explore_name("ticket", &channel->ticket, 8, 1);
    explore_name("seen", &channel->seen, 8, 1);
    explore_name("fenced", &channel->fenced, 8, 1);
    explore_name("tail", &progress->tail, 8, 1);
    explore_name("completed", &progress->completed, 8, 1);
    explore_name("idle_below", &progress->idle_below, 8, 1);
    explore_name("next", &progress->next, 8, 1);
    explore_name("slot", slots, sizeof(*slots), n);
    explore_name("channel", channel, sizeof(*channel), 1);
    explore_name("progress", progress, sizeof(*progress), 1);
}

/* I2: seen <= tail <= next <= every unpublished ticket. */
static inline void hostdev_check_channel(const struct ash_channel *channel)
{
    const struct ash_channel_progress *progress = channel->progress;
    uint64_t ticket = channel->ticket & ~ASH_CHANNEL_ARMED;
    explore_check(channel->seen <= progress->tail, "I2: seen", channel->seen, progress->tail);
    explore_check(progress->tail <= progress->next, "I2: tail", progress->tail, progress->next);
    explore_check(progress->next <= ticket, "I2: next", progress->next, ticket);
}

#endif
