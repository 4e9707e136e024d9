/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Binds the proxy thread to the CPUs of a list, by pthread_setaffinity_np; without a list, widens
 * a binding to a single CPU to the NUMA node's.
 */
#include <glob.h>
#include <sched.h>
#include <stdio.h>
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

/* Read the CPUs of a NUMA node from its file; false if it says none. */
static bool read_cpus(const char *path, cpu_set_t *ret_set)
{
    char list[1024];
    FILE *file = fopen(path, "re");
    bool read;
    if (file == NULL) return false;
    read = fgets(list, sizeof(list), file) != NULL;
    fclose(file);
    if (!read) return false;
    list[strcspn(list, "\n")] = '\0';
    return parse_cpus(list, ret_set);
}

bool ash_cpus_of_numa_node(const char *root, int cpu, cpu_set_t *ret_set)
{
    char pattern[256];
    glob_t nodes;
    bool found = false;
    snprintf(pattern, sizeof(pattern), "%s/sys/devices/system/node/node*/cpulist", root);
    if (glob(pattern, GLOB_NOSORT, NULL, &nodes) != 0) return false;
    for (size_t i = 0; i < nodes.gl_pathc && !found; i++)
        found = read_cpus(nodes.gl_pathv[i], ret_set) && CPU_ISSET(cpu, ret_set);
    globfree(&nodes);
    return found;
}

static int only_cpu(const cpu_set_t *set)
{
    int cpu = 0;
    while (!CPU_ISSET(cpu, set)) cpu++;
    return cpu;
}

/* Bind to these CPUs; false if it may use one of them at most. */
static bool bind_to_several(pthread_t thread, cpu_set_t *set)
{
    return pthread_setaffinity_np(thread, sizeof(*set), set) == 0 &&
           pthread_getaffinity_np(thread, sizeof(*set), set) == 0 && CPU_COUNT(set) > 1;
}

/*
 * If the launcher binds each PE to one core, the proxy would share it with the thread that waits
 * for the proxy.  Then it may run on all CPUs of that NUMA node, where the PE's memory is, or where
 * these are too few wherever the kernel lets it, which is within the job's control group.
 */
static void widen_thread(struct ash_proxy *proxy)
{
    cpu_set_t set;
    if (pthread_getaffinity_np(proxy->thread, sizeof(set), &set) != 0 || CPU_COUNT(&set) != 1)
        return;
    if (ash_cpus_of_numa_node("", only_cpu(&set), &set) && bind_to_several(proxy->thread, &set)) {
        ash_log(ASH_LOG_INFO, "this PE is bound to one CPU; its proxy thread to the NUMA node");
        return;
    }
    memset(&set, 0xff, sizeof(set));
    if (bind_to_several(proxy->thread, &set))
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
