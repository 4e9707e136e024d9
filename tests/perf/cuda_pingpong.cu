/* SPDX-License-Identifier: BSD-3-Clause */
/* A signal that two PEs send each other: between kernels, and between their host threads. */
#include "../cuda/check.h"

#include <time.h>

#define ROUNDS 1000
#define REPETITIONS 20

static __host__ __device__ void rounds(uint64_t *signal, int me, int partner, uint64_t from)
{
    for (uint64_t round = from + 1; round <= from + ROUNDS; round++) {
        if (me < partner)
            nvshmemx_signal_op(signal, round, NVSHMEM_SIGNAL_SET, partner);
        nvshmem_signal_wait_until(signal, NVSHMEM_CMP_GE, round);
        if (me > partner)
            nvshmemx_signal_op(signal, round, NVSHMEM_SIGNAL_SET, partner);
    }
}
__global__ void pingpong(uint64_t *signal, int me, int partner, uint64_t from)
{
    rounds(signal, me, partner, from);
}

static double now_us()
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

/* The best of several, in us for a round. */
static double measure(bool in_kernel, uint64_t *signal, int me, uint64_t *from)
{
    double best = 1e30;

    for (int i = 0; i < REPETITIONS; i++) {
        int partner = 1 - me;

        nvshmem_barrier_all();
        double begin = now_us();
        if (in_kernel) {
            void *args[] = { &signal, &me, &partner, from };

            if (nvshmemx_collective_launch((const void *)pingpong, 1, 1, args, 0, 0) != 0)
                exit(2);
            CUDA_CHECK(cudaDeviceSynchronize());
        } else {
            rounds(signal, me, partner, *from);
        }
        *from += ROUNDS;
        best = now_us() - begin < best ? now_us() - begin : best;
    }
    return best / ROUNDS;
}

int main(void)
{
    uint64_t from = 0;

    start_or_skip("cuda_pingpong");
    nvshmem_init();
    take_device();
    int me = nvshmem_my_pe();
    if (nvshmem_n_pes() != 2) {
        fprintf(stderr, "cuda_pingpong: two PEs\n");
        return 2;
    }
    uint64_t *signal = (uint64_t *)nvshmem_calloc(1, sizeof(uint64_t));
    double host = measure(false, signal, me, &from), kernel = measure(true, signal, me, &from);
    bool missed = kernel > 2 * host;

    if (me == 0)
        printf("ping-pong by signal: kernels %.2f us, host threads %.2f us\n"
               "%55.2f x   goal   2.0%s\n",
               kernel, host, kernel / host, missed ? "  missed" : "");
    nvshmem_free(signal);
    nvshmem_finalize();
    return me == 0 && missed;
}
