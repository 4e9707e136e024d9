/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares published records: at the start those of this node with PE 0's, and that of a PE of
 * another node when the proxy connects to it.
 */
#include "lib/start/job.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/hostdev/cpus.h"
#include "lib/base/end.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/log.h"
#include "lib/bootstrap/record.h"
#include "lib/symmetric/heap.h"

/* See ash_job_shares_cpus. */
static bool shares_cpus;
/* See ash_job_load. */
static double load;
/*
 * The fixed part of PE 0's record, and whether this PE's node agrees with it.
 * Written by: ash_job_check, in the thread that starts the library.  Read by: the proxy thread.
 */
static struct ash_record first_of_job;
static bool agrees;

static bool same(const void *variable, uint64_t first, const struct ash_record *other,
                 uint64_t others)
{
    char mine[64], theirs[64];
    if (first == others) return true;
    ash_env_text(variable, first, mine, sizeof(mine));
    ash_env_text(variable, others, theirs, sizeof(theirs));
    ash_log(ASH_LOG_ERROR, "%s on PE 0, but %s on PE %u: it must be the same on all PEs", mine,
            theirs, other->pe);
    return false;
}

/* Bytes of a heap that NVSHMEM_SYMMETRIC_SIZE has set. */
static uint64_t set_size(const struct ash_record *record)
{
    return record->heap_size - ASH_HEAP_ROOM - record->variables.nbytes;
}

/* Offsets of variables are the same in one program alone. */
static bool same_variables(const struct ash_record *a, const struct ash_record *b)
{
    const struct ash_memory_static *mine = &a->variables, *theirs = &b->variables;
    if (mine->nbytes == theirs->nbytes && mine->hash == theirs->hash) return true;
    ash_log(ASH_LOG_ERROR,
            "other static variables on PE 0 (%llu bytes) than on PE %u (%llu bytes): start one "
            "program on all PEs, or set ANYSHMEM_STATIC=0",
            (unsigned long long)mine->nbytes, b->pe, (unsigned long long)theirs->nbytes);
    return false;
}

static bool same_settings(const struct ash_record *a, const struct ash_record *b)
{
    return same(&ash_env.symmetric_size, set_size(a), b, set_size(b)) &&
           same(&ash_env.disable_direct, a->direct, b, b->direct) &&
           same(&ash_env.remote, a->remote, b, b->remote) &&
           same(&ash_env.barrier, a->barrier, b, b->barrier);
}

static unsigned ucx_major(uint32_t ucx) { return ucx >> 16; }
static unsigned ucx_minor(uint32_t ucx) { return ucx >> 8 & 255; }

/*
 * UCX's wire protocol, and how it carries out a remote atomic, change with its version:
 * PEs with different versions fail somewhere, or wait for each other.
 */
static bool same_ucx(const struct ash_record *a, const struct ash_record *b)
{
    if (a->ucx == 0 || b->ucx == 0 || a->ucx >> 8 == b->ucx >> 8) return true;
    ash_log(ASH_LOG_ERROR,
            "UCX %u.%u on PE %u, but UCX %u.%u on PE %u: start all PEs with the same one "
            "(LD_LIBRARY_PATH of each host)",
            ucx_major(a->ucx), ucx_minor(a->ucx), a->pe, ucx_major(b->ucx), ucx_minor(b->ucx),
            b->pe);
    return false;
}

/* UCX sends as much at a time as it takes itself, and aborts a PE that takes less. */
static bool same_segments(const struct ash_record *a, const struct ash_record *b)
{
    if (a->tcp_segment == 0 || b->tcp_segment == 0 || a->tcp_segment == b->tcp_segment) return true;
    ash_log(ASH_LOG_ERROR,
            "UCX_TCP_RX_SEG_SIZE=%llu on PE 0, but UCX_TCP_RX_SEG_SIZE=%llu on PE %u: it must be "
            "the same on all PEs",
            (unsigned long long)a->tcp_segment, (unsigned long long)b->tcp_segment, b->pe);
    return false;
}

static bool of_one_job(const struct ash_record *first, const struct ash_record *other)
{
    return same_settings(first, other) && same_variables(first, other) &&
           same_ucx(first, other) && same_segments(first, other);
}

/* Where PEs share one CPU, each wait for another PE costs a time slice. */
static void warn_oversubscribed(const struct ash_bootstrap *b, int64_t cpu, uint32_t n_bound)
{
    long n_cpus = sysconf(_SC_NPROCESSORS_ONLN);
    if (n_bound < 2 || n_bound < b->n_local || b->local_pes[0] != b->pe || n_cpus < 2) return;
    ash_log(ASH_LOG_WARN,
            "all %u PEs of this host are bound to CPU %lld, one of its %ld, and share it: start "
            "with --bind-to none (prterun, mpirun) or --cpu-bind=none (srun)",
            b->n_local, (long long)cpu, n_cpus);
}

bool ash_job_shares_cpus(void) { return shares_cpus; }

double ash_job_load(void) { return load; }

/*
 * The part (0 to 1) of a PE of this node that runs on this PE's CPUs; `cpu`: this PE's only
 * CPU, or -1.
 */
static double part_here(const struct ash_bootstrap *b, int64_t cpu, const struct ash_record *pe)
{
    if (pe->pe == b->pe) return 1;
    if (cpu >= 0 && pe->cpu >= 0) return pe->cpu == cpu;
    return ash_record_same_processes(pe) ? ash_cpus_shared_with(pe->pid) : 1;
}

/*
 * PEs of this node for each of this PE's CPUs; for each CPU of the node where the system does
 * not say which CPUs this PE has.
 */
static double load_of(const struct ash_bootstrap *b, double here)
{
    uint32_t n_cpus = ash_cpus_count();
    long n_online = sysconf(_SC_NPROCESSORS_ONLN);
    if (n_cpus > 0) return here / n_cpus;
    return n_online > 0 ? b->n_local / (double)n_online : 1;
}

int ash_job_check(const struct ash_bootstrap *b)
{
    struct ash_record *first, *other;
    int64_t cpu = ash_cpus_only();
    uint32_t n_bound = cpu >= 0;
    double here = 0;
    int rc = ash_record_get(0, &first);
    __atomic_store_n(&agrees, false, __ATOMIC_RELEASE);
    if (rc != 0) return rc;
    for (uint32_t i = 0; i < b->n_local && rc == 0; i++) {
        uint32_t pe = b->local_pes[i];
        rc = ash_record_get(pe, &other);
        if (rc != 0) break;
        if (!of_one_job(first, other)) rc = ASH_ERROR_BOOTSTRAP;
        if (i == 0) shares_cpus = b->n_local > other->n_cpus;
        n_bound += pe != b->pe && cpu >= 0 && other->cpu == cpu;
        here += part_here(b, cpu, other);
        free(other);
    }
    first_of_job = *first;
    free(first);
    if (rc != 0) return rc;
    load = load_of(b, here);
    /* Pairs with the acquire in ash_job_lookup: the thread that sees true sees first_of_job. */
    __atomic_store_n(&agrees, true, __ATOMIC_RELEASE);
    warn_oversubscribed(b, cpu, n_bound);
    return 0;
}

int ash_job_lookup(uint32_t pe, struct ash_peer_info *ret_info)
{
    struct ash_record *record;
    int rc = ash_record_get(pe, &record);
    if (rc != 0) return rc;
    /* Pairs with the release at the end of ash_job_check: first_of_job is complete. */
    if (__atomic_load_n(&agrees, __ATOMIC_ACQUIRE) && !of_one_job(&first_of_job, record))
        ash_fatal_logged();
    return ash_record_reach(record, ret_info);
}
