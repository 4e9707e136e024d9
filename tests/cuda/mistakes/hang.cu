/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests/api/nvcc_faults.sh and nvcc_gdb.sh: a kernel that never ends.  Block 0 waits in a
 * barrier for its last thread, which waits in a loop for what nobody does.
 */
#include <csignal>
#include <cstdio>
#include <thread>
#include <unistd.h>
#ifdef WITH_NVSHMEM
#include <nvshmem.h>
#endif

__device__ volatile int flag;

static __device__ void wait_for_flag()
{
    while (flag == 0) { /* poll */
    }
}

__global__ void hang(int *numbers)
{
    if (threadIdx.x == 31 || (blockIdx.x == 1 && threadIdx.x == 0)) wait_for_flag();
    if (blockIdx.x == 1) return;
    __syncthreads(); /* barrier */
    numbers[threadIdx.x] = 1;
}

/* A place for gdb. */
__attribute__((noinline)) void hung()
{
    kill(getpid(), SIGUSR1);
}

int main()
{
    int *numbers;
#ifdef WITH_NVSHMEM
    nvshmem_init();
#endif
    cudaMalloc(&numbers, 32 * sizeof(int));
    hang<<<2, 32>>>(numbers);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    hung();
    std::this_thread::sleep_for(std::chrono::seconds(3));
    printf("still there\n");
    fflush(stdout);
    _exit(0);
}
