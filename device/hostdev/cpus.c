/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares affinity masks, which sched_getaffinity fills in for any thread of this machine.
 */
#include "device/hostdev/cpus.h"

#include <sched.h>
#include <stdlib.h>

#define CPUS_MIN 1024
#define CPUS_MAX (1 << 16)

struct cpus {
    cpu_set_t *set;
    size_t nbytes;
};

/*
 * The CPUs of the main thread of a process, or with 0 of the calling thread; the set is NULL
 * where the system does not say.  How large a set the system wants is found by trying.
 */
static struct cpus cpus_of(int64_t pid)
{
    struct cpus cpus = {NULL, 0};
    for (int size = CPUS_MIN; size <= CPUS_MAX; size *= 2) {
        cpus.set = CPU_ALLOC(size);
        cpus.nbytes = CPU_ALLOC_SIZE(size);
        if (cpus.set == NULL) break;
        if (sched_getaffinity((pid_t)pid, cpus.nbytes, cpus.set) == 0) break;
        CPU_FREE(cpus.set);
        cpus.set = NULL;
    }
    return cpus;
}

static uint32_t count(const struct cpus *cpus)
{
    return cpus->set == NULL ? 0 : (uint32_t)CPU_COUNT_S(cpus->nbytes, cpus->set);
}

uint32_t ash_cpus_count(void)
{
    struct cpus cpus = cpus_of(0);
    uint32_t n = count(&cpus);
    CPU_FREE(cpus.set);
    return n;
}

int64_t ash_cpus_only(void)
{
    struct cpus cpus = cpus_of(0);
    int64_t cpu = -1;
    if (count(&cpus) == 1)
        for (cpu = 0; !CPU_ISSET_S((size_t)cpu, cpus.nbytes, cpus.set); cpu++) continue;
    CPU_FREE(cpus.set);
    return cpu;
}

double ash_cpus_shared_with(int64_t pid)
{
    struct cpus mine = cpus_of(0), theirs = cpus_of(pid);
    uint32_t n_theirs = count(&theirs);
    double part = 1;
    if (count(&mine) > 0 && n_theirs > 0 && mine.nbytes == theirs.nbytes) {
        CPU_AND_S(mine.nbytes, mine.set, mine.set, theirs.set);
        part = (double)count(&mine) / n_theirs;
    }
    CPU_FREE(mine.set);
    CPU_FREE(theirs.set);
    return part;
}
