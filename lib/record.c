/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/record.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "lib/bootstrap.h"
#include "lib/env.h"
#include "lib/error.h"
#include "lib/job.h"
#include "lib/log.h"

#define MAGIC UINT64_C(0x3130687368796e61) /* "anyhsh01" in memory */

int ash_record_publish(uint32_t pe, const struct ash_memory *memory, const struct ash_offer *offer,
                       const struct ash_proxy *proxy)
{
    struct ash_proxy_address address = {NULL, 0, NULL, 0};
    struct ash_record *record;
    unsigned char *end;
    size_t nbytes;
    int rc;
    if (proxy != NULL) ash_proxy_address(proxy, &address);
    nbytes = sizeof(*record) + address.address_length + address.rkey_length;
    record = calloc(1, nbytes);
    if (record == NULL) return ASH_ERROR_NO_MEMORY;
    record->magic = MAGIC;
    record->protocol = ASH_PROTOCOL;
    record->pe = pe;
    record->heap_size = memory->size;
    record->heap_base = (uintptr_t)memory->base;
    record->direct = (uint32_t)ash_env.disable_direct;
    record->remote = (uint32_t)ash_env.remote;
    record->pid = getpid();
    record->fd = memory->fd;
    record->device = memory->dev;
    record->inode = memory->ino;
    record->offer = *offer;
    if (getrandom(&record->random, sizeof(record->random), 0) < 0) record->random = 0;
    record->address_length = (uint32_t)address.address_length;
    record->rkey_length = (uint32_t)address.rkey_length;
    record->cpu = ash_job_only_cpu();
    end = (unsigned char *)(record + 1);
    if (address.address_length > 0) memcpy(end, address.address, address.address_length);
    if (address.rkey_length > 0)
        memcpy(end + address.address_length, address.rkey, address.rkey_length);
    rc = ash_bootstrap_publish(record, nbytes);
    free(record);
    return rc;
}

/* What comes from another PE is bytes until it was checked. */
static int check(uint32_t pe, const struct ash_record *record, size_t nbytes)
{
    if (nbytes < sizeof(*record) || record->magic != MAGIC) {
        ash_log(ASH_LOG_ERROR, "PE %u is no PE of anyshmem: start one program on all PEs", pe);
        return ASH_ERROR_BOOTSTRAP;
    }
    if (record->protocol != ASH_PROTOCOL) {
        ash_log(ASH_LOG_ERROR,
                "PE %u has another version of anyshmem: it speaks protocol %u, this PE %u; start "
                "all PEs with the same library (LD_LIBRARY_PATH of each host)",
                pe, record->protocol, ASH_PROTOCOL);
        return ASH_ERROR_BOOTSTRAP;
    }
    if (record->pe != pe ||
        nbytes != sizeof(*record) + (uint64_t)record->address_length + record->rkey_length) {
        ash_log(ASH_LOG_ERROR, "PE %u published a record that is not whole", pe);
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

int ash_record_lookup(uint32_t pe, struct ash_peer_info *ret_info)
{
    struct ash_record *record;
    int rc = ash_record_get(pe, &record);
    if (rc != 0) return rc;
    if (record->address_length == 0) {
        ash_log(ASH_LOG_ERROR, "PE %u runs without a proxy", pe);
        free(record);
        return ASH_ERROR_BOOTSTRAP;
    }
    ret_info->heap = record->heap_base;
    ret_info->address = record + 1;
    ret_info->rkey = (unsigned char *)(record + 1) + record->address_length;
    ret_info->storage = record;
    return 0;
}
