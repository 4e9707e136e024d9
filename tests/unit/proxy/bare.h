/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A proxy without UCX and without its thread, for tests of who does its work and when.
 */
#ifndef TESTS_UNIT_PROXY_BARE_H
#define TESTS_UNIT_PROXY_BARE_H

#include <string.h>

#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "proxy/internal.h"
#include "tests/unit/time_limit.h"
#include "tests/unit/unit.h"

static struct ash_channel channel;
static struct ash_proxy proxy;

static inline void bare_begin(void)
{
    time_limit_start();
    memset(&proxy, 0, sizeof(proxy));
    channel.wake_fd = eventfd(0, EFD_NONBLOCK);
    proxy.config.channel = &channel;
}

static inline void bare_end(void)
{
    (void)close((int)channel.wake_fd);
    (void)alarm(0);
}

#endif
