/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start and end of the library, in order.
 *
 *   environment -> bootstrap -> heap -> channel and proxy -> publish, fence
 *   -> map the node's heaps -> proxy runs -> routines are open -> barrier
 *
 * and in reverse order at the end.  There is a proxy only where some PE is not mapped or a
 * GPU is used.  Both are known before the proxy is made; the GPU is taken when the proxy runs.
 * A job may have PEs with and without a GPU, so what all PEs do together must depend on
 * `remote` alone.
 */
#include <nvshmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/hostdev/backoff.h"
#include "device/hostdev/lock_table.h"
#include "device/observe/trace.h"
#include "device/routine/active_set.h"
#include "device/routine/barrier.h"
#include "device/routine/share.h"
#include "device/target/waiters.h"
#include "lib/base/end.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/family.h"
#include "lib/base/limit.h"
#include "lib/base/log.h"
#include "lib/bootstrap/bootstrap.h"
#include "lib/bootstrap/record.h"
#include "lib/cuda/cuda.h"
#include "lib/memory/fd_passing.h"
#include "lib/report/crash.h"
#include "lib/report/report.h"
#include "lib/report/stats.h"
#include "lib/report/trace.h"
#include "lib/start/job.h"
#include "lib/start/limits.h"
#include "lib/start/parts.h"
#include "lib/start/peers.h"
#include "lib/start/remote_path.h"
#include "lib/symmetric/active_set.h"
#include "lib/symmetric/ctx.h"
#include "lib/symmetric/heap.h"
#include "lib/symmetric/qp.h"
#include "lib/symmetric/static.h"
#include "lib/symmetric/team.h"
#include "lib/symmetric/team_init.h"
#include "lib/watch/status.h"
#include "lib/watch/watch.h"

/*
 * The library's own block, the first one of each heap: wake word, the teams' barrier words and
 * records of calls, status block, table for new teams, words of active sets (16 bytes for each PE
 * of the job, which leave less room for rounding in jobs of more than 100,000 PEs), and slots of
 * small collectives, which become real with their teams.
 */
#define BARRIER_OFFSET sizeof(struct ash_wake_word)
#define MEETING_OFFSET (BARRIER_OFFSET + ASH_BARRIER_BYTES)
#define STATUS_OFFSET (MEETING_OFFSET + ASH_MEETING_BYTES)
#define TEAM_TABLE_OFFSET (STATUS_OFFSET + ASH_STATUS_BYTES)
#define SET_OFFSET ((TEAM_TABLE_OFFSET + ASH_TEAM_TABLE_BYTES + 63) / 64 * 64)
#define SHARE_OFFSET(N_PES) ((SET_OFFSET + ASH_SET_BYTES(N_PES) + 63) / 64 * 64)
#define OWN_BYTES(N_PES) (SHARE_OFFSET(N_PES) + ASH_SHARE_BYTES)
/* For what a program has sent that ends without shmem_finalize, and not well. */
#define FLUSH_LIMIT_MS 5000

_Static_assert(OWN_BYTES(1024) + (UINT64_C(5) << 19) <= ASH_HEAP_ROOM, "room for rounding");
_Static_assert(ASH_SHARE_SCRATCH <= ASH_TEAM_SCRATCH, "what small collectives need");

static struct {
    struct ash_bootstrap bootstrap;
    /* remote_path.proxy is NULL if this PE needs no proxy. */
    struct ash_remote_path remote_path;
    /* Some PE of the job is not mapped by some other PE; the same on all PEs. */
    bool remote;
} library;

/* Close the routines: with no PEs and no heap every check of arguments fails. */
static void close_routines(enum ash_library_state reason)
{
    void (*on_fault)(const struct ash_fault *) = ash_state.on_fault;
    memset(&ash_state, 0, sizeof(ash_state));
    ash_state.on_fault = on_fault;
    ash_static_close();
    ash_library_state = reason;
}

/* From here on the routines work. */
static void open_routines(void)
{
    const struct ash_memory *memory = ash_heap_memory();
    ash_state.my_pe = (int32_t)library.bootstrap.pe;
    ash_state.peer = ash_peers_table();
    ash_state.channel = library.remote_path.channel;
    if (library.remote_path.proxy != NULL) {
        ash_state.progress = ash_proxy_progress;
        ash_state.yield_progress = ash_proxy_yield_progress;
        ash_state.interrupted = ash_proxy_interrupted;
        ash_state.kick = ash_proxy_kick;
    }
    ash_state.replies = library.remote_path.replies;
    ash_state.wake_word = (struct ash_wake_word *)(void *)memory->base;
    /* The proxy thread reads it already. */
    if (ash_hostdev_sleeps_early())
        __atomic_store_n(&ash_state.wake_word->word, ASH_WAKE_SLEEPS_EARLY, __ATOMIC_RELAXED);
    ash_state_set_heap(&ash_state, memory->base, memory->file.size);
    ash_static_open();
    ash_state.n_pes = library.bootstrap.n_pes;
    ash_library_state = ASH_LIBRARY_STARTED;
}

/*
 * A start that fails ends a job of several PEs, because the others wait for this one; a job of one
 * PE returns the error to the program.
 */
static void end_job_of_several(int rc)
{
    if (library.bootstrap.n_pes < 2) return;
    /* The function that found the cause has logged it, unless a small allocation failed. */
    if (ash_log_had_error()) ash_fatal_logged();
    ash_fatal("the library cannot start: %s", ash_error_text(rc));
}

static int check_job(void)
{
    struct ash_record *first;
    int rc = ash_record_get(0, &first);
    if (rc != 0) return rc;
    rc = ash_job_check(&library.bootstrap);
    if (rc == 0 && library.remote_path.proxy != NULL)
        ash_proxy_set_job_key(library.remote_path.proxy, first->random);
    free(first);
    return rc;
}

/* Print what NVSHMEM_VERSION, NVSHMEM_INFO and NVSHMEM_DEBUG request; on PE 0 only. */
static void print_asked(void)
{
    if (library.bootstrap.pe != 0) return;
    if (ash_env.version || ash_env.info || ash_env_get("NVSHMEM_DEBUG") != NULL)
        printf("%s\n", NVSHMEM_VENDOR_STRING);
    if (ash_env.info) ash_env_print(stdout);
    fflush(stdout);
}

/* Publish this PE's record; from here on its heap can be passed to the PEs of its node. */
static int publish(void)
{
    const struct ash_bootstrap *b = &library.bootstrap;
    struct ash_fd_passing passing = {{0, 0}, {0, 0}};
    if (b->n_local > 1 && ash_fd_passing_start(ash_heap_memory()->file.fd, &passing) != 0)
        ash_log(ASH_LOG_INFO, "no local socket: the heap cannot be passed to other PEs");
    return ash_record_publish(b, ash_heap_memory(), &passing, library.remote_path.proxy);
}

/* All PEs are there: set up what else the routines need, open them, and meet in a barrier. */
static int open_all(void)
{
    struct ash_bootstrap *b = &library.bootstrap;
    const struct ash_team_places places = {BARRIER_OFFSET, MEETING_OFFSET, SHARE_OFFSET(b->n_pes)};
    int rc;
    ash_hostdev_workers = (uint32_t)ash_env.hostdev_workers;
    ash_hostdev_stack = ash_env.hostdev_stack;
    ash_hostdev_loops = ash_env.hostdev_loops;
    rc = ash_teams_start(b, &places, ash_peers_table(), ash_job_shares_cpus());
    if (rc != 0) return rc;
    if ((rc = ash_active_sets_start(SET_OFFSET, b->n_pes, b->n_local == b->n_pes)) != 0) return rc;
    ash_team_init_start(TEAM_TABLE_OFFSET);
    ash_ctxs_start(library.remote_path.proxy);
    open_routines();
    ash_cuda_open();
    if ((rc = ash_teams_meet(b)) != 0) return rc;
    ash_trace_begin();
    if (ash_env.stats || ash_trace_sink != NULL) ash_stats_start(b->n_pes);
    ash_fd_passing_stop();
    ash_log(ASH_LOG_INFO, "%s: %u PEs, %u on this node, heap %llu bytes, %s", NVSHMEM_VENDOR_STRING,
            b->n_pes, b->n_local, (unsigned long long)ash_heap_memory()->file.size,
            library.remote_path.proxy != NULL ? "proxy runs" : "all PEs mapped, no proxy");
    return 0;
}

/* The node's heaps are mapped: start the proxy, take the GPU, open the routines. */
static int run(void)
{
    struct ash_bootstrap *b = &library.bootstrap;
    int rc;
    ash_hostdev_set_load(ash_job_load(), library.remote_path.proxy != NULL);
    if (library.remote_path.proxy != NULL) {
        if ((rc = ash_proxy_start(library.remote_path.proxy)) != 0) return rc;
        if ((rc = ash_watch_proxy(b, library.remote_path.proxy)) != 0) return rc;
    }
    rc = ash_cuda_start(ash_heap_memory(), ash_peers_table(), b->n_pes, library.remote_path.proxy);
    if (rc != 0) return rc;
    if ((rc = open_all()) != 0) ash_cuda_stop();
    return rc;
}

/* This PE has all that its record describes: publish it, and find the other PEs. */
static int join_job(void)
{
    struct ash_bootstrap *b = &library.bootstrap;
    int rc;
    if ((rc = publish()) != 0) goto stop;
    if ((rc = ash_bootstrap_fence()) != 0) goto stop;
    if ((rc = check_job()) != 0) goto stop;
    rc = ash_watch_start(b, ash_heap_memory()->base, STATUS_OFFSET);
    if (rc != 0) goto stop;
    ash_report_start(library.remote_path.proxy);
    if ((rc = ash_peers_map(b, ash_heap_memory(), library.remote)) != 0) goto stop;
    if ((rc = run()) == 0) return 0;
    ash_peers_unmap();
stop:
    end_job_of_several(rc);
    ash_proxy_leave(library.remote_path.proxy);
    ash_report_stop();
    ash_watch_stop();
    ash_fd_passing_stop();
    return rc;
}

/* Make the heap, and static variables a part of it. */
static int start_heap(void)
{
    const struct ash_heap_own own = {OWN_BYTES(library.bootstrap.n_pes),
                                     SHARE_OFFSET(library.bootstrap.n_pes)};
    struct ash_memory_static variables;
    uint64_t offset;
    int rc = ash_static_find(&variables);
    if (rc == 0) rc = ash_heap_start(ash_env.symmetric_size, own, &variables, &offset);
    if (rc != 0) return rc;
    rc = ash_static_move(ash_heap_memory(), offset);
    if (rc != 0) ash_heap_stop();
    return rc;
}

static void stop_heap(void)
{
    ash_static_move_back();
    ash_heap_stop();
}

/* The PEs of the job are known: set up this PE's GPU, heap and remote path, then join. */
static int start_own(int device)
{
    const struct ash_bootstrap *b = &library.bootstrap;
    bool gpu;
    int rc;
    if (b->n_pes > ASH_MAX_PES) {
        ash_log(ASH_LOG_ERROR, "%u PEs exceed the limit of %u", b->n_pes, ASH_MAX_PES);
        return ASH_ERROR_BOOTSTRAP;
    }
    if ((rc = ash_cuda_choose(b, device, &gpu)) != 0) return rc;
    if ((rc = start_heap()) != 0) return rc;
    library.remote = b->n_local < b->n_pes || ash_env.disable_direct != ASH_DIRECT_ON;
    if (library.remote || gpu)
        rc = ash_remote_path_start(&library.remote_path, b, ash_heap_memory());
    if (rc == 0) {
        if ((rc = join_job()) == 0) return 0;
        ash_remote_path_stop(&library.remote_path);
    }
    stop_heap();
    return rc;
}

int ash_parts_start(int device)
{
    struct ash_bootstrap *b = &library.bootstrap;
    int rc;
    ash_standard_files_fill();
    if ((rc = ash_env_load()) != 0) return rc;
    ash_report_take_signal();
    (void)ash_crash_take_signals();
    if ((rc = ash_bootstrap_start(b)) != 0) return rc;
    ash_abort_hook = ash_bootstrap_abort;
    ash_log_identify((int)b->pe, (int)b->n_pes);
    ash_cause_set_pe(b->pe);
    print_asked();
    rc = ash_trace_open(b->pe);
    if (rc == 0) rc = start_own(device);
    if (rc == 0) return 0;
    end_job_of_several(rc);
    ash_trace_close();
    ash_abort_hook = NULL;
    ash_bootstrap_stop();
    free(b->local_pes);
    b->local_pes = NULL;
    return rc;
}

/*
 * All that this PE sent is complete.  After this fence that holds for all PEs, so no PE needs
 * the proxy of another one any more.
 */
static void last_fence(void)
{
    if (!library.remote || ash_bootstrap_fence() == 0) return;
    /* A PE that went on after a failed fence would free what other PEs may still use. */
    if (ash_log_had_error()) ash_fatal_logged();
    ash_fatal("%s: the final fence of all PEs failed", ash_family_name("nvshmem_finalize"));
}

void ash_parts_stop(void)
{
    const char *function = ash_family_name("nvshmem_finalize");
    ash_hostdev_streams_stop();
    ash_cuda_drain();
    ash_observe_stop();
    ash_ctxs_end(-1);
    ash_quiet(function);
    if (ash_env.stats) ash_stats_print();
    ash_team_meet(function, &ash_state.team[NVSHMEM_TEAM_WORLD], ASH_MEETING_FINALIZE);
    /* For the last signals of that barrier. */
    ash_quiet(function);
    ash_hostdev_stop();
    ash_proxy_leave(library.remote_path.proxy);
    ash_proxy_finish(library.remote_path.proxy);
    last_fence();
    ash_status_leave();
    ash_report_stop();
    ash_shutdown_begin();
    ash_watch_stop();
    close_routines(ASH_LIBRARY_FINALIZED);
    ash_hostdev_locks_forget();
    ash_qps_stop();
    ash_team_init_stop();
    ash_active_sets_stop();
    ash_teams_stop();
    ash_cuda_stop();
    ash_remote_path_stop(&library.remote_path);
    ash_ctxs_stop();
    ash_trace_close();
    ash_peers_unmap();
    stop_heap();
    ash_bootstrap_stop();
    ash_abort_hook = NULL;
    ash_shutdown_end();
    free(library.bootstrap.local_pes);
    library.bootstrap.local_pes = NULL;
}

void ash_parts_flush(void)
{
    ash_limit_begin(FLUSH_LIMIT_MS, "the program ended without shmem_finalize, and what it has "
                                    "sent did not complete in time");
    ash_ctxs_end(-1);
    ash_quiet("shmem_finalize");
    ash_limit_end();
}

void ash_parts_forked(void)
{
    close_routines(ASH_LIBRARY_FORKED);
    ash_observe_forked();
    ash_trace_forked();
    ash_cuda_forked();
    ash_end_forked();
    ash_watch_forked();
    ash_report_forked();
}
