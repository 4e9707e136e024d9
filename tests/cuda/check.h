/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What these programs share: they take a device, end when they take too long or
 * when CUDA reports an error, and say whether their results are right.
 */
#ifndef TESTS_CUDA_CHECK_H
#define TESTS_CUDA_CHECK_H

#include <cuda_runtime.h>
#include <nvshmem.h>
#include <nvshmemx.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Seconds that a program may take: its kernels wait for other PEs. */
#define TIME_LIMIT 120
/* The exit status that stands for: cannot run here. */
#define SKIPPED 77

#define CUDA_CHECK(call) cuda_check(call, #call, __FILE__, __LINE__)

static inline void cuda_check(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}

static inline void time_is_up(int)
{
    static const char text[] = "the time limit of the program is over\n";

    if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
        _exit(EXIT_FAILURE + 1);
    _exit(EXIT_FAILURE);
}

/* First in each program. */
static inline void start_or_skip(const char *name)
{
    int n_devices = 0;

    signal(SIGALRM, time_is_up);
    alarm(TIME_LIMIT);
    if (cudaGetDeviceCount(&n_devices) == cudaSuccess && n_devices > 0)
        return;
    printf("%s: SKIP there is no CUDA device\n", name);
    exit(SKIPPED);
}

/* After nvshmem_init: one device for each PE of a node, round-robin if there are too few. */
static inline void take_device(void)
{
    int n_devices;

    CUDA_CHECK(cudaGetDeviceCount(&n_devices));
    CUDA_CHECK(cudaSetDevice(nvshmem_team_my_pe(NVSHMEMX_TEAM_NODE) % n_devices));
}

/* Last, before nvshmem_finalize: the exit status. */
static inline int report(const char *name, size_t n_wrong)
{
    int me = nvshmem_my_pe(), n_pes = nvshmem_n_pes();

    if (n_wrong)
        printf("%s: PE %d of %d: WRONG: %zu values\n", name, me, n_pes, n_wrong);
    else
        printf("%s: PE %d of %d: correct\n", name, me, n_pes);
    fflush(stdout);
    return n_wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* PEs in pairs 0-1, 2-3, ...; one that is left over is its own partner. */
static inline int partner_of(int me, int n_pes)
{
    return (me ^ 1) < n_pes ? me ^ 1 : me;
}

#endif
