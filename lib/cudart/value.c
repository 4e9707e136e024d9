/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values in memory that a stream writes, or waits for.
 */
#include <cuda.h>

#include "device/hostdev/clock.h"
#include "lib/cudart/work.h"

/* How often a wait looks before it sleeps, and for how long then. */
#define SPINS 1000
#define SLEEP_NS 20000

static bool met(const struct ash_value *v)
{
    uint64_t is = v->nbytes == 4 ? __atomic_load_n((uint32_t *)v->address, __ATOMIC_ACQUIRE)
                                 : __atomic_load_n((uint64_t *)v->address, __ATOMIC_ACQUIRE);
    uint64_t mask = v->nbytes == 4 ? UINT32_MAX : UINT64_MAX, difference = (is - v->value) & mask;
    switch (v->flags & 3u) {
    case CU_STREAM_WAIT_VALUE_EQ: return difference == 0;
    case CU_STREAM_WAIT_VALUE_AND: return (is & v->value) != 0;
    case CU_STREAM_WAIT_VALUE_NOR: return (~(is | v->value) & mask) != 0;
    /* By the sign of the difference, as CUDA does it: the values go round. */
    default: return difference <= mask / 2;
    }
}

void ash_value_run(const struct ash_value *v)
{
    unsigned spins = 0;
    if (v->wait)
        while (!met(v))
            if (++spins > SPINS) ash_sleep_ns(SLEEP_NS);
    if (!v->wait && v->nbytes == 4)
        __atomic_store_n((uint32_t *)v->address, (uint32_t)v->value, __ATOMIC_RELEASE);
    if (!v->wait && v->nbytes == 8)
        __atomic_store_n((uint64_t *)v->address, v->value, __ATOMIC_RELEASE);
}
