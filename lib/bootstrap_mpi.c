/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bootstrap over an MPI communicator.  MPI is found in the program at run
 * time, so this library depends on none.
 *
 * MPI is called by the thread that starts or ends the library, never by the
 * proxy: a fence brings all records, and a get reads them here.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/bootstrap.h"
#include "lib/error.h"
#include "lib/init_attr.h"
#include "lib/log.h"
#include "lib/uid.h"

/*
 * A handle of MPI: a pointer with Open MPI, an int with MPICH and its family.
 * Both are passed as a pointer: on every 64-bit ABI that Linux has, a function
 * that takes an int finds it in the low half of the register of a pointer that
 * holds the int, sign-extended.
 */
typedef void *handle;

/* The routines of MPI in use: name, parameters. */
#define MPI_ROUTINES(X) \
    X(Initialized, (int *)) \
    X(Finalized, (int *)) \
    X(Comm_size, (handle, int *)) \
    X(Comm_rank, (handle, int *)) \
    X(Comm_dup, (handle, void *)) \
    X(Comm_free, (void *)) \
    X(Allgather, (const void *, int, handle, void *, int, handle, handle)) \
    X(Allgatherv, (const void *, int, handle, void *, const int *, const int *, handle, handle)) \
    X(Abort, (handle, int)) \
    X(Get_library_version, (char *, int *))

static struct {
#define X(NAME, PARAMETERS) int (*NAME) PARAMETERS;
    MPI_ROUTINES(X)
#undef X
    /* What is called by handles, which are an int, or a pointer. */
    handle comm, byte;
    bool by_int;
    /* This library's copy of the communicator, as MPI wants it. */
    union {
        int as_int;
        void *as_pointer;
    } copy;
    /* What the program gave: the address of a communicator, or NULL. */
    const void *given;
    uint32_t n_pes;
    bool running;
    /* This PE's record, then everybody's: where each begins; n_pes + 1 entries. */
    void *own;
    int own_nbytes;
    bool fresh;
    unsigned char *all;
    int *begins;
} mpi;

void ash_mpi_use(const void *communicator)
{
    mpi.given = communicator;
}

static int failed(const char *text)
{
    ash_log(ASH_LOG_ERROR, "MPI: %s", text);
    return ASH_ERROR_BOOTSTRAP;
}

/*
 * MPI as the program loaded it, linked or by dlopen; nothing is loaded here.
 * RTLD_DEFAULT is a null pointer with glibc, so that says nothing.
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

/* The size of a long text is up to MPI; 8192 is the largest of all of them. */
static bool version_names(const char *word)
{
    char text[8193] = "";
    int length = 0;
    if (mpi.Get_library_version(text, &length) != 0) return false;
    return strstr(text, word) != NULL;
}

static handle int_handle(int value)
{
    return (void *)(intptr_t)value;
}

/* The two kinds of handles, and the values that mpi.h of each gives. */
static int set_handles(void *library)
{
    void *open_mpi_world = dlsym(library, "ompi_mpi_comm_world");
    void *open_mpi_byte = dlsym(library, "ompi_mpi_byte");
    if (open_mpi_world != NULL && open_mpi_byte != NULL) {
        mpi.by_int = false;
        mpi.byte = open_mpi_byte;
        mpi.comm = mpi.given != NULL ? *(const handle *)mpi.given : open_mpi_world;
        return 0;
    }
    if (version_names("MPICH") || version_names("Intel") || version_names("MVAPICH")) {
        mpi.by_int = true;
        mpi.byte = int_handle(0x4c00010d);
        mpi.comm = int_handle(mpi.given != NULL ? *(const int *)mpi.given : 0x44000000);
        return 0;
    }
    return failed("this MPI is neither Open MPI nor of MPICH's family; "
                  "use NVSHMEMX_INIT_WITH_UNIQUEID");
}

static int find_mpi(void)
{
    void *library;
    int yes = 0;
    if (!find_library(&library))
        return failed("NVSHMEMX_INIT_WITH_MPI_COMM, but no MPI is loaded in this program");
#define X(NAME, PARAMETERS) \
    *(void **)&mpi.NAME = dlsym(library, "MPI_" #NAME); \
    if (mpi.NAME == NULL) return failed("MPI_" #NAME " is missing");
    MPI_ROUTINES(X)
#undef X
    if (mpi.Initialized(&yes) != 0 || !yes) return failed("MPI_Init was not called");
    if (mpi.Finalized(&yes) != 0 || yes) return failed("MPI_Finalize was called before");
    return set_handles(library);
}

/* PEs that call the same host theirs. */
static int find_local(struct ash_bootstrap *b)
{
    char host[ASH_UID_HOST];
    char *hosts = malloc((size_t)b->n_pes * ASH_UID_HOST);
    int rc = hosts != NULL ? 0 : ash_no_memory_for("the names of the PEs' hosts");
    ash_uid_host(host);
    if (rc == 0 && mpi.Allgather(host, ASH_UID_HOST, mpi.byte, hosts, ASH_UID_HOST, mpi.byte,
                                 mpi.comm) != 0)
        rc = failed("MPI_Allgather failed");
    b->local_pes = rc == 0 ? calloc(b->n_pes, sizeof(*b->local_pes)) : NULL;
    b->n_local = 0;
    for (uint32_t pe = 0; b->local_pes != NULL && pe < b->n_pes; pe++)
        if (strcmp(hosts + (size_t)pe * ASH_UID_HOST, host) == 0) b->local_pes[b->n_local++] = pe;
    free(hosts);
    if (rc != 0 || b->local_pes != NULL) return rc;
    return ash_no_memory_for("the list of this node's PEs");
}

/* The program may free its own, or use it in another thread. */
static int copy_communicator(void)
{
    if (mpi.Comm_dup(mpi.comm, &mpi.copy) != 0) return failed("MPI_Comm_dup failed");
    mpi.comm = mpi.by_int ? int_handle(mpi.copy.as_int) : mpi.copy.as_pointer;
    return 0;
}

static int mpi_start(struct ash_bootstrap *ret_bootstrap)
{
    int size, rank, rc = find_mpi();
    if (rc != 0) return rc;
    if (mpi.Comm_size(mpi.comm, &size) != 0 || mpi.Comm_rank(mpi.comm, &rank) != 0)
        return failed("mpi_comm is no communicator");
    rc = copy_communicator();
    if (rc != 0) return rc;
    ret_bootstrap->pe = (uint32_t)rank;
    ret_bootstrap->n_pes = mpi.n_pes = (uint32_t)size;
    rc = find_local(ret_bootstrap);
    /* Nobody says that all free it: it stays. */
    mpi.running = rc == 0;
    return rc;
}

static int mpi_publish(const void *record, size_t nbytes)
{
    void *copy = nbytes <= INT_MAX ? malloc(nbytes) : NULL;
    if (copy == NULL) return ash_no_memory_for("the record of this PE");
    memcpy(copy, record, nbytes);
    free(mpi.own);
    mpi.own = copy;
    mpi.own_nbytes = (int)nbytes;
    mpi.fresh = true;
    return 0;
}

/* Where each record begins; false if there is no room for all. */
static bool lay_out(const int *sizes)
{
    int64_t total = 0;
    free(mpi.begins);
    free(mpi.all);
    mpi.all = NULL;
    mpi.begins = calloc((size_t)mpi.n_pes + 1, sizeof(int));
    if (mpi.begins == NULL) return false;
    for (uint32_t pe = 0; pe < mpi.n_pes; pe++) {
        total += sizes[pe];
        if (total > INT_MAX) return false;
        mpi.begins[pe + 1] = (int)total;
    }
    mpi.all = malloc((size_t)total + 1);
    return mpi.all != NULL;
}

/* Bring all records, whose sizes are known. */
static int gather(const int *sizes)
{
    if (!lay_out(sizes)) return ash_no_memory_for("the records of all PEs");
    if (mpi.Allgatherv(mpi.own, mpi.own_nbytes, mpi.byte, mpi.all, sizes, mpi.begins, mpi.byte,
                       mpi.comm) != 0)
        return failed("MPI_Allgatherv failed");
    mpi.fresh = false;
    return 0;
}

static int mpi_fence(void)
{
    int *sizes = calloc(mpi.n_pes, sizeof(int));
    int finalized = 0, rc = 0;
    if (sizes == NULL) return ash_no_memory_for("the sizes of all PEs' records");
    if (mpi.Finalized(&finalized) != 0 || finalized)
        rc = failed("MPI_Finalize was called before nvshmem_finalize");
    else if (mpi.Allgather(&mpi.own_nbytes, sizeof(int), mpi.byte, sizes, sizeof(int), mpi.byte,
                           mpi.comm) != 0)
        rc = failed("MPI_Allgather failed");
    /* Without new records the sizes were the fence; the proxy may be reading the old ones. */
    else if (mpi.fresh)
        rc = gather(sizes);
    free(sizes);
    return rc;
}

static int mpi_get(uint32_t pe, void **ret_record, size_t *ret_nbytes)
{
    size_t nbytes;
    if (mpi.all == NULL || pe >= mpi.n_pes) return failed("no record of this PE");
    nbytes = (size_t)(mpi.begins[pe + 1] - mpi.begins[pe]);
    *ret_record = malloc(nbytes + 1);
    if (*ret_record == NULL) return ash_no_memory_for("the record of a PE");
    memcpy(*ret_record, mpi.all + mpi.begins[pe], nbytes);
    *ret_nbytes = nbytes;
    return 0;
}

static void mpi_stop(void)
{
    int finalized = 0;
    if (mpi.running && mpi.Finalized(&finalized) == 0 && !finalized) mpi.Comm_free(&mpi.copy);
    free(mpi.own);
    free(mpi.all);
    free(mpi.begins);
    mpi.own = mpi.all = NULL;
    mpi.begins = NULL;
    mpi.own_nbytes = 0;
    mpi.running = false;
}

static void mpi_abort(int status)
{
    if (!mpi.running) return;
    mpi.running = false;
    mpi.Abort(mpi.comm, status);
}

const struct ash_bootstrap_way ash_bootstrap_mpi = {
    .name = "MPI",
    .start = mpi_start,
    .publish = mpi_publish,
    .fence = mpi_fence,
    .get = mpi_get,
    .stop = mpi_stop,
    .abort = mpi_abort,
};
