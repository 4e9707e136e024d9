/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Setup and exit of the library: before init, counted inits, who is who, threads.
 */
#include <nvshmemx.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/clock.h"
#include "tests/support/pe.h"

#define THREADS 4u
/* Adds in a row, so that threads come to the same place at the same time. */
#define BURST 8u
#define LAST_BYTES 100000u
/* AddressSanitizer keeps marks on the stack of a cancelled thread: none there. */
#if defined(__SANITIZE_ADDRESS__)
static const unsigned cancels = 0;
#else
static const unsigned cancels = 50;
#endif
#define CANCEL_BYTES 100000u

static void about(void)
{
    char name[NVSHMEM_MAX_NAME_LEN];
    int major = -1, minor = -1;
    memset(name, 'x', sizeof(name));
    nvshmem_info_get_version(&major, &minor);
    nvshmem_info_get_name(name);
    PE_EQUAL(major, NVSHMEM_MAJOR_VERSION);
    PE_EQUAL(minor, NVSHMEM_MINOR_VERSION);
    PE_TRUE(memchr(name, '\0', sizeof(name)) != NULL);
    PE_TRUE(strcmp(name, NVSHMEM_VENDOR_STRING) == 0);
}

/* NVSHMEM's release and its statuses. */
static void about_nvshmem(void)
{
    static const struct {
        int status;
        const char *name;
    } of[] = {{0, "NVSHMEMX_SUCCESS"},
              {1, "NVSHMEMX_ERROR_INVALID_VALUE"},
              {2, "NVSHMEMX_ERROR_OUT_OF_MEMORY"},
              {3, "NVSHMEMX_ERROR_NOT_SUPPORTED"},
              {4, "NVSHMEMX_ERROR_SYMMETRY"},
              {5, "NVSHMEMX_ERROR_GPU_NOT_SELECTED"},
              {6, "NVSHMEMX_ERROR_COLLECTIVE_LAUNCH_FAILED"},
              {7, "NVSHMEMX_ERROR_INTERNAL"},
              {8, "unknown status"},
              {-1, "unknown status"},
              {NVSHMEMX_ERROR_SENTINEL, "unknown status"}};
    int major = -1, minor = -1, patch = -1;
    nvshmemx_vendor_get_version_info(&major, &minor, &patch);
    PE_TRUE(major == 3 && minor == 8 && patch == 0);
    PE_EQUAL(NVSHMEM_VENDOR_VERSION, 30800);
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++)
        PE_TRUE(strcmp(nvshmemx_status_string(of[i].status), of[i].name) == 0);
}

static int state_of_device_library(void **state, void **transport)
{
    (void)state, (void)transport;
    pe_stop(__FILE__, __LINE__, "the function was called");
}

/* The names of the library that programs load; they are counted with all others. */
static void as_host_library(void)
{
    static const nvshmemi_version_t version = {3, 8, 0};
    int provided = -1;
    uint64_t *word = pe_alloc(64);
    pe_step("as libnvshmem_host.so.3");
    PE_EQUAL(nvshmemx_hostlib_init_attr(1u << 20, NULL), NVSHMEMX_ERROR_NOT_SUPPORTED);
    PE_EQUAL(nvshmemx_hostlib_init_attr(0, NULL), 0);
    PE_EQUAL(nvshmemid_hostlib_init_attr(NVSHMEM_THREAD_SINGLE, &provided, 0, NULL, version,
                                         state_of_device_library),
             NVSHMEMX_ERROR_NOT_SUPPORTED);
    PE_EQUAL(provided, -1);
    PE_EQUAL(nvshmemid_hostlib_init_attr(NVSHMEM_THREAD_SINGLE, &provided, 0, NULL, version, NULL),
             0);
    PE_EQUAL(provided, NVSHMEM_THREAD_MULTIPLE);
    PE_EQUAL(nvshmemid_hostlib_init_attr(NVSHMEM_THREAD_SINGLE, NULL, 0, NULL, version, NULL), 0);
    nvshmemid_hostlib_finalize(NULL, NULL);
    nvshmemid_hostlib_finalize(NULL, NULL);
    nvshmemx_hostlib_finalize();
    PE_EQUAL(nvshmemid_init_status(), NVSHMEM_STATUS_IS_INITIALIZED);
    PE_TRUE(nvshmemx_mc_ptr(NVSHMEM_TEAM_WORLD, word) == NULL);
    PE_TRUE(nvshmemx_mc_ptr(NVSHMEM_TEAM_SHARED, word) == NULL);
    nvshmem_free(word);
}

static void start_often(void)
{
    int provided = -1;
    uint64_t *word;
    pe_step("before init");
    PE_EQUAL(nvshmemx_init_status(), NVSHMEM_STATUS_NOT_INITIALIZED);
    about();
    about_nvshmem();
    PE_EQUAL(nvshmemid_init_status(), NVSHMEM_STATUS_NOT_INITIALIZED);
    printf("init: calls are refused\n");
    PE_EQUAL(nvshmemx_init_attr(1u << 20, NULL), NVSHMEMX_ERROR_NOT_SUPPORTED);
    PE_EQUAL(nvshmemx_init_status(), NVSHMEM_STATUS_NOT_INITIALIZED);
    pe_step("first init");
    PE_NEED(nvshmem_init_thread(NVSHMEM_THREAD_SINGLE, &provided) == 0);
    pe_started();
    PE_EQUAL(provided, NVSHMEM_THREAD_MULTIPLE);
    PE_EQUAL(nvshmemx_init_status(), NVSHMEM_STATUS_IS_INITIALIZED);
    provided = -1;
    nvshmem_query_thread(&provided);
    PE_EQUAL(provided, NVSHMEM_THREAD_MULTIPLE);
    pe_step("more inits");
    word = pe_alloc(64);
    nvshmem_init();
    PE_EQUAL(nvshmemx_init_attr(0, NULL), 0);
    provided = -1;
    PE_EQUAL(nvshmem_init_thread(NVSHMEM_THREAD_FUNNELED, &provided), 0);
    PE_EQUAL(provided, NVSHMEM_THREAD_MULTIPLE);
    PE_EQUAL(nvshmem_n_pes(), pe_n);
    /* They start nothing: the memory is that of the first. */
    nvshmem_uint64_p(word, 7, (pe_me + 1) % pe_n);
    nvshmem_barrier_all();
    PE_EQUAL(*word, 7);
    nvshmem_free(word);
    about();
}

/* The teams of all PEs and of this PE's host. */
static void teams(void)
{
    int here_me = 0, here_n = 0;
    const char *off = getenv("ANYSHMEM_DISABLE_DIRECT");
    bool mapped = off == NULL || strcmp(off, "0") == 0;
    const char *launched = getenv("TESTS_N_PES");
    pe_step("teams");
    if (launched != NULL) PE_EQUAL(pe_n, atoi(launched));
    PE_TRUE(pe_me >= 0 && pe_me < pe_n);
    PE_EQUAL(nvshmem_team_my_pe(NVSHMEM_TEAM_WORLD), pe_me);
    PE_EQUAL(nvshmem_team_n_pes(NVSHMEM_TEAM_WORLD), pe_n);
    pe_find_hosts();
    for (int pe = 0; pe < pe_n; pe++) {
        here_n += pe_same_host(pe, pe_me);
        here_me += pe < pe_me && pe_same_host(pe, pe_me);
    }
    PE_EQUAL(nvshmem_team_my_pe(NVSHMEMX_TEAM_NODE), here_me);
    PE_EQUAL(nvshmem_team_n_pes(NVSHMEMX_TEAM_NODE), here_n);
    PE_EQUAL(nvshmem_team_my_pe(NVSHMEM_TEAM_SHARED), mapped ? here_me : 0);
    PE_EQUAL(nvshmem_team_n_pes(NVSHMEM_TEAM_SHARED), mapped ? here_n : 1);
    PE_EQUAL(nvshmem_team_my_pe(NVSHMEM_TEAM_INVALID), -1);
    PE_EQUAL(nvshmem_team_n_pes(NVSHMEM_TEAM_INVALID), -1);
    PE_EQUAL(nvshmem_team_my_pe(99), -1);
    PE_EQUAL(nvshmem_team_n_pes(99), -1);
}

/* The pointers are symmetric. */
static struct {
    uint64_t *sum;
    uint32_t *tickets;
    uint64_t *slots;
    uint64_t rounds;
    pthread_barrier_t together;
} shared;

static void *one_thread(void *argument)
{
    uint64_t number = (uint64_t)(uintptr_t)argument, got;
    uint64_t *slot = &shared.slots[8 * ((uint64_t)pe_me * THREADS + number)];
    pthread_barrier_wait(&shared.together);
    for (uint64_t i = 1; i <= shared.rounds; i++) {
        int to = (int)((i + number) % (uint64_t)pe_n);
        uint64_t value = i * 1000 + number;
        for (unsigned j = 0; j < BURST; j++) nvshmem_uint64_atomic_add(shared.sum, number + 1, to);
        PE_TRUE(nvshmem_uint32_atomic_fetch_inc(shared.tickets, to) <
                2 * THREADS * shared.rounds * (uint64_t)pe_n);
        nvshmem_uint64_put(slot, &value, 1, to);
        if (i % 8 == 0) nvshmem_fence();
        if (i % 16) continue;
        nvshmem_quiet();
        nvshmem_uint64_get(&got, slot, 1, to);
        PE_EQUAL(got, value);
        PE_EQUAL(nvshmem_uint64_g(slot, to), value);
    }
    nvshmem_quiet();
    return NULL;
}

/* How often a thread's loop comes to this PE. */
static uint64_t visits(uint64_t number)
{
    uint64_t n = 0;
    for (uint64_t i = 1; i <= shared.rounds; i++)
        n += (i + number) % (uint64_t)pe_n == (uint64_t)pe_me;
    return n;
}

/* Threads of the program are device threads: all at once, and sums are exact. */
static void threads(void)
{
    pthread_t thread[THREADS];
    uint64_t sum = 0, tickets = 0;
    shared.sum = pe_alloc(64);
    shared.tickets = pe_alloc(64);
    shared.slots = pe_alloc(64 * THREADS * (size_t)pe_n);
    /* Where it is quick it must be more, or the first thread ends before the last begins. */
    shared.rounds = pe_all_mapped(shared.sum) ? 10000 : 500;
    pthread_barrier_init(&shared.together, NULL, THREADS);
    pe_step("threads");
    for (unsigned round = 0; round < 2; round++) {
        for (uintptr_t i = 0; i < THREADS; i++)
            PE_NEED(pthread_create(&thread[i], NULL, one_thread, (void *)i) == 0);
        for (unsigned i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    }
    nvshmem_barrier_all();
    for (uint64_t i = 0; i < THREADS; i++) {
        sum += 2 * BURST * visits(i) * (i + 1) * (uint64_t)pe_n;
        tickets += 2 * visits(i) * (uint64_t)pe_n;
    }
    PE_EQUAL(*shared.sum, sum);
    PE_EQUAL(*shared.tickets, tickets);
    nvshmem_barrier_all();
}

static void *put_until_cancelled(void *dest)
{
    static unsigned char source[CANCEL_BYTES];
    for (;;) {
        nvshmem_putmem(dest, source, sizeof(source), (pe_me + 1) % pe_n);
        pthread_testcancel();
    }
    return NULL;
}

/* A thread that is cancelled while it waits takes nothing with it that others need. */
static void cancelled_threads(void)
{
    void *dest = pe_alloc(CANCEL_BYTES);
    for (unsigned i = 0; i < cancels; i++) {
        pthread_t thread;
        pe_step("cancelled thread %u", i);
        PE_NEED(pthread_create(&thread, NULL, put_until_cancelled, dest) == 0);
        pe_sleep_us(500 + 20 * i);
        PE_EQUAL(pthread_cancel(thread), 0);
        pthread_join(thread, NULL);
        nvshmem_quiet();
    }
    nvshmem_barrier_all();
}

/* Finalize completes what was sent, whatever becomes of its source, and is a barrier. */
static void last_finalize(void)
{
    static unsigned char source[LAST_BYTES];
    int next = (pe_me + 1) % pe_n, before = (pe_me + pe_n - 1) % pe_n;
    unsigned char *dest = pe_alloc(LAST_BYTES);
    uint64_t *flag = pe_alloc(64), *last = pe_alloc(64), end;
    /*
     * The last PE to come says when; PEs of one node have one clock,
     * and so do the hosts of the lab.
     */
    if (pe_me == pe_n - 1)
        for (int pe = 0; pe < pe_n; pe++) nvshmem_uint64_p(last, now_ns() + 50000000u, pe);
    pe_fill(source, LAST_BYTES, (uint64_t)pe_me);
    nvshmem_barrier_all();
    end = *last;
    if (pe_me % 2 == 0) {
        nvshmem_putmem_nbi(dest, source, LAST_BYTES, next);
        nvshmem_fence();
        nvshmem_uint64_p(flag, 1, next);
    }
    if (before % 2 == 0) {
        nvshmem_uint64_wait_until(flag, NVSHMEM_CMP_EQ, 1);
        PE_FILLED(dest, LAST_BYTES, (uint64_t)before);
    }
    while (pe_me == pe_n - 1 && now_ns() < end) pe_sleep_us(1000);
    nvshmem_finalize();
    PE_TRUE(now_ns() >= end);
    memset(source, 0, LAST_BYTES);
}

/* All finalizes but the last leave the library running. */
static void end(void)
{
    pe_step("finalize");
    for (int i = 0; i < 3; i++) {
        nvshmem_finalize();
        PE_EQUAL(nvshmemx_init_status(), NVSHMEM_STATUS_IS_INITIALIZED);
    }
    nvshmem_barrier_all();
    PE_EQUAL(nvshmem_my_pe(), pe_me);
    last_finalize();
    PE_EQUAL(nvshmemx_init_status(), NVSHMEM_STATUS_NOT_INITIALIZED);
    about();
    /* One too many: a warning, no harm. */
    nvshmem_finalize();
    PE_EQUAL(nvshmemx_init_status(), NVSHMEM_STATUS_NOT_INITIALIZED);
    pe_step("init after a finalize too many");
    nvshmem_init();
    PE_EQUAL(nvshmemx_init_status(), NVSHMEM_STATUS_IS_INITIALIZED);
    PE_EQUAL(nvshmem_my_pe(), pe_me);
    nvshmem_finalize();
    PE_EQUAL(nvshmemx_init_status(), NVSHMEM_STATUS_NOT_INITIALIZED);
}

int main(void)
{
    pe_watch("init");
    start_often();
    as_host_library();
    teams();
    threads();
    cancelled_threads();
    end();
    return pe_verdict();
}
