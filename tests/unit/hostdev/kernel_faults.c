/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels with mistakes, for tests/api/kernel_faults.sh: the argument names one.
 */
#include <nvshmem.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "device/hostdev/kernel.h"
#include "device/hostdev/launch.h"

static void lane(void **args)
{
    (void)ash_kernel_ballot(0x0000000f, 1);
}

static void different(void **args)
{
    if (threadIdx.x % 2 == 0)
        ash_kernel_syncwarp(0xffffffff);
    else
        (void)ash_kernel_ballot(0xffffffff, 1);
}

static void deadlock(void **args)
{
    if (threadIdx.x == 0) return;
    if (threadIdx.x % 2 == 0)
        ash_kernel_barrier(2, 64);
    else
        (void)ash_kernel_syncthreads(ASH_SYNC_PLAIN, 0);
}

static void plain_grid(void **args)
{
    ash_kernel_grid_sync();
}

static void number(void **args)
{
    ash_kernel_barrier(16, 0);
}

static void failed_assert(void **args)
{
    if (blockIdx.x == 1 && threadIdx.x == 5)
        ash_kernel_fail("assertion \"n < 5\" failed", "program.cu", 17);
}

/* Block 1 polls for what block 0, which waits for it in a barrier of the grid, would do. */
static uint32_t never;

static void hang(void **args)
{
    while (blockIdx.x == 1 && __atomic_load_n(&never, __ATOMIC_RELAXED) == 0) ash_kernel_polled();
    ash_kernel_grid_sync();
}

static void *signal_later(void *unused)
{
    (void)usleep(500000);
    (void)kill(getpid(), SIGUSR1);
    (void)usleep(1000000);
    _exit(0);
    return unused;
}

static const struct {
    const char *name;
    void (*thunk)(void **args);
} cases[] = {{"lane", lane},         {"different", different}, {"deadlock", deadlock},
             {"plain_grid", plain_grid}, {"number", number},   {"assert", failed_assert},
             {"hang", hang}};

int main(int argc, char **argv)
{
    struct ash_launch l = {
        .name = "kernel_of_test", .grid_dim = {2, 1, 1}, .block_dim = {32, 1, 1}};
    pthread_t thread;
    size_t i;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (argc == 2 && strcmp(argv[1], cases[i].name) == 0) l.thunk = cases[i].thunk;
    if (l.thunk == hang) {
        nvshmem_init();
        l.cooperative = true;
        if (pthread_create(&thread, NULL, signal_later, NULL) != 0) return 3;
    }
    return l.thunk == NULL ? 2 : ash_launch_run(&l);
}
