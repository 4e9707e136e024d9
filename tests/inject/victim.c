/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * victim [uid]: a little of everything that needs memory, descriptors, threads or
 * another PE; a call of it fails (tests/preload/failing.c).  The program ends
 * with 0 and right results, or the library says why not.
 *
 * What returns an error is tried once more: it must not have spoilt anything.
 * "uid": start by unique id, with UID_RANK, UID_N and UID_FILE set.
 *
 * INJECT_ABORT: it aborts; "ucx": as UCX does for a connection that is lost; "elsewhere":
 * as UCX does for something else; "signal": for a signal that UCX has caught; "other": as
 * if another process had said so; "stay": it does not, nor does it end any other way
 * (tests/inject/judge.sh).
 */
#include <anyshmem_kernel.h>
#include <nvshmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/pe.h"

#define N 3
/* More than what fits into a descriptor, or into one message. */
#define LARGE 20000

static struct shared {
    int ints[N];
    uint64_t sum, signal, from_kernel;
    unsigned char large[LARGE];
} *all;

static unsigned char source[LARGE], back[LARGE];
static int next, previous;

/* The program ends, as one that looks at what is returned does. */
static void give_up(const char *what)
{
    printf("victim: PE %d: %s failed\n", pe_me, what);
    fflush(stdout);
    nvshmem_global_exit(3);
}

/* The file comes when it comes; the watchdog sees to it that it comes. */
static void start_by_id(void)
{
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    nvshmemx_init_attr_t attr = NVSHMEMX_INIT_ATTR_INITIALIZER;
    int rank = atoi(getenv("UID_RANK")), n = atoi(getenv("UID_N"));
    const char *name = getenv("UID_FILE");
    char draft[512];
    FILE *file;
    snprintf(draft, sizeof(draft), "%s.draft", name);
    if (rank == 0) {
        if (nvshmemx_get_uniqueid(&id) != 0) exit(3);
        PE_NEED((file = fopen(draft, "w")) != NULL && fwrite(&id, sizeof(id), 1, file) == 1);
        PE_NEED(fclose(file) == 0 && rename(draft, name) == 0);
    } else {
        while ((file = fopen(name, "r")) == NULL) pe_sleep_us(1000);
        PE_NEED(fread(&id, sizeof(id), 1, file) == 1 && fclose(file) == 0);
    }
    PE_NEED(nvshmemx_set_attr_uniqueid_args(rank, n, &id, &attr) == 0);
    if (nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attr) != 0) exit(3);
}

/* NULL is NULL on all PEs. */
static void *allocate(size_t nbytes)
{
    void *block = nvshmem_calloc(1, nbytes);
    if (block == NULL) block = nvshmem_calloc(1, nbytes);
    if (block == NULL) give_up("nvshmem_calloc");
    return block;
}

static void put_and_get(void)
{
    int value = 0;
    pe_step("put and get");
    for (int i = 0; i < N; i++) nvshmem_int_p(&all->ints[i], 1000 * pe_me + i, next);
    pe_fill(source, LARGE, (uint64_t)pe_me);
    nvshmem_putmem_nbi(all->large, source, LARGE, next);
    nvshmem_quiet();
    nvshmem_uint64_atomic_add(&all->sum, 3, next);
    nvshmem_uint64_atomic_fetch_add(&all->sum, 4, next);
    nvshmemx_signal_op(&all->signal, 1, NVSHMEM_SIGNAL_ADD, next);
    nvshmem_signal_wait_until(&all->signal, NVSHMEM_CMP_EQ, 1);
    nvshmem_barrier_all();
    for (int i = 0; i < N; i++) PE_EQUAL(all->ints[i], 1000 * previous + i);
    PE_FILLED(all->large, LARGE, (uint64_t)previous);
    PE_EQUAL(all->sum, 7);
    nvshmem_getmem(back, all->large, LARGE, next);
    PE_FILLED(back, LARGE, (uint64_t)pe_me);
    value = nvshmem_int_g(&all->ints[N - 1], next);
    PE_EQUAL(value, 1000 * pe_me + N - 1);
    nvshmem_barrier_all();
}

ANYSHMEM_KERNEL(add_in_kernel)
{
    struct shared *shared = (struct shared *)arg;
    int other = (nvshmem_my_pe() + 1) % nvshmem_n_pes();
    nvshmem_uint64_atomic_add(&shared->from_kernel, threadIdx.x + 1, other);
    nvshmem_uint64_wait_until(&shared->from_kernel, NVSHMEM_CMP_EQ, 10);
}

static void launch(void)
{
    void *argument = all, *arguments[] = {&argument};
    const void *kernel = (const void *)add_in_kernel;
    dim3 grid = {1, 1, 1}, block = {4, 1, 1};
    pe_step("kernel");
    if (nvshmemx_collective_launch(kernel, grid, block, arguments, 64, 0) != 0 &&
        nvshmemx_collective_launch(kernel, grid, block, arguments, 64, 0) != 0)
        give_up("nvshmemx_collective_launch");
    PE_EQUAL(all->from_kernel, 10);
    nvshmem_barrier_all();
}

static void queue(void)
{
    cudaStream_t stream;
    pe_step("stream");
    if (anyshmemx_stream_create(&stream) != 0 && anyshmemx_stream_create(&stream) != 0)
        give_up("anyshmemx_stream_create");
    nvshmemx_int_p_on_stream(&all->ints[0], 77, next, stream);
    nvshmemx_signal_op_on_stream(&all->signal, 5, NVSHMEM_SIGNAL_SET, next, stream);
    nvshmemx_signal_wait_until_on_stream(&all->signal, NVSHMEM_CMP_EQ, 5, stream);
    nvshmemx_quiet_on_stream(stream);
    PE_EQUAL(anyshmemx_stream_synchronize(stream), 0);
    nvshmem_barrier_all();
    PE_EQUAL(all->ints[0], 77);
    PE_EQUAL(anyshmemx_stream_destroy(stream), 0);
}

static void split(void)
{
    nvshmem_team_t team = NVSHMEM_TEAM_INVALID;
    pe_step("team");
    PE_EQUAL(nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, pe_n, NULL, 0, &team), 0);
    nvshmem_team_sync(team);
    PE_EQUAL(nvshmem_team_n_pes(team), pe_n);
    nvshmem_team_destroy(team);
}

static void end_badly(const char *how)
{
    long pid = getpid() + (strcmp(how, "other") == 0);
    const char *at = strcmp(how, "elsewhere") == 0 ? "ucp_worker_progress" : "ucp_ep_set_failed";
    const char *what = strcmp(how, "signal") == 0 ? "Caught signal 11 (Segmentation fault)"
                                                  : "ucp_request.c:684  Assertion `x' failed";
    if (strcmp(how, "stay") == 0) sleep(60);
    if (strcmp(how, "ours") != 0)
        fprintf(stderr, "[host:%ld:0:%ld] %s\n==== backtrace (tid: %ld) ====\n"
                        " 7  /lib/libucp.so.0(%s+0xea) [0x7f4b9cc96bea]\n=====\n",
                pid, pid, what, pid, at);
    abort();
}

int main(int argc, char **argv)
{
    const char *how = getenv("INJECT_ABORT");
    pe_watch("victim");
    if (argc > 1 && strcmp(argv[1], "uid") == 0)
        start_by_id();
    else
        nvshmem_init();
    pe_started();
    next = (pe_me + 1) % pe_n;
    previous = (pe_me + pe_n - 1) % pe_n;
    all = allocate(sizeof(*all));
    put_and_get();
    launch();
    queue();
    split();
    if (how != NULL) end_badly(how);
    nvshmem_free(all);
    return pe_finish();
}
