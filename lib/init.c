/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The life of the library, in order.
 *
 *   environment -> bootstrap -> heap -> channel and proxy -> publish, fence
 *   -> map the node's heaps -> proxy runs -> routines are open -> barrier
 *
 * and back.  The proxy exists only where some PE is not mapped, or a GPU is
 * used: that is known before the proxy is made, the GPU is taken when it runs.
 * PEs with a GPU and without are in one job, so what all PEs do together depends
 * on `remote` alone.
 */
#include <nvshmemx.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/hostdev.h"
#include "device/hostdev_trace.h"
#include "device/order.h"
#include "lib/bootstrap.h"
#include "lib/cuda.h"
#include "lib/env.h"
#include "lib/error.h"
#include "lib/heap.h"
#include "lib/init_attr.h"
#include "lib/job.h"
#include "lib/life.h"
#include "lib/link.h"
#include "lib/log.h"
#include "lib/mark.h"
#include "lib/offer.h"
#include "lib/peers.h"
#include "lib/record.h"
#include "lib/report.h"
#include "lib/stats.h"
#include "lib/team.h"
#include "lib/trace.h"
#include "lib/watch.h"

static struct {
    pthread_mutex_t mutex;
    /* Calls of init without their finalize. */
    unsigned users;
    struct ash_bootstrap bootstrap;
    struct ash_link link;
    /* Some PE of the job is not mapped by some other one. */
    bool remote;
    /* The GPU that the program asks for, or -1. */
    int device;
    bool hooks_installed;
} life = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Close the routines: with no PEs and no heap every argument check fails. */
static void close_routines(enum ash_life reason)
{
    void (*on_fault)(const struct ash_fault *) = ash_state.on_fault;
    memset(&ash_state, 0, sizeof(ash_state));
    ash_state.on_fault = on_fault;
    ash_life = reason;
}

/* UCX and PMIx do not survive a fork: in the child every routine says so. */
static void after_fork_in_child(void)
{
    if (life.users == 0) return;
    close_routines(ASH_LIFE_FORKED);
    ash_observe_forked();
    ash_trace_forked();
    ash_cuda_forked();
    ash_abort_hook = NULL;
    ash_tell_hook = NULL;
    ash_watch_forked();
    ash_report_forked();
}

static void at_exit(void)
{
    ash_cuda_poison();
    if (life.users > 0 && ash_life == ASH_LIFE_STARTED)
        ash_log(ASH_LOG_WARN, "the program ended without nvshmem_finalize");
}

static void install_hooks(void)
{
    if (life.hooks_installed) return;
    life.hooks_installed = true;
    pthread_atfork(NULL, NULL, after_fork_in_child);
    atexit(at_exit);
}

/* From here on the routines work. */
static void open_routines(uint64_t barrier_offset)
{
    const struct ash_memory *memory = ash_heap_memory();
    ash_state.my_pe = (int32_t)life.bootstrap.pe;
    ash_state.peer = ash_peers_table();
    ash_state.channel = life.link.channel;
    ash_state.help = life.link.proxy != NULL ? ash_proxy_help : NULL;
    ash_state.replies = life.link.replies;
    ash_state.barrier_offset = barrier_offset;
    ash_state_set_heap(&ash_state, memory->base, memory->size);
    ash_state.n_pes = life.bootstrap.n_pes;
    ash_life = ASH_LIFE_STARTED;
}

static int check_job(void)
{
    struct ash_record *first;
    int rc = ash_record_get(0, &first);
    if (rc != 0) return rc;
    rc = ash_job_check(&life.bootstrap);
    if (rc == 0 && life.link.proxy != NULL) ash_proxy_set_job_key(life.link.proxy, first->random);
    free(first);
    return rc;
}

/* What NVSHMEM_VERSION, NVSHMEM_INFO and their like ask for; one PE is enough. */
static void print_asked(void)
{
    if (life.bootstrap.pe != 0) return;
    if (ash_env.version || ash_env.info || getenv("NVSHMEM_DEBUG") != NULL)
        printf("%s\n", NVSHMEM_VENDOR_STRING);
    if (ash_env.info) ash_env_print(stdout);
    fflush(stdout);
}

/* Waiting threads of this node's PEs, as far as they are known, and its CPUs. */
static void set_pauses(bool remote)
{
    uint64_t threads = (uint64_t)life.bootstrap.n_local * (remote ? 2 : 1);
    cpu_set_t cpus;
    uint64_t n_cpus = sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? (uint64_t)CPU_COUNT(&cpus)
                                                                     : threads;
    ash_hostdev_pauses = threads > n_cpus ? 2 : ASH_HOSTDEV_PAUSES;
    ash_hostdev_crowd = (uint32_t)((life.bootstrap.n_local + n_cpus - 1) / n_cpus);
}

/* Publish this PE, and offer its heap to those of its node until all have it. */
static int publish(void)
{
    const struct ash_bootstrap *b = &life.bootstrap;
    struct ash_offer offer = {{0, 0}, {0, 0}};
    if (b->n_local > 1 && ash_offer_start(ash_heap_memory()->fd, &offer) != 0)
        ash_log(ASH_LOG_INFO, "no local socket: the heap cannot be handed to other PEs");
    return ash_record_publish(b, ash_heap_memory(), &offer, life.link.proxy);
}

static int start(void)
{
    struct ash_bootstrap *b = &life.bootstrap;
    uint64_t barrier_offset;
    bool gpu, remote;
    int rc;
    if ((rc = ash_env_load()) != 0) return rc;
    if ((rc = ash_bootstrap_start(b)) != 0) return rc;
    ash_abort_hook = ash_bootstrap_abort;
    ash_log_identify((int)b->pe, (int)b->n_pes);
    print_asked();
    if ((rc = ash_trace_open(b->pe)) != 0) goto stop_bootstrap;
    if (b->n_pes > ASH_MAX_PES) {
        ash_log(ASH_LOG_ERROR, "%u PEs are more than %u", b->n_pes, ASH_MAX_PES);
        rc = ASH_ERROR_BOOTSTRAP;
        goto stop_bootstrap;
    }
    if ((rc = ash_cuda_choose(b, life.device, &gpu)) != 0) goto stop_bootstrap;
    rc = ash_heap_start(ash_env.symmetric_size, &barrier_offset,
                        ASH_BARRIER_BYTES + ASH_MARK_BYTES);
    if (rc != 0) goto stop_bootstrap;
    life.remote = remote = b->n_local < b->n_pes || ash_env.disable_direct != ASH_DIRECT_ON;
    if (remote || gpu) rc = ash_link_start(&life.link, b, ash_heap_memory());
    if (rc != 0) goto stop_heap;
    if ((rc = publish()) != 0) goto stop_link;
    if ((rc = ash_bootstrap_fence()) != 0) goto stop_link;
    if ((rc = check_job()) != 0) goto stop_link;
    rc = ash_watch_start(b, ash_heap_memory()->base, barrier_offset + ASH_BARRIER_BYTES);
    if (rc != 0) goto stop_link;
    ash_report_start(life.link.proxy);
    if ((rc = ash_peers_map(b, ash_heap_memory(), remote)) != 0) goto stop_link;
    if ((remote || gpu) && (rc = ash_proxy_start(life.link.proxy)) != 0) goto unmap;
    if (remote || gpu) ash_watch_proxy(b, life.link.proxy);
    rc = ash_cuda_start(ash_heap_memory(), ash_peers_table(), b->n_pes, life.link.proxy);
    if (rc != 0) goto unmap;
    ash_hostdev_workers = (uint32_t)ash_env.hostdev_workers;
    set_pauses(remote || gpu);
    if ((rc = ash_teams_start(b)) != 0) goto stop_cuda;
    open_routines(barrier_offset);
    ash_cuda_open();
    ash_barrier("nvshmem_init");
    ash_trace_begin();
    if (ash_env.stats || ash_trace_sink != NULL) ash_stats_start(b->n_pes);
    ash_offer_stop();
    ash_log(ASH_LOG_INFO, "%s: %u PEs, %u on this node, heap %llu bytes, %s", NVSHMEM_VENDOR_STRING,
            b->n_pes, b->n_local, (unsigned long long)ash_heap_memory()->size,
            remote || gpu ? "proxy runs" : "all PEs mapped, no proxy");
    return 0;

stop_cuda:
    ash_cuda_stop();
unmap:
    ash_peers_unmap();
stop_link:
    ash_report_stop();
    ash_watch_stop();
    ash_offer_stop();
    ash_link_stop(&life.link);
stop_heap:
    ash_heap_stop();
stop_bootstrap:
    ash_trace_close();
    ash_bootstrap_abort(ASH_EXIT_FATAL);
    ash_bootstrap_stop();
    free(b->local_pes);
    b->local_pes = NULL;
    return rc;
}

/* What all have sent has come: when they know it, nobody needs another's proxy any more. */
static void meet_last(void)
{
    if (!life.remote || ash_bootstrap_fence() == 0) return;
    /* Whoever goes on would take away what others may still use. */
    if (ash_log_had_error()) ash_fatal_told();
    ash_fatal("nvshmem_finalize: the PEs did not meet for the last time");
}

static void stop(void)
{
    ash_hostdev_streams_stop();
    ash_cuda_drain();
    ash_observe_stop();
    ash_quiet("nvshmem_finalize");
    if (ash_env.stats) ash_stats_print();
    ash_barrier("nvshmem_finalize");
    /* The barrier's own last signals. */
    ash_quiet("nvshmem_finalize");
    ash_hostdev_stop();
    ash_proxy_leave(life.link.proxy);
    ash_proxy_finish(life.link.proxy);
    meet_last();
    ash_mark_leave();
    ash_report_stop();
    ash_watch_stop();
    close_routines(ASH_LIFE_FINALIZED);
    ash_teams_stop();
    ash_cuda_stop();
    ash_link_stop(&life.link);
    ash_trace_close();
    ash_peers_unmap();
    ash_heap_stop();
    ash_bootstrap_stop();
    ash_abort_hook = NULL;
    free(life.bootstrap.local_pes);
    life.bootstrap.local_pes = NULL;
}

int ash_start(const struct ash_bootstrap_way *way, int device)
{
    int rc = 0;
    pthread_mutex_lock(&life.mutex);
    install_hooks();
    if (ash_life == ASH_LIFE_FORKED) ash_fatal("nvshmem_init: not usable in a forked child");
    if (life.users == 0) {
        ash_bootstrap_choose(way);
        life.device = device;
        rc = start();
    }
    if (rc == 0) life.users++;
    pthread_mutex_unlock(&life.mutex);
    return rc;
}

void ash_init(const char *function)
{
    int rc = ash_start(&ash_bootstrap_pmix, -1);
    if (rc == 0) return;
    /* Whoever found the cause has said it, but for want of a few bytes. */
    if (ash_log_had_error()) ash_fatal_told();
    ash_fatal("%s failed: %s", function, ash_error_text(rc));
}

void nvshmem_init(void) { ash_init("nvshmem_init"); }

int nvshmem_init_thread(int requested, int *provided)
{
    int rc = ash_start(&ash_bootstrap_pmix, -1);
    (void)requested;
    if (rc == 0 && provided != NULL) *provided = NVSHMEM_THREAD_MULTIPLE;
    return rc == 0 ? 0 : NVSHMEMX_ERROR_INTERNAL;
}

void ash_finalize(const char *function)
{
    pthread_mutex_lock(&life.mutex);
    if (ash_life != ASH_LIFE_STARTED)
        ash_log(ASH_LOG_WARN, "%s: the library is not started", function);
    else if (--life.users == 0)
        stop();
    pthread_mutex_unlock(&life.mutex);
}

void nvshmem_finalize(void) { ash_finalize("nvshmem_finalize"); }

void ash_global_exit(const char *function, int status)
{
    struct ash_cause cause;
    ash_check_started(function);
    ash_log(ASH_LOG_INFO, "%s(%d)", function, status);
    ash_cuda_poison();
    fflush(NULL);
    ash_cause_own(&cause, status);
    ash_end(&cause, ASH_LOG_INFO, NULL);
}

void nvshmem_global_exit(int status) { ash_global_exit("nvshmem_global_exit", status); }
