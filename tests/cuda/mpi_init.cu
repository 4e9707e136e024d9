/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of MPI: the PEs are the ranks of a communicator. */
#include "numbers.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
    MPI_Comm world = MPI_COMM_WORLD;
    int rank, n_ranks, status = EXIT_FAILURE;

    start_or_skip("mpi_init");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &n_ranks);
    attributes.mpi_comm = &world;
    if (nvshmemx_init_attr(NVSHMEMX_INIT_WITH_MPI_COMM, &attributes) == 0) {
        if (nvshmem_my_pe() == rank && nvshmem_n_pes() == n_ranks)
            status = add_numbers("mpi_init");
        nvshmem_finalize();
    }
    MPI_Finalize();
    return status;
}
