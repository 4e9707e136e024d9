/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens each peer's heap through /proc, or has its descriptor passed where that fails, and maps
 * it.
 */
#include "lib/start/peers.h"

#include <stdlib.h>
#include <unistd.h>

#include "device/hostdev/wait_table.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/family.h"
#include "lib/base/log.h"
#include "lib/bootstrap/record.h"
#include "lib/memory/fd_passing.h"
#include "lib/watch/watch.h"

static struct {
    unsigned char **table;
    uint32_t n_pes;
    uint32_t my_pe;
    const struct ash_memory *own;
    /* Heaps that were mapped. */
    uint32_t n_mapped;
} peers;

static int map_file(const struct ash_record *record, int fd)
{
    const struct ash_memory_file file = ash_record_file(record, fd);
    int rc = ash_memory_map_peer(peers.own, peers.n_mapped, &file, &peers.table[record->pe]);
    if (rc == 0) peers.n_mapped++;
    close(fd);
    return rc;
}

static int map_record(const struct ash_record *record)
{
    int rc, fd = ash_memory_open_peer(record->pid, (int)record->fd);
    if (fd >= 0) {
        rc = map_file(record, fd);
        if (rc == 0 || rc == ASH_ERROR_NO_MEMORY) return rc;
    }
    rc = ash_fd_passing_receive(&record->fd_passing, &fd, NULL);
    return rc != 0 ? rc : map_file(record, fd);
}

static int map_one(uint32_t pe, bool remote)
{
    struct ash_record *record;
    int rc = ash_record_get(pe, &record);
    if (rc != 0) return rc;
    rc = map_record(record);
    free(record);
    if (rc == 0) return 0;
    peers.table[pe] = NULL;
    if (remote) {
        ash_log(ASH_LOG_INFO, "the heap of PE %u cannot be mapped (%s): it is reached by UCX", pe,
                ash_error_text(rc));
        return 0;
    }
    if (rc != ASH_ERROR_NO_MEMORY) ash_watch_suspect(pe);
    ash_log(ASH_LOG_ERROR,
            "the heap of PE %u (%llu bytes) cannot be mapped (%s): %s", pe,
            (unsigned long long)peers.own->file.size, ash_error_text(rc),
            rc == ASH_ERROR_NO_MEMORY
                ? "set NVSHMEM_SYMMETRIC_SIZE lower, or ulimit -v higher"
                : "ANYSHMEM_DISABLE_DIRECT=1 does without, and goes by UCX");
    return rc;
}

int ash_peers_map(const struct ash_bootstrap *bootstrap, const struct ash_memory *own, bool remote)
{
    uint32_t wait;
    int rc = 0;
    peers.table = calloc(bootstrap->n_pes, sizeof(*peers.table));
    if (peers.table == NULL) return ash_no_memory_for("the table of the PEs' heaps");
    peers.n_pes = bootstrap->n_pes;
    peers.my_pe = bootstrap->pe;
    peers.own = own;
    peers.n_mapped = 0;
    if (ash_env.disable_direct == ASH_DIRECT_OFF) return 0;
    peers.table[bootstrap->pe] = own->base;
    if (ash_env.disable_direct == ASH_DIRECT_SELF) return 0;
    wait = ash_hostdev_register_call(ash_family_name("nvshmem_init"),
                                     "the heaps of the PEs of its node");
    for (uint32_t i = 0; i < bootstrap->n_local && rc == 0; i++)
        if (bootstrap->local_pes[i] != bootstrap->pe) rc = map_one(bootstrap->local_pes[i], remote);
    ash_hostdev_wait_unregister(wait);
    if (rc != 0) ash_peers_unmap();
    return rc;
}

unsigned char *const *ash_peers_table(void)
{
    return peers.table;
}

void ash_peers_unmap(void)
{
    for (uint32_t pe = 0; peers.table != NULL && pe < peers.n_pes; pe++)
        if (pe != peers.my_pe && peers.table[pe] != NULL)
            ash_memory_unmap_peer(peers.table[pe], peers.own->file.size);
    free(peers.table);
    peers.table = NULL;
}
