/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares each name in the environment with the known ones, and finds the nearest one by edit
 * distance.
 */
#include "lib/base/env_names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/env.h"
#include "lib/base/log.h"

extern char **environ;

#define NAME_MAX_LENGTH 63

/* Prefixes of names that this library accepts and ignores. */
static const char *const ignored[] = {
    "NVSHMEM_ALLTOALL_", "NVSHMEM_ASSERT_", "NVSHMEM_BARRIER_", "NVSHMEM_BCAST_",
    "NVSHMEM_BOOTSTRAP", "NVSHMEM_BYPASS_ACCESSIBILITY_CHECK", "NVSHMEM_BYPASS_FLUSH",
    "NVSHMEM_CONF_FILE", "NVSHMEM_CPU_AFFINITY", "NVSHMEM_CUDA_LIMIT_STACK_SIZE",
    "NVSHMEM_CUDA_PATH", "NVSHMEM_CUMEM", "NVSHMEM_DEBUG_ATTACH_DELAY", "NVSHMEM_DEBUG_SUBSYS",
    "NVSHMEM_DIR", "NVSHMEM_DISABLE_CE_",
    "NVSHMEM_DISABLE_CUDA_VMM", "NVSHMEM_DISABLE_DATA_DIRECT", "NVSHMEM_DISABLE_GDRCOPY",
    "NVSHMEM_DISABLE_IB_NATIVE_ATOMICS", "NVSHMEM_DISABLE_LOCAL_ONLY_PROXY",
    "NVSHMEM_DISABLE_MNNVL", "NVSHMEM_DISABLE_NCCL", "NVSHMEM_DISABLE_NVLS",
    "NVSHMEM_DISABLE_SELF_WRITE_CE_COLL", "NVSHMEM_ENABLE_",
    "NVSHMEM_EXTERNAL_SHARING_PCIE_SWITCH_NIC_EXCLUSIVE", "NVSHMEM_FCOLLECT_",
    "NVSHMEM_GDRCOPY_", "NVSHMEM_GPUNETIO_", "NVSHMEM_G_BUF_SIZE", "NVSHMEM_G_COALESCING",
    "NVSHMEM_HCA_", "NVSHMEM_HEAP_KIND", "NVSHMEM_HOME", "NVSHMEM_IBGDA", "NVSHMEM_IB_",
    "NVSHMEM_IGNORE_CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "NVSHMEM_INFO_HIDDEN",
    "NVSHMEM_LIBFABRIC", "NVSHMEM_LIMIT_PTR_P2P_ACCESS", "NVSHMEM_MACHINE_READABLE",
    "NVSHMEM_MAX_CTAS", "NVSHMEM_MAX_DEST_RD_ATOMIC", "NVSHMEM_MAX_MEMORY_PER_GPU",
    "NVSHMEM_MAX_NICS_PER_PE", "NVSHMEM_MAX_P2P_GPUS", "NVSHMEM_MAX_PEER_STREAMS",
    "NVSHMEM_MAX_QP_RD_ATOMIC", "NVSHMEM_MAX_TEAMS", "NVSHMEM_MNNVL_", "NVSHMEM_NETDEVS_POLICY",
    "NVSHMEM_NVTX", "NVSHMEM_PREFIX", "NVSHMEM_PROXY_", "NVSHMEM_QP_DEPTH", "NVSHMEM_RDX_",
    "NVSHMEM_REDMAXLOC_", "NVSHMEM_REDUCESCATTER_", "NVSHMEM_REDUCE_", "NVSHMEM_REGION_",
    "NVSHMEM_REMOTE_TRANSPORT", "NVSHMEM_SRQ_DEPTH", "NVSHMEM_TEST_", "NVSHMEM_TMA_",
    "NVSHMEM_TRANSPORT_BATCH_MAX_OPS", "NVSHMEM_UCX_", "ANYSHMEM_TEST_"};

const char *ash_env_ignored(size_t i)
{
    return i < sizeof(ignored) / sizeof(ignored[0]) ? ignored[i] : NULL;
}

static bool is_ignored(const char *name)
{
    for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
        if (strncmp(name, ignored[i], strlen(ignored[i])) == 0) return true;
    return false;
}

static size_t least(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

/* The edit distance: how many letters must be changed, inserted or deleted to turn a into b. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[NAME_MAX_LENGTH + 1];
    size_t length = strlen(b);
    if (length > NAME_MAX_LENGTH) return NAME_MAX_LENGTH;
    for (size_t j = 0; j <= length; j++) row[j] = j;
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length; j++) {
            size_t above = row[j];
            row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[length];
}

static const char *nearest(const char *name, const char *(*name_of)(size_t i))
{
    const char *known, *best = NULL;
    size_t best_distance = 5; /* a name at this distance is no typing error any more */
    for (size_t i = 0; (known = name_of(i)) != NULL; i++) {
        size_t distance = edit_distance(name, known);
        if (distance >= best_distance) continue;
        best_distance = distance;
        best = known;
    }
    return best;
}

/* In most jobs all PEs have the same environment, so one warning is enough. */
static bool is_first_pe(void)
{
    const char *rank = ash_env_get("PMIX_RANK");
    return rank == NULL || strcmp(rank, "0") == 0;
}

static void warn_if_unknown(const char *name, const char *(*name_of)(size_t i))
{
    const char *known;
    for (size_t i = 0; (known = name_of(i)) != NULL; i++)
        if (strcmp(name, known) == 0) return;
    if (is_ignored(name)) {
        ash_log(ASH_LOG_INFO, "%s is not supported and is ignored", name);
        return;
    }
    known = nearest(name, name_of);
    ash_log(is_first_pe() ? ASH_LOG_WARN : ASH_LOG_INFO, "unknown variable %s%s%s%s",
            name, known != NULL ? " (did you mean " : "", known != NULL ? known : "",
            known != NULL ? "?)" : "");
}

void ash_env_warn_unknown(const char *(*name_of)(size_t i))
{
    for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
        char name[NAME_MAX_LENGTH + 1];
        size_t length = strcspn(*entry, "=");
        bool ours = strncmp(*entry, "NVSHMEM_", 8) == 0 || strncmp(*entry, "ANYSHMEM_", 9) == 0;
        bool is_empty = strcmp(*entry + length, "=") == 0;
        if (!ours || is_empty || length > NAME_MAX_LENGTH) continue;
        snprintf(name, sizeof(name), "%.*s", (int)length, *entry);
        warn_if_unknown(name, name_of);
    }
}
