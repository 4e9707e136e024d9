/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/cpus.h"

#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>

/* Of the main thread of a process, 0: of this thread. */
static bool cpus_of(int64_t pid, cpu_set_t *ret_cpus)
{
    return sched_getaffinity((pid_t)pid, sizeof(*ret_cpus), ret_cpus) == 0;
}

uint32_t ash_cpus_count(void)
{
    cpu_set_t cpus;
    return cpus_of(0, &cpus) ? (uint32_t)CPU_COUNT(&cpus) : 0;
}

int64_t ash_cpus_only(void)
{
    cpu_set_t cpus;
    int64_t cpu = 0;
    if (!cpus_of(0, &cpus) || CPU_COUNT(&cpus) != 1) return -1;
    while (!CPU_ISSET((size_t)cpu, &cpus)) cpu++;
    return cpu;
}

double ash_cpus_shared_with(int64_t pid)
{
    cpu_set_t mine, theirs, both;
    /* Who has just ended, or is in another space of processes: as if it had the same. */
    if (!cpus_of(0, &mine) || !cpus_of(pid, &theirs)) return 1;
    CPU_AND(&both, &mine, &theirs);
    return (double)CPU_COUNT(&both) / CPU_COUNT(&theirs);
}
