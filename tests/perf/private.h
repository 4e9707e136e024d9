/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of a private context, compiled as the routines with a context are (private.c). */
#ifndef TESTS_PERF_PRIVATE_H
#define TESTS_PERF_PRIVATE_H

#include <stdint.h>

struct ash_channel;

/* From now on one thread sends in this channel, which is empty. */
void private_start(struct ash_channel *channel);
/* The enqueue of a put. */
void private_put(struct ash_channel *channel, uint32_t pe, uint64_t offset, const void *from,
                 uint64_t nbytes);

#endif
