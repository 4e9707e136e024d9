/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bootstrap: gives this PE its number and brings the PEs' records to each other.  Three
 * backends have the same table: PMIx (or a job of one PE if there is no launcher), a unique id
 * that the program distributes, and an MPI communicator.
 */
#ifndef ASH_LIB_BOOTSTRAP_BOOTSTRAP_H
#define ASH_LIB_BOOTSTRAP_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/hostdev/hostdev.h"

struct ash_bootstrap {
    uint32_t pe;
    uint32_t n_pes;
    /* The PEs on this host, this one included, in ascending order. */
    uint32_t *local_pes;
    uint32_t n_local;
};

/* Is that PE on this host? */
bool ash_bootstrap_is_local(const struct ash_bootstrap *bootstrap, uint32_t pe);

/* A backend; its functions are those below. */
struct ash_bootstrap_backend {
    const char *name;
    /* Set the argument of the next start: nvshmemx_uniqueid_args_t for the unique id; the address
     * of an MPI_Comm, or NULL for MPI_COMM_WORLD, for MPI.  PMIx has none: a NULL pointer. */
    void (*use)(const void *what);
    int (*start)(struct ash_bootstrap *ret_bootstrap);
    int (*publish)(const void *record, size_t nbytes);
    int (*fence)(void);
    int (*get)(uint32_t pe, void **ret_record, size_t *ret_nbytes);
    void (*stop)(void);
    void (*abort)(int status);
};
extern const struct ash_bootstrap_backend ash_bootstrap_pmix, ash_bootstrap_uid, ash_bootstrap_mpi;

/* Choose the backend of the next start, and its argument; PMIx unless this was called. */
void ash_bootstrap_choose(const struct ash_bootstrap_backend *backend, const void *what);

/* Every function returns 0, or an error that was logged. */

/* ret_bootstrap->local_pes belongs to the caller. */
int ash_bootstrap_start(struct ash_bootstrap *ret_bootstrap);

/* Publish this PE's record; visible to others after the fence. */
int ash_bootstrap_publish(const void *record, size_t nbytes);

/*
 * A fence: wait for all PEs and collect their records.  Returning 0 does not prove that all
 * came: launchers have reported success although PEs were missing.
 */
int ash_bootstrap_fence(void);

/* A PE's record, after the fence; the caller frees it.  Callable by any thread. */
int ash_bootstrap_get(uint32_t pe, void **ret_record, size_t *ret_nbytes);

void ash_bootstrap_stop(void);

/*
 * The PEs of this host as the launcher tells it, also before the start; 0 if it does not.  It opens
 * the connection that the start would.  Callable by any thread.
 */
ASH_PRIVATE uint32_t ash_bootstrap_n_local(void);

/* Make the launcher end the job, if it can; returns. */
void ash_bootstrap_abort(int status);

#endif
