/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every function that kernels may call, called by a CUDA kernel for its result: what
 * tests/pe/conformance.c does on the host device, for a compiler of CUDA.  What is not typed
 * is C and lies in conform.c.
 */
#include <anyshmem_kernel.h>
#include <ishmemx.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>

/* A warp and some more. */
#define KERNEL_THREADS 40u

/* CUDA has none in kernels. */
extern "C" __device__ int strcmp(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) a++, b++;
    return *a - *b;
}

/* C's functions, which kernels on a CPU may call: the script that links this gives them the
 * names of device code. */
#pragma clang force_cuda_host_device begin
extern "C" {
#include "tests/conformance/conform_setup.h"
}
#pragma clang force_cuda_host_device end

#include "tests/conformance/work_group.h"

/* The variables are the host's. */
#define pe_me nvshmem_my_pe()
#define pe_n nvshmem_n_pes()

/* Streams are for hosts, and so are what launches kernels, and OpenSHMEM: not here. */
#define ROW(NUMBER, FAMILY, NAME, TEST, TYPE, CALLER, API, VALUES) \
    OF_##CALLER(NUMBER, NAME, TEST, TYPE, CALLER, API, VALUES)
#define OF_host(...)
#define OF_stream(...)
#define OF_warp(...) HERE(__VA_ARGS__)
#define OF_block(...) HERE(__VA_ARGS__)
#define OF_group(...) HERE(__VA_ARGS__)
#define OF_thread(NUMBER, NAME, TEST, TYPE, CALLER, API, VALUES) \
    OF_##API(NUMBER, NAME, TEST, TYPE, CALLER, API, VALUES)
#define OF_nvshmem(...) HERE(__VA_ARGS__)
#define OF_qp(...) HERE(__VA_ARGS__)
#define OF_ishmem(...) HERE(__VA_ARGS__)
#define OF_shmem(...)

#define HERE(NUMBER, NAME, TEST, TYPE, CALLER, API, VALUES) \
    static __device__ void run_##NUMBER(struct conform *c) \
    { \
        (void)c; \
        TEST_##TEST(NAME, TYPE, CALLER, API, VALUES); \
    }
#include "tests/conformance/rows.h"
#undef HERE

__global__ void kernel_rows(struct conform *c)
{
#define HERE(NUMBER, NAME, TEST, TYPE, CALLER, API, VALUES) \
    conform_step(c, #NAME); \
    run_##NUMBER(c);
#include "tests/conformance/rows.h"
#undef HERE
}

__global__ void exit_in_kernel(const int *status)
{
    if (threadIdx.x == 5) nvshmem_global_exit(*status);
    __syncthreads();
}

static void run_kernel(struct conform *c)
{
    void *args[] = {&c};
    int launched = nvshmemx_collective_launch((const void *)kernel_rows, dim3(1),
                                              dim3(KERNEL_THREADS), args, 0, 0);
    PE_EQUAL(launched, 0);
    PE_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
}

int main(int argc, char **argv)
{
    struct conform *c = NULL;
    if (argc > 1) return conform_be_child(argv[1], (const void *)exit_in_kernel);
    pe_start("device");
    PE_NEED(cudaMallocManaged(&c, sizeof(*c)) == cudaSuccess);
    memset((void *)c, 0, sizeof(*c));
    c->memory = (struct conform_memory *)pe_alloc(sizeof(*c->memory));
    c->long_dest = (unsigned char *)pe_alloc(LONG_BYTES);
    c->long_source = (unsigned char *)pe_alloc(LONG_BYTES);
    c->to = (pe_me + 1) % pe_n;
    c->from = (pe_me + pe_n - 1) % pe_n;
    c->in_kernel = true;
    PE_NEED(nvshmemx_qp_create(2, &c->qp) == 0);
    run_kernel(c);
    if (pe_me == 0) printf("device: says: %u functions executed in a CUDA kernel\n", c->functions);
    nvshmem_free(c->memory);
    return pe_finish();
}
