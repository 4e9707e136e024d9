/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fence of all threads of the process: Linux interrupts the CPUs that run them.  It makes one
 * side's fence of a pair free: that of a thread that publishes often (device/channel/producer.h).
 */
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proxy/internal.h"

static bool membarrier(int command)
{
    return syscall(SYS_membarrier, command, 0, 0) == 0;
}

bool ash_fence_threads_start(void)
{
    return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

bool ash_fence_threads(void)
{
    return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}
