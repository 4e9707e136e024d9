/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/exit.h"

#include <pthread.h>
#include <stdio.h>

#include "device/hostdev/hostdev.h"
#include "device/routine/check.h"
#include "lib/base/end.h"
#include "lib/base/log.h"
#include "lib/base/times.h"

static void *flush_all(void *unused)
{
    fflush(NULL);
    return unused;
}

void ash_flush_streams(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, flush_all, NULL) == 0)
        (void)ash_hostdev_join(thread, ASH_FLUSH_MS / 1000);
}

void ash_global_exit(const char *function, int status)
{
    struct ash_cause cause;
    ash_check_started(function);
    ash_end_begin(status);
    ash_log(ASH_LOG_INFO, "%s(%d)", function, status);
    if (ash_poison_hook != NULL) ash_poison_hook();
    ash_flush_streams();
    ash_cause_own(&cause, status);
    ash_end(&cause, ASH_END_LOGGED, NULL);
}
