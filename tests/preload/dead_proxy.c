/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The proxy thread of PE 1 ends, or stays in one call for ever, after so many
 * calls of UCX: TEST_DEAD_PROXY is "ends" or "hangs".
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALLS 200

unsigned ucp_worker_progress(void *worker);

static void end_or_hang(const char *how)
{
    if (strcmp(how, "ends") == 0) pthread_exit(NULL);
    for (;;) pause();
}

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*real)(void *);
    static unsigned calls;
    const char *how = getenv("TEST_DEAD_PROXY"), *rank = getenv("PMIX_RANK");
    char name[16] = "";
    if (real == NULL) *(void **)(&real) = dlsym(RTLD_NEXT, "ucp_worker_progress");
    pthread_getname_np(pthread_self(), name, sizeof(name));
    if (how != NULL && rank != NULL && strcmp(rank, "1") == 0 &&
        strcmp(name, "anyshmem-proxy") == 0 && ++calls > CALLS)
        end_or_hang(how);
    return real(worker);
}
