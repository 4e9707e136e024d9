/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start with an MPI communicator.  Compiled by mpi.sh with mpicc; the library
 * itself knows no MPI.
 *
 * mpi world|null|reversed|freed|absent|late|hello
 */
#include <mpi.h>
#include <nvshmemx.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int failures, rank, size;

#define NEED(condition) \
    do { \
        if (!(condition)) { \
            printf("mpi: rank %d: %s:%d: %s\n", rank, __FILE__, __LINE__, #condition); \
            failures++; \
        } \
    } while (0)

/* Everybody reaches everybody; numbers are those of the communicator. */
static void exchange(int me)
{
    uint64_t *seen = nvshmem_calloc((size_t)size, sizeof(*seen));
    NEED(seen != NULL);
    NEED(nvshmem_my_pe() == me);
    NEED(nvshmem_n_pes() == size);
    NEED(nvshmem_team_n_pes(NVSHMEMX_TEAM_NODE) == size);
    for (int pe = 0; pe < size; pe++)
        nvshmem_uint64_p(&seen[me], (uint64_t)(100 * me + pe + 1), pe);
    nvshmem_barrier_all();
    for (int pe = 0; pe < size; pe++) NEED(seen[pe] == (uint64_t)(100 * pe + me + 1));
    nvshmem_free(seen);
}

static int run(MPI_Comm *communicator, int me, bool free_it)
{
    nvshmemx_init_attr_t attr = NVSHMEMX_INIT_ATTR_INITIALIZER;
    for (int round = 0; round < (free_it ? 1 : 2); round++) {
        attr.mpi_comm = communicator;
        if (nvshmemx_init_attr(NVSHMEMX_INIT_WITH_MPI_COMM, &attr) != 0) return 8;
        if (free_it) MPI_Comm_free(communicator);
        exchange(me);
        nvshmem_finalize();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (failures == 0) printf("mpi: PE %d of %d: done\n", me, size);
    return failures > 0;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    MPI_Comm communicator = MPI_COMM_WORLD;
    int me, rc = 0;
    alarm(50);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = rank;
    if (strcmp(mode, "hello") == 0) {
        printf("mpi: hello from %d of %d\n", rank, size);
    } else if (strcmp(mode, "late") == 0) {
        MPI_Finalize();
        return nvshmemx_init_attr(NVSHMEMX_INIT_WITH_MPI_COMM, NULL) == NVSHMEMX_ERROR_INTERNAL
                   ? 0 : 1;
    } else if (strcmp(mode, "absent") == 0) {
        /* The last one never comes. */
        if (rank == size - 1) sleep(40);
        MPI_Abort(MPI_COMM_WORLD, run(&communicator, me, false));
    } else if (strcmp(mode, "null") == 0) {
        rc = run(NULL, me, false);
    } else {
        bool freed = strcmp(mode, "freed") == 0;
        if (freed || strcmp(mode, "reversed") == 0) {
            me = size - 1 - rank;
            MPI_Comm_split(MPI_COMM_WORLD, 0, me, &communicator);
        }
        rc = run(&communicator, me, freed);
    }
    MPI_Finalize();
    return rc;
}
