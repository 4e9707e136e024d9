/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start and end as programs call them: counts the users under one mutex, so that the first one
 * starts the library and the last one stops it; handles fork and exit without nvshmem_finalize.
 */
#include <nvshmemx.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "device/hostdev/hostdev.h"
#include "device/routine/check.h"
#include "lib/base/end.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/exit_status.h"
#include "lib/base/family.h"
#include "lib/base/log.h"
#include "lib/bootstrap/bootstrap.h"
#include "lib/cuda/cuda.h"
#include "lib/start/init.h"
#include "lib/start/init_attr.h"
#include "lib/start/job.h"
#include "lib/start/parts.h"
#include "lib/symmetric/static.h"
#include "lib/watch/status.h"

static struct {
    pthread_mutex_t mutex;
    /* Calls of init that no finalize has matched yet. */
    unsigned users;
    /* True from before the start until after the end: a child forked meanwhile has a copy of its
     * parent's parts.  Written by: start and end, under the mutex.  Read by: the atfork handler. */
    bool has_parts;
    bool hooks_installed;
    /* The program has started the library as OpenSHMEM's.  Written under the mutex. */
    bool is_openshmem;
} library = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* UCX and PMIx do not survive a fork: in the child every routine ends with that message. */
static void after_fork_in_child(void)
{
    ash_static_forked();
    /* A thread that the child does not have may have held it. */
    library.mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    if (library.has_parts) ash_parts_forked();
}

/* After the program's own exit handlers and static destructors, in which it may still call
 * nvshmem_finalize.  OpenSHMEM lets a program end without; one that fails completes what it has
 * sent, and must not wait for the other PEs. */
__attribute__((destructor)) static void end_with_program(void)
{
    if (library.users == 0 || ash_library_state != ASH_LIBRARY_STARTED) return;
    if (library.is_openshmem && ash_exit_status() == 0) {
        library.users = 1;
        ash_finalize("shmem_finalize");
    } else {
        if (library.is_openshmem) ash_parts_flush();
        ash_log(ASH_LOG_WARN, "the program ended without %s",
                ash_family_name("nvshmem_finalize"));
    }
}

static void install_hooks(void)
{
    if (library.hooks_installed) return;
    library.hooks_installed = true;
    pthread_atfork(ash_static_before_fork, ash_static_after_fork, after_fork_in_child);
    /* Before CUDA's own, which wait for kernels. */
    atexit(ash_cuda_poison);
}

/* For the first user; later ones share what it has started. */
static int start_parts(const struct ash_bootstrap_backend *backend, const void *what, int device)
{
    int rc;
    ash_bootstrap_choose(backend, what);
    library.has_parts = true;
    rc = ash_parts_start(device);
    library.has_parts = rc == 0;
    return rc;
}

int ash_start(const struct ash_bootstrap_backend *backend, const void *what, int device)
{
    int rc = 0;
    pthread_mutex_lock(&library.mutex);
    install_hooks();
    if (ash_library_state == ASH_LIBRARY_FORKED)
        ash_fatal("%s: not usable in a forked child", ash_family_name("nvshmem_init"));
    if (library.users == 0) rc = start_parts(backend, what, device);
    if (rc == 0) library.users++;
    pthread_mutex_unlock(&library.mutex);
    return rc;
}

void ash_init(const char *function)
{
    int rc = ash_start(&ash_bootstrap_pmix, NULL, -1);
    if (rc == 0) return;
    /* The function that found the cause has logged it, unless a small allocation failed. */
    if (ash_log_had_error()) ash_fatal_logged();
    ash_fatal("%s failed: %s", function, ash_error_text(rc));
}

void ash_expect_openshmem(void)
{
    pthread_mutex_lock(&library.mutex);
    library.is_openshmem = true;
    ash_env_openshmem = true;
    ash_exit_status_keep();
    pthread_mutex_unlock(&library.mutex);
}

void ash_init_openshmem(const char *function)
{
    ash_expect_openshmem();
    ash_init(function);
}

void nvshmem_init(void) { ash_init("nvshmem_init"); }

int nvshmem_init_thread(int requested, int *provided)
{
    int rc = ash_start(&ash_bootstrap_pmix, NULL, -1);
    (void)requested;
    if (rc == 0 && provided != NULL) *provided = NVSHMEM_THREAD_MULTIPLE;
    return rc == 0 ? 0 : NVSHMEMX_ERROR_INTERNAL;
}

void ash_finalize(const char *function)
{
    pthread_mutex_lock(&library.mutex);
    if (ash_library_state != ASH_LIBRARY_STARTED)
        ash_log(ASH_LOG_WARN, "%s: the library is not started", function);
    else if (--library.users == 0) {
        ash_parts_stop();
        library.has_parts = false;
    }
    pthread_mutex_unlock(&library.mutex);
}

void nvshmem_finalize(void) { ash_finalize("nvshmem_finalize"); }
