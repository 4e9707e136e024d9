/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shows what matters of this machine: launchers, memory, limits, GPUs.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "contrib/info/info.h"
#include "lib/cuda/driver.h"
#include "lib/base/env.h"
#include "lib/memory/memory.h"

static const char *const launchers[] = {"prterun", "srun", "mpirun"};
#define N_LAUNCHERS (sizeof(launchers) / sizeof(launchers[0]))

bool info_find_program(const char *name, char *path, size_t nbytes)
{
    const char *folders = getenv("PATH"), *end;
    if (strchr(name, '/') != NULL) {
        snprintf(path, nbytes, "%s", name);
        return access(path, X_OK) == 0;
    }
    for (; folders != NULL; folders = *end == ':' ? end + 1 : NULL) {
        end = folders + strcspn(folders, ":");
        snprintf(path, nbytes, "%.*s%s%s", (int)(end - folders), folders,
                 end == folders ? "./" : "/", name);
        if (access(path, X_OK) == 0) return true;
    }
    return false;
}

bool info_is_foreign(const char *path)
{
    char real[PATH_MAX];
    if (realpath(path, real) == NULL) return false;
    return strstr(real, "hydra") != NULL || strstr(real, "mpich") != NULL;
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && *value != '\0';
}

/* Slurm's commands may be installed where there is no Slurm. */
static bool has_slurm(void)
{
    return is_set("SLURM_JOB_ID") || is_set("SLURM_CONF") ||
           access("/etc/slurm/slurm.conf", F_OK) == 0;
}

bool info_find_launcher(char *path, size_t nbytes)
{
    const char *asked = ash_env.launcher;
    char name[PATH_MAX];
    if (asked != NULL && *asked != '\0') {
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(asked, " "), asked);
        return info_find_program(name, path, nbytes);
    }
    /* The same order as in anyshmem-run. */
    return info_find_program("prterun", path, nbytes) ||
           (has_slurm() && info_find_program("srun", path, nbytes)) ||
           info_find_program("mpirun", path, nbytes) || info_find_program("srun", path, nbytes);
}

static void show_program(const char *key, const char *path, const char *otherwise)
{
    if (path != NULL)
        info_row(key, "%s", path);
    else
        info_absent(key, otherwise);
}

void info_launcher(void)
{
    char path[PATH_MAX];
    show_program("launcher", info_find_launcher(path, sizeof(path)) ? path : NULL, "none");
    for (size_t i = 0; i < N_LAUNCHERS; i++)
        show_program(launchers[i],
                     info_find_program(launchers[i], path, sizeof(path)) ? path : NULL,
                     "not in PATH");
}

const char *info_size(uint64_t nbytes, char text[32])
{
    static const char units[] = "BKMGTPE";
    unsigned unit = 0;
    double size = (double)nbytes;
    for (; size >= 1024 && units[unit + 1] != '\0'; unit++) size /= 1024;
    snprintf(text, 32, unit == 0 || size >= 100 ? "%.0f%c" : "%.1f%c", size, units[unit]);
    return text;
}

static void show_limit(const char *name, int resource, bool is_size, const char *what)
{
    struct rlimit limit;
    char text[32];
    if (getrlimit(resource, &limit) != 0) return;
    if (limit.rlim_cur == RLIM_INFINITY)
        snprintf(text, sizeof(text), "unlimited");
    else if (is_size)
        info_size(limit.rlim_cur, text);
    else
        snprintf(text, sizeof(text), "%" PRIu64, (uint64_t)limit.rlim_cur);
    info_number(name, limit.rlim_cur == RLIM_INFINITY ? INFO_UNLIMITED : limit.rlim_cur, text,
                what);
}

static void show_size(const char *name, uint64_t nbytes, const char *what)
{
    char text[32];
    info_number(name, nbytes, info_size(nbytes, text), what);
}

void info_memory(void)
{
    struct statvfs files;
    show_size("heap", ash_env.symmetric_size, "of each PE (NVSHMEM_SYMMETRIC_SIZE)");
    show_size("memory", ash_memory_available_under(info_sysroot),
              "that the heaps of this node's PEs can have");
    if (statvfs("/dev/shm", &files) == 0)
        show_size("/dev/shm", files.f_bavail * files.f_frsize,
                  "free, for UCX's shared memory; heaps do not lie there");
    show_limit("memlock", RLIMIT_MEMLOCK, true, "ulimit -l: for networks with RDMA");
    show_limit("address", RLIMIT_AS, true, "ulimit -v: heaps of all PEs of this node");
    show_limit("files", RLIMIT_NOFILE, false, "ulimit -n: UCX's connections");
    show_limit("processes", RLIMIT_NPROC, false, "ulimit -u: threads count");
}

void info_gpus(void)
{
    struct ash_cuda_reason reason;
    char name[256], key[16];
    int count, device;
    if (ash_cuda_load(&count, &reason) != 0) {
        if (!info_is_json()) info_row("GPUs", "none: %s", reason.text);
        return;
    }
    for (int i = 0; i < count; i++) {
        if (ash_cuda.device_get(&device, i) != 0 ||
            ash_cuda.device_name(name, (int)sizeof(name), device) != 0)
            snprintf(name, sizeof(name), "?");
        snprintf(key, sizeof(key), "GPU %d", i);
        info_item(key, name);
    }
}
