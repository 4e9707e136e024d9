/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MPI that the program has loaded, found at run time, so that this library depends on no
 * MPI library.
 */
#ifndef ASH_LIB_BOOTSTRAP_MPI_LIBRARY_H
#define ASH_LIB_BOOTSTRAP_MPI_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A handle of MPI: a pointer with Open MPI, an int with MPICH and its family.
 * Both are passed as a pointer; with MPICH it holds the sign-extended int.  On every
 * 64-bit ABI of Linux, a function that takes an int finds it in the low half of the
 * register in which a pointer is passed.
 */
typedef void *ash_mpi_handle;

/* A variable that MPI writes a handle to. */
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

/* Find MPI, which must be initialized and not finalized.  0, or an error that was logged. */
int ash_mpi_find(struct ash_mpi_library *ret_mpi);

/* The handle that MPI or the program has written there. */
ash_mpi_handle ash_mpi_handle_at(const struct ash_mpi_library *mpi, const void *slot);

#endif
