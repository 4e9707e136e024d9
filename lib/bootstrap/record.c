/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes this PE's record, and checks each field of a record of another PE before it is used.
 */
#include "lib/bootstrap/record.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "device/hostdev/cpus.h"
#include "lib/base/cause.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/log.h"
#include "lib/bootstrap/bootstrap.h"

#define MAGIC UINT64_C(0x3130687368796e61) /* "anyhsh01" in memory */

_Static_assert(sizeof(void *) == 8, "64-bit systems only");

/* Draw random numbers; PE 0's are the key of the job, without which messages from any process
 * would be accepted. */
static int draw_key(uint64_t key[2])
{
    if (getrandom(key, 2 * sizeof(key[0]), 0) == (ssize_t)(2 * sizeof(key[0]))) return 0;
    ash_log(ASH_LOG_ERROR, "cannot get random numbers for the job's key: %m");
    return ASH_ERROR_SYSTEM;
}

static void fill_node(struct ash_record *record, const struct ash_bootstrap *b)
{
    struct ash_cause own;
    ash_cause_own(&own, 0);
    memcpy(record->host, own.host, sizeof(record->host));
    record->first_local = b->local_pes[0];
    record->last_local = b->local_pes[b->n_local - 1];
    record->n_local = b->n_local;
}

int ash_record_publish(const struct ash_bootstrap *bootstrap, const struct ash_memory *memory,
                       const struct ash_fd_passing *passing, const struct ash_proxy *proxy)
{
    struct ash_proxy_address address = {NULL, 0, NULL, 0, 0, NULL};
    struct ash_record *record;
    unsigned char *end;
    size_t nbytes;
    int rc;
    if (proxy != NULL) ash_proxy_address(proxy, &address);
    nbytes = sizeof(*record) + address.address_length + address.rkey_length;
    record = calloc(1, nbytes);
    if (record == NULL) return ash_no_memory_for("the record of this PE");
    rc = draw_key(record->random);
    if (rc != 0) goto free_record;
    record->magic = MAGIC;
    record->protocol = ASH_PROTOCOL;
    record->pe = bootstrap->pe;
    record->heap_size = memory->file.size;
    record->variables = memory->variables;
    /* Messages carry offsets; only UCX's puts, gets and atomics need the heap's address. */
    if (ash_env.remote != ASH_REMOTE_AM) record->heap_base = (uintptr_t)memory->base;
    record->direct = (uint32_t)ash_env.disable_direct;
    record->remote = (uint32_t)ash_env.remote;
    record->barrier = (uint32_t)ash_env.barrier;
    record->n_cpus = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    record->pid = getpid();
    record->pid_space = ash_pid_space();
    record->fd = memory->file.fd;
    record->device = memory->file.dev;
    record->inode = memory->file.ino;
    record->fd_passing = *passing;
    fill_node(record, bootstrap);
    record->address_length = (uint32_t)address.address_length;
    record->rkey_length = (uint32_t)address.rkey_length;
    record->ucx = address.ucx;
    if (address.tcp_segment != NULL)
        (void)ash_size_parse(address.tcp_segment, &record->tcp_segment);
    record->cpu = ash_cpus_only();
    end = (unsigned char *)(record + 1);
    if (address.address_length > 0) memcpy(end, address.address, address.address_length);
    if (address.rkey_length > 0)
        memcpy(end + address.address_length, address.rkey, address.rkey_length);
    rc = ash_bootstrap_publish(record, nbytes);
free_record:
    free(record);
    return rc;
}

/* Is the record's node valid: a name that ends, and a list of PEs that contains its PE? */
static bool is_node(const struct ash_record *record)
{
    return memchr(record->host, '\0', sizeof(record->host)) != NULL &&
           record->first_local <= record->pe && record->pe <= record->last_local &&
           record->n_local >= 1 &&
           record->n_local - 1 <= record->last_local - record->first_local;
}

/* A record is untrusted bytes until it was checked. */
static int check(uint32_t pe, const struct ash_record *record, size_t nbytes)
{
    if (nbytes < sizeof(*record) || record->magic != MAGIC) {
        ash_log(ASH_LOG_ERROR, "PE %u does not run anyshmem: start one program on all PEs", pe);
        return ASH_ERROR_BOOTSTRAP;
    }
    if (record->protocol != ASH_PROTOCOL) {
        ash_log(ASH_LOG_ERROR,
                "PE %u runs another version of anyshmem: protocol %u, this PE %u; start "
                "all PEs with the same library (LD_LIBRARY_PATH of each host)",
                pe, record->protocol, ASH_PROTOCOL);
        return ASH_ERROR_BOOTSTRAP;
    }
    if (record->pe != pe || !is_node(record) || record->heap_size == 0 ||
        record->heap_size > UINT64_MAX - record->heap_base ||
        nbytes != sizeof(*record) + (uint64_t)record->address_length + record->rkey_length) {
        ash_log(ASH_LOG_ERROR, "PE %u published a truncated record", pe);
        return ASH_ERROR_BOOTSTRAP;
    }
    return 0;
}

int ash_record_get(uint32_t pe, struct ash_record **ret_record)
{
    void *bytes;
    size_t nbytes;
    int rc = ash_bootstrap_get(pe, &bytes, &nbytes);
    if (rc != 0) return rc;
    rc = check(pe, bytes, nbytes);
    if (rc != 0)
        free(bytes);
    else
        *ret_record = bytes;
    return rc;
}

int ash_record_reach(struct ash_record *record, struct ash_peer_info *ret_info)
{
    if (record->address_length == 0) {
        ash_log(ASH_LOG_ERROR, "PE %u runs without a proxy", record->pe);
        free(record);
        return ASH_ERROR_BOOTSTRAP;
    }
    /* Without this check UCX would read a missing key: it takes the length from the key itself. */
    if (record->rkey_length == 0 && ash_env.remote == ASH_REMOTE_RMA) {
        ash_log(ASH_LOG_ERROR, "PE %u published no memory key", record->pe);
        free(record);
        return ASH_ERROR_BOOTSTRAP;
    }
    ret_info->heap = record->heap_base;
    ret_info->pid = record->pid;
    ret_info->host = record->host;
    ret_info->address = record + 1;
    ret_info->rkey = (unsigned char *)(record + 1) + record->address_length;
    ret_info->storage = record;
    return 0;
}

struct ash_memory_file ash_record_file(const struct ash_record *record, int fd)
{
    return (struct ash_memory_file){
        .fd = fd, .dev = record->device, .ino = record->inode, .size = record->heap_size};
}

bool ash_record_same_processes(const struct ash_record *record)
{
    return record->pid_space != 0 && record->pid_space == ash_pid_space();
}

/* The PE to look at next: the first one after this node if the node's PEs are consecutive. */
static uint32_t look_next(const struct ash_record *record, uint32_t n_pes)
{
    bool whole = record->last_local - record->first_local + 1 == record->n_local;
    return ((whole ? record->last_local : record->pe) + 1) % n_pes;
}

int ash_record_next_nodes(const struct ash_bootstrap *b, unsigned n, uint32_t *ret_pes,
                          unsigned *ret_n)
{
    uint32_t pe = b->pe;
    *ret_n = 0;
    if (b->n_local == b->n_pes || b->local_pes[0] != b->pe) return 0;
    /* Once around the ring at most.  A node whose PEs are not consecutive comes up repeatedly. */
    for (uint32_t steps = 0; steps < b->n_pes && *ret_n < n; steps++) {
        struct ash_record *record;
        int rc = ash_record_get(pe, &record);
        if (rc != 0) return rc;
        pe = look_next(record, b->n_pes);
        if (record->pe != b->pe && record->first_local == record->pe)
            ret_pes[(*ret_n)++] = record->pe;
        free(record);
        if (pe == b->pe) break;
    }
    return 0;
}
