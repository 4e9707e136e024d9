/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of this PE, and the settings of the host device, whose kernels may run before the
 * start.  on_fault is set from the beginning: a fault before the start is reported, too.
 */
#include <pthread.h>

#include "device/hostdev/hostdev.h"
#include "device/target/target.h"
#include "lib/base/end.h"
#include "lib/base/env.h"
#include "lib/base/fault.h"
#include "lib/report/crash.h"
#include "lib/report/report.h"

struct ash_state ash_state __attribute__((aligned(64))) = {.on_fault = ash_fault_report};

static void load(void)
{
    if (ash_env_load_hostdev() != 0) ash_fatal_logged();
}

/* Threads may come here at the same time. */
static void load_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load);
}

static void configure(void)
{
    load_once();
    ash_hostdev_workers = (uint32_t)ash_env.hostdev_workers;
    ash_hostdev_stack = ash_env.hostdev_stack;
    ash_hostdev_loops = ash_env.hostdev_loops;
    ash_report_early();
    (void)ash_crash_take_signals();
}

struct ash_env_cuda ash_env_cuda(void)
{
    load_once();
    return (struct ash_env_cuda){(int)ash_env.cuda_devices, ash_env.cuda_check != 0};
}

void (*const ash_hostdev_configure)(void) = configure;
