/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bootstrap over an MPI communicator.
 *
 * Only the thread that starts or ends the library calls MPI, never the proxy: a fence
 * gathers all records, and a get reads them from memory.  Only nonblocking routines of MPI
 * are used, so that waiting for a rank that does not come has a time limit.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "device/hostdev/clock.h"
#include "lib/base/deadline.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/log.h"
#include "lib/bootstrap/bootstrap.h"
#include "lib/bootstrap/mpi_library.h"
#include "lib/bootstrap/uid.h"

/* Nanoseconds between two tests of a request that waits for other ranks. */
#define MOMENT_NS 20000

static struct {
    struct ash_mpi_library library;
    /* The communicator in use, as MPI's routines take it: first the program's, then this library's
     * duplicate, which MPI has written to `copy`. */
    ash_mpi_handle comm;
    union ash_mpi_slot copy;
    /* The program's argument: the address of a communicator, or NULL. */
    const void *given;
    uint32_t n_pes;
    bool running;
    /* Not all ranks came to the last call in time: MPI may still use its buffers. */
    bool late;
    /* This PE's record, and whether it was published after the last gather. */
    void *own;
    int own_nbytes;
    bool fresh;
    /* All records, and where each begins: n_pes + 1 entries. */
    unsigned char *all;
    int *begins;
} mpi;

static void mpi_use(const void *communicator)
{
    mpi.given = communicator;
}

static int failed(const char *text)
{
    ash_log(ASH_LOG_ERROR, "MPI: %s", text);
    return ASH_ERROR_BOOTSTRAP;
}

/*
 * Wait until all ranks have come to a nonblocking call; status: what that call returned.
 * If they do not come, its buffers must stay allocated until the process ends.
 */
static int finish_request(int status, union ash_mpi_slot *request, const char *routine)
{
    int64_t deadline = ash_deadline_ms(ash_env.init_timeout);
    int done = 0;
    while (status == 0) {
        /* Room for an MPI_Status, which is smaller in all implementations; it is not used. */
        uint64_t unused[32];
        status = mpi.library.Test(request, &done, unused);
        if (status == 0 && done) return 0;
        mpi.late = ash_now_ms() >= deadline;
        if (mpi.late) break;
        ash_sleep_ns(MOMENT_NS);
    }
    if (status != 0)
        ash_log(ASH_LOG_ERROR, "MPI: %s failed", routine);
    else
        ash_log(ASH_LOG_ERROR,
                "MPI: after %lld s not all %u ranks of the communicator have come "
                "to the %s (ANYSHMEM_INIT_TIMEOUT)",
                (long long)ash_env.init_timeout, mpi.n_pes,
                ash_library_state == ASH_LIBRARY_STARTED ? "end" : "start");
    return ASH_ERROR_BOOTSTRAP;
}

/* Allgather nbytes of each rank to *ret_all, which the caller frees unless mpi.late is set;
 * what: the purpose of that memory, for a message. */
static int collect(const void *mine, int nbytes, const char *what, unsigned char **ret_all)
{
    size_t own = (size_t)mpi.n_pes * (size_t)nbytes;
    union ash_mpi_slot request;
    int rc;
    *ret_all = malloc(own + (size_t)nbytes);
    if (*ret_all == NULL) return ash_no_memory_for(what);
    memcpy(*ret_all + own, mine, (size_t)nbytes);
    rc = mpi.library.Iallgather(*ret_all + own, nbytes, mpi.library.byte, *ret_all, nbytes,
                                mpi.library.byte, mpi.comm, &request);
    rc = finish_request(rc, &request, "MPI_Iallgather");
    if (rc == 0) return 0;
    if (!mpi.late) free(*ret_all);
    *ret_all = NULL;
    return rc;
}

/* Find the PEs that have the same host name as this one (ash_uid_host). */
static int find_local(struct ash_bootstrap *b)
{
    char host[ASH_UID_HOST];
    unsigned char *hosts;
    int rc;
    ash_uid_host(host);
    rc = collect(host, ASH_UID_HOST, "the names of the PEs' hosts", &hosts);
    if (rc != 0) return rc;
    b->local_pes = calloc(b->n_pes, sizeof(*b->local_pes));
    b->n_local = 0;
    for (uint32_t pe = 0; b->local_pes != NULL && pe < b->n_pes; pe++)
        if (strcmp((const char *)hosts + (size_t)pe * ASH_UID_HOST, host) == 0)
            b->local_pes[b->n_local++] = pe;
    free(hosts);
    return b->local_pes != NULL ? 0 : ash_no_memory_for("the list of this node's PEs");
}

/* Duplicate the communicator: the program may free its own, or use it in another thread. */
static int copy_communicator(void)
{
    union ash_mpi_slot request;
    int rc = mpi.library.Comm_idup(mpi.comm, &mpi.copy, &request);
    rc = finish_request(rc, &request, "MPI_Comm_idup");
    if (rc == 0) mpi.comm = ash_mpi_handle_at(&mpi.library, &mpi.copy);
    return rc;
}

static int mpi_start(struct ash_bootstrap *ret_bootstrap)
{
    int size, rank, rc = ash_mpi_find(&mpi.library);
    if (rc != 0) return rc;
    mpi.comm = mpi.given != NULL ? ash_mpi_handle_at(&mpi.library, mpi.given) : mpi.library.world;
    if (mpi.library.Comm_size(mpi.comm, &size) != 0 || mpi.library.Comm_rank(mpi.comm, &rank) != 0)
        return failed("mpi_comm is not a communicator");
    ret_bootstrap->pe = (uint32_t)rank;
    ret_bootstrap->n_pes = mpi.n_pes = (uint32_t)size;
    ash_log_identify(rank, size);
    mpi.late = false;
    rc = copy_communicator();
    if (rc != 0) return rc;
    rc = find_local(ret_bootstrap);
    /* After an error the duplicate is kept: freeing it is collective, and other ranks may not. */
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

/* Set where each record begins, and allocate room for all; false if that fails. */
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

/* Gather all records, whose sizes are known. */
static int gather(const int *sizes)
{
    union ash_mpi_slot request;
    int rc;
    if (!lay_out(sizes)) return ash_no_memory_for("the records of all PEs");
    rc = mpi.library.Iallgatherv(mpi.own, mpi.own_nbytes, mpi.library.byte, mpi.all, sizes,
                                 mpi.begins, mpi.library.byte, mpi.comm, &request);
    rc = finish_request(rc, &request, "MPI_Iallgatherv");
    mpi.fresh = rc != 0;
    return rc;
}

static int mpi_fence(void)
{
    unsigned char *sizes;
    int finalized = 0, rc;
    if (mpi.library.Finalized(&finalized) != 0 || finalized)
        return failed("MPI_Finalize was called before nvshmem_finalize");
    rc = collect(&mpi.own_nbytes, sizeof(int), "the sizes of all PEs' records", &sizes);
    if (rc != 0) return rc;
    /* If there are no new records, gathering the sizes was the fence.  The old records must stay,
     * because the proxy may be reading them. */
    if (mpi.fresh) rc = gather((const int *)(const void *)sizes);
    if (!mpi.late) free(sizes);
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
    if (mpi.running && !mpi.late && mpi.library.Finalized(&finalized) == 0 && !finalized)
        mpi.library.Comm_free(&mpi.copy);
    if (!mpi.late) {
        free(mpi.own);
        free(mpi.all);
        free(mpi.begins);
    }
    mpi.own = mpi.all = NULL;
    mpi.begins = NULL;
    mpi.own_nbytes = 0;
    mpi.running = false;
}

static void mpi_abort(int status)
{
    if (!mpi.running) return;
    mpi.running = false;
    mpi.library.Abort(mpi.comm, status);
}

const struct ash_bootstrap_backend ash_bootstrap_mpi = {
    .name = "MPI",
    .use = mpi_use,
    .start = mpi_start,
    .publish = mpi_publish,
    .fence = mpi_fence,
    .get = mpi_get,
    .stop = mpi_stop,
    .abort = mpi_abort,
};
