/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes that the machine, and the memory control groups of this process, can still provide,
 * from /proc/meminfo and the files of both versions of control groups.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "lib/memory/memory.h"

/* Left to the rest of the machine: MARGIN bytes and 1/MARGIN_PART of the total. */
#define MARGIN (UINT64_C(64) << 20)
#define MARGIN_PART 64

/* The number after `key` in the first line that starts with it, or `otherwise`. */
static uint64_t read_number(const char *path, const char *key, uint64_t otherwise)
{
    char line[256];
    FILE *file = fopen(path, "re");
    uint64_t number = otherwise;
    size_t length = strlen(key);
    if (file == NULL) return otherwise;
    while (fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, key, length) != 0) continue;
        if (sscanf(line + length, "%" SCNu64, &number) != 1) number = otherwise;
        break;
    }
    fclose(file);
    return number;
}

/* Names of a memory control group's files, which differ between the versions 1 and 2. */
struct group_files {
    const char *mount, *limit, *used, *statistics, *reclaimable[2];
};

/* Bytes that one group may still use; its page cache counts as free. */
static uint64_t one_group_left(const char *group, const struct group_files *files)
{
    char path[PATH_MAX + 64];
    uint64_t limit, used, margin, cached = 0;
    snprintf(path, sizeof(path), "%s/%s", group, files->limit);
    limit = read_number(path, "", UINT64_MAX);
    if (limit == UINT64_MAX) return UINT64_MAX;
    snprintf(path, sizeof(path), "%s/%s", group, files->used);
    used = read_number(path, "", 0);
    snprintf(path, sizeof(path), "%s/%s", group, files->statistics);
    for (int i = 0; i < 2; i++) cached += read_number(path, files->reclaimable[i], 0);
    used = (used > cached ? used - cached : 0);
    margin = MARGIN + limit / MARGIN_PART;
    return limit > used && limit - used > margin ? limit - used - margin : 0;
}

/* The smallest value of a group and all its ancestors. */
static uint64_t groups_left(const char *root, const char *group, const struct group_files *files)
{
    char path[PATH_MAX];
    size_t top = (size_t)snprintf(path, sizeof(path), "%s%s", root, files->mount);
    uint64_t left, least = UINT64_MAX;
    snprintf(path + top, sizeof(path) - top, "%s", group);
    for (;;) {
        char *slash = strrchr(path + top, '/');
        left = one_group_left(path, files);
        if (left < least) least = left;
        if (slash == NULL) return least;
        *slash = '\0';
    }
}

static uint64_t control_groups_left(const char *root)
{
    static const struct group_files v1 = {"/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                                          "memory.usage_in_bytes", "memory.stat",
                                          {"total_inactive_file ", "total_active_file "}},
                                    v2 = {"/sys/fs/cgroup", "memory.max", "memory.current",
                                          "memory.stat", {"inactive_file ", "active_file "}};
    char line[PATH_MAX];
    uint64_t left, least = UINT64_MAX;
    FILE *file;
    snprintf(line, sizeof(line), "%s/proc/self/cgroup", root);
    file = fopen(line, "re");
    if (file == NULL) return least;
    while (fgets(line, sizeof(line), file) != NULL) { /* "4:memory:/group" or "0::/group" */
        char *controllers = strchr(line, ':'), *group;
        if (controllers == NULL || (group = strchr(controllers + 1, ':')) == NULL) continue;
        *group++ = '\0';
        group[strcspn(group, "\n")] = '\0';
        if (controllers[1] != '\0' && strstr(controllers, "memory") == NULL) continue;
        left = groups_left(root, group, controllers[1] == '\0' ? &v2 : &v1);
        if (left < least) least = left;
    }
    fclose(file);
    return least;
}

uint64_t ash_memory_available_under(const char *root)
{
    char path[PATH_MAX];
    uint64_t free_bytes, margin, groups = control_groups_left(root);
    snprintf(path, sizeof(path), "%s/proc/meminfo", root);
    free_bytes = read_number(path, "MemAvailable:", UINT64_MAX / 1024) * 1024;
    margin = MARGIN + read_number(path, "MemTotal:", 0) * 1024 / MARGIN_PART;
    free_bytes = free_bytes > margin ? free_bytes - margin : 0;
    return free_bytes < groups ? free_bytes : groups;
}

uint64_t ash_memory_available(void)
{
    return ash_memory_available_under("");
}
