/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI, as the program has loaded it: found at run time, so this library depends on none.
 */
#ifndef ASH_LIB_BOOTSTRAP_MPI_LIBRARY_H
#define ASH_LIB_BOOTSTRAP_MPI_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A handle of MPI: a pointer with Open MPI, an int with MPICH and its family.
 * Both are passed as a pointer: on every 64-bit ABI that Linux has, a function
 * that takes an int finds it in the low half of the register of a pointer that
 * holds the int, sign-extended.
 */
typedef void *ash_mpi_handle;

/* A handle that MPI writes. */
union ash_mpi_slot {
    int as_int;
    void *as_pointer;
};

/* The routines of MPI in use: name, parameters. */
#define ASH_MPI_ROUTINES(X) \
    X(Initialized, (int *)) \
    X(Finalized, (int *)) \
    X(Comm_size, (ash_mpi_handle, int *)) \
    X(Comm_rank, (ash_mpi_handle, int *)) \
    X(Comm_idup, (ash_mpi_handle, union ash_mpi_slot *, union ash_mpi_slot *)) \
    X(Comm_free, (union ash_mpi_slot *)) \
    X(Iallgather, (const void *, int, ash_mpi_handle, void *, int, ash_mpi_handle, \
                   ash_mpi_handle, union ash_mpi_slot *)) \
    X(Iallgatherv, (const void *, int, ash_mpi_handle, void *, const int *, const int *, \
                    ash_mpi_handle, ash_mpi_handle, union ash_mpi_slot *)) \
    X(Test, (union ash_mpi_slot *, int *, void *)) \
    X(Abort, (ash_mpi_handle, int)) \
    X(Get_library_version, (char *, int *))

struct ash_mpi_library {
#define X(NAME, PARAMETERS) int (*NAME) PARAMETERS;
    ASH_MPI_ROUTINES(X)
#undef X
    /* MPI_COMM_WORLD and MPI_BYTE. */
    ash_mpi_handle world, byte;
    /* Handles are an int. */
    bool by_int;
};

/* Find it, started and not ended; what is wrong is said. */
int ash_mpi_find(struct ash_mpi_library *ret_mpi);

/* The handle that MPI or the program has written there. */
ash_mpi_handle ash_mpi_handle_at(const struct ash_mpi_library *mpi, const void *slot);

#endif
