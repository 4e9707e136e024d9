/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A grid whose threads are all there at once.
 */
#ifndef TESTS_UNIT_HOSTDEV_GATE_H
#define TESTS_UNIT_HOSTDEV_GATE_H

#include "tests/unit/hostdev_launch.h"

/* Opens when all threads have arrived. */
struct gate {
    uint64_t arrived, go;
    uint64_t nbytes;
};

/* Nobody ends before the last one has come. */
static inline void gather(void *arg)
{
    struct gate *gate = arg;
    struct dev_backoff backoff = dev_backoff_start();
    uint64_t n = (uint64_t)gridDim.x * blockDim.x;
    __syncthreads();
    if (dev_fetch_add64(&gate->arrived, 1) == n - 1) dev_store_release64(&gate->go, 1);
    while (dev_load_acquire64(&gate->go) == 0)
        dev_backoff(&backoff);
    __syncthreads();
}

#endif
