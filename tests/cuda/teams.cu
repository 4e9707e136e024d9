/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams of several kinds, mixed: rows and columns of a grid of PEs, the even ones, and all; each is
 * used by the host, on a stream and in a kernel, one after the other.
 */
#include "measure.h"

#define THREADS 64

/* In a kernel: where the PE is in the team, and a sum over it. */
__global__ void ask(nvshmem_team_t team, int *numbers, int *sum, int *place)
{
    int me = nvshmem_team_my_pe(team), n = nvshmem_team_n_pes(team);

    if (threadIdx.x == 0) {
        place[0] = me;
        place[1] = n;
        place[2] = nvshmem_team_translate_pe(team, (me + 1) % n, NVSHMEM_TEAM_WORLD);
        numbers[0] = nvshmem_my_pe();
    }
    __syncthreads();
    nvshmemx_int_sum_reduce_block(team, sum, numbers, 1);
    nvshmemx_team_sync_block(team);
    if (threadIdx.x == 0 && me == 0)
        nvshmem_int_p(sum + 1, n, nvshmem_team_translate_pe(team, n - 1, NVSHMEM_TEAM_WORLD));
    nvshmemx_barrier_block(team);
}

struct memory {
    int *numbers, *sum, *place;
};

/* Values that are wrong after a round of this team, whose PEs are first, first + step, ... */
static size_t use(nvshmem_team_t team, int first, int step, struct memory m, cudaStream_t stream)
{
    int n = nvshmem_team_n_pes(team), me = nvshmem_team_my_pe(team), place[3], sum[2];
    int wanted = n * first + step * (n * (n - 1) / 2);
    void *args[] = {&team, &m.numbers, &m.sum, &m.place};
    size_t n_wrong = 0;

    CUDA_CHECK(cudaMemsetAsync(m.sum, 0, 2 * sizeof(int), stream));
    NVSHMEM_CHECK(nvshmemx_team_sync_on_stream(team, stream));
    NVSHMEM_CHECK(nvshmemx_collective_launch((const void *)ask, dim3(1), dim3(THREADS), args, 0,
                                             stream));
    CUDA_CHECK(cudaMemcpyAsync(place, m.place, sizeof(place), cudaMemcpyDefault, stream));
    CUDA_CHECK(cudaMemcpyAsync(sum, m.sum, sizeof(sum), cudaMemcpyDefault, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    n_wrong += place[0] != me || place[1] != n;
    n_wrong += place[2] != first + (me + 1) % n * step;
    n_wrong += sum[0] != wanted || sum[1] != (me == n - 1 ? n : 0);

    NVSHMEM_CHECK(nvshmemx_int_max_reduce_on_stream(team, m.sum, m.numbers, 1, stream));
    CUDA_CHECK(cudaMemcpyAsync(sum, m.sum, sizeof(int), cudaMemcpyDefault, stream));
    NVSHMEM_CHECK(nvshmemx_barrier_on_stream(team, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    n_wrong += sum[0] != first + (n - 1) * step;
    nvshmem_int_min_reduce(team, m.sum, m.numbers, 1);
    nvshmem_barrier(team);
    CUDA_CHECK(cudaMemcpy(sum, m.sum, sizeof(int), cudaMemcpyDefault));
    n_wrong += sum[0] != first;
    return n_wrong;
}

int main(void)
{
    nvshmem_team_t row, column, even = NVSHMEM_TEAM_INVALID;
    nvshmem_team_config_t config;
    struct memory m;
    cudaStream_t stream;
    size_t n_wrong = 0;

    start_or_skip("teams");
    nvshmem_init();
    take_device();
    CUDA_CHECK(cudaStreamCreate(&stream));
    memset(&config, 0, sizeof(config));
    config.num_contexts = 1;
    int me = nvshmem_my_pe(), n_pes = nvshmem_n_pes(), width = n_pes % 2 == 0 ? 2 : 1;
    m.numbers = (int *)nvshmem_calloc(1, sizeof(int));
    m.sum = (int *)nvshmem_calloc(2, sizeof(int));
    m.place = (int *)nvshmem_calloc(3, sizeof(int));
    NVSHMEM_CHECK(nvshmem_team_split_2d(NVSHMEM_TEAM_WORLD, width, &config, 0, &row, &config, 0,
                                        &column));
    NVSHMEM_CHECK(nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 2, (n_pes + 1) / 2, &config,
                                             0, &even));
    for (int round = 0; round < 3; round++) {
        n_wrong += use(row, me / width * width, 1, m, stream);
        n_wrong += use(column, me % width, width, m, stream);
        if (even != NVSHMEM_TEAM_INVALID)
            n_wrong += use(even, 0, 2, m, stream);
        n_wrong += use(NVSHMEM_TEAM_WORLD, 0, 1, m, stream);
    }
    if (even != NVSHMEM_TEAM_INVALID)
        nvshmem_team_destroy(even);
    nvshmem_team_destroy(column);
    nvshmem_team_destroy(row);

    int status = report("teams", n_wrong);
    nvshmem_free(m.place);
    nvshmem_free(m.sum);
    nvshmem_free(m.numbers);
    CUDA_CHECK(cudaStreamDestroy(stream));
    nvshmem_finalize();
    return status;
}
