/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Binds the proxy thread to the CPUs of a list, by pthread_setaffinity_np; without a list, lifts
 * a binding to a single CPU.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/log.h"
#include "proxy/internal.h"

/* Parse a list such as "0,2-3"; false if it is invalid. */
static bool parse_cpus(const char *list, cpu_set_t *ret_set)
{
    CPU_ZERO(ret_set);
    while (*list != '\0') {
        char *end;
        unsigned long first = strtoul(list, &end, 10), last = first;
        if (end == list) return false;
        if (*end == '-') {
            list = end + 1;
            last = strtoul(list, &end, 10);
            if (end == list) return false;
        }
        if (last >= CPU_SETSIZE || first > last || (*end != ',' && *end != '\0')) return false;
        for (unsigned long cpu = first; cpu <= last; cpu++) CPU_SET(cpu, ret_set);
        list = *end == ',' ? end + 1 : end;
    }
    return true;
}

/*
 * If the launcher binds each PE to one core, the proxy would share it with the thread
 * that waits for the proxy.  Then the proxy may run wherever the kernel lets it, which
 * is within the job's control group.
 */
static void widen_thread(struct ash_proxy *proxy)
{
    cpu_set_t set;
    if (pthread_getaffinity_np(proxy->thread, sizeof(set), &set) != 0 || CPU_COUNT(&set) != 1)
        return;
    memset(&set, 0xff, sizeof(set));
    if (pthread_setaffinity_np(proxy->thread, sizeof(set), &set) == 0)
        ash_log(ASH_LOG_INFO, "this PE is bound to one CPU; its proxy thread is not");
}

int ash_proxy_bind(struct ash_proxy *proxy)
{
    const char *cpus = proxy->config.cpus;
    cpu_set_t set;
    if (cpus == NULL || *cpus == '\0') {
        widen_thread(proxy);
        return 0;
    }
    if (parse_cpus(cpus, &set) && pthread_setaffinity_np(proxy->thread, sizeof(set), &set) == 0)
        return 0;
    ash_log(ASH_LOG_ERROR,
            "invalid value ANYSHMEM_PROXY_CPUS=%s: expected CPUs that this process may use, "
            "such as 0,2-3",
            cpus);
    return ASH_ERROR_BAD_VALUE;
}
