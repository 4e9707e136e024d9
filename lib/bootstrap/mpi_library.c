/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks up MPI's routines with dlsym in the program or in a library that it has loaded, and
 * finds out which kind of handles they take.
 */
#include "lib/bootstrap/mpi_library.h"

#include <dlfcn.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/log.h"

static int failed(const char *text)
{
    ash_log(ASH_LOG_ERROR, "MPI: %s", text);
    return ASH_ERROR_BOOTSTRAP;
}

/*
 * Find MPI as the program has loaded it, linked or by dlopen; this loads nothing itself.
 * Returns a bool, because RTLD_DEFAULT is a null pointer with glibc.
 */
static bool find_library(void **ret_library)
{
    static const char *const names[] = {"libmpi.so.40", "libmpi.so.80", "libmpi.so.12",
                                        "libmpich.so.12", "libmpi.so", "libmpich.so"};
    *ret_library = RTLD_DEFAULT;
    if (dlsym(RTLD_DEFAULT, "MPI_Comm_rank") != NULL) return true;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        *ret_library = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
        if (*ret_library != NULL) return true;
    }
    return false;
}

/* Does MPI's version text contain the word?  Its largest size is up to the implementation; 8192
 * is the largest of them. */
static bool version_names(const struct ash_mpi_library *mpi, const char *word)
{
    char text[8193] = "";
    int length = 0;
    if (mpi->Get_library_version(text, &length) != 0) return false;
    return strstr(text, word) != NULL;
}

static ash_mpi_handle int_handle(int value)
{
    return (void *)(intptr_t)value;
}

ash_mpi_handle ash_mpi_handle_at(const struct ash_mpi_library *mpi, const void *slot)
{
    const union ash_mpi_slot *s = slot;
    return mpi->by_int ? int_handle(s->as_int) : s->as_pointer;
}

/* Set the kind of handles, and two handles to the values of that implementation's mpi.h. */
static int set_handles(struct ash_mpi_library *mpi, void *library)
{
    void *open_mpi_world = dlsym(library, "ompi_mpi_comm_world");
    void *open_mpi_byte = dlsym(library, "ompi_mpi_byte");
    if (open_mpi_world != NULL && open_mpi_byte != NULL) {
        mpi->by_int = false;
        mpi->byte = open_mpi_byte;
        mpi->world = open_mpi_world;
        return 0;
    }
    if (version_names(mpi, "MPICH") || version_names(mpi, "Intel") ||
        version_names(mpi, "MVAPICH")) {
        mpi->by_int = true;
        mpi->byte = int_handle(0x4c00010d);
        mpi->world = int_handle(0x44000000);
        return 0;
    }
    return failed("this MPI is neither Open MPI nor of MPICH's family; "
                  "use NVSHMEMX_INIT_WITH_UNIQUEID");
}

int ash_mpi_find(struct ash_mpi_library *mpi)
{
    void *library;
    int yes = 0;
    if (!find_library(&library))
        return failed("NVSHMEMX_INIT_WITH_MPI_COMM, but no MPI is loaded in this program");
#define X(NAME, PARAMETERS) \
    *(void **)&mpi->NAME = dlsym(library, "MPI_" #NAME); \
    if (mpi->NAME == NULL) return failed("MPI_" #NAME " is missing");
    ASH_MPI_ROUTINES(X)
#undef X
    if (mpi->Initialized(&yes) != 0 || !yes) return failed("MPI_Init was not called");
    if (mpi->Finalized(&yes) != 0 || yes) return failed("MPI_Finalize was called before");
    return set_handles(mpi, library);
}
