/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who are we, and how do PEs tell each other where they are.  Three backends behind
 * one table: PMIx (or a job of one PE where there is no launcher), a unique id
 * that the program carries, an MPI communicator.
 */
#ifndef ASH_LIB_BOOTSTRAP_BOOTSTRAP_H
#define ASH_LIB_BOOTSTRAP_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ash_bootstrap {
    uint32_t pe;
    uint32_t n_pes;
    /* PEs on this host, in ascending order, with this one. */
    uint32_t *local_pes;
    uint32_t n_local;
};

/* Is that PE on this host? */
bool ash_bootstrap_is_local(const struct ash_bootstrap *bootstrap, uint32_t pe);

/* A backend; its functions are those below. */
struct ash_bootstrap_backend {
    const char *name;
    /* Of what the next start is made: nvshmemx_uniqueid_args_t; an MPI_Comm, NULL for that of
     * all; of PMIx nothing, and no function. */
    void (*use)(const void *what);
    int (*start)(struct ash_bootstrap *ret_bootstrap);
    int (*publish)(const void *record, size_t nbytes);
    int (*fence)(void);
    int (*get)(uint32_t pe, void **ret_record, size_t *ret_nbytes);
    void (*stop)(void);
    void (*abort)(int status);
};
extern const struct ash_bootstrap_backend ash_bootstrap_pmix, ash_bootstrap_uid, ash_bootstrap_mpi;

/* Which backend the next start uses, and what that uses; PMIx unless this was called. */
void ash_bootstrap_choose(const struct ash_bootstrap_backend *backend, const void *what);

/* Every function returns 0, or an error that was logged. */

/* ret_bootstrap->local_pes belongs to the caller. */
int ash_bootstrap_start(struct ash_bootstrap *ret_bootstrap);

/* Publish this PE's record; visible to others after the fence. */
int ash_bootstrap_publish(const void *record, size_t nbytes);

/*
 * A fence: wait for all PEs and bring their records.  That it returns 0 proves nothing:
 * launchers report success to PEs for which not all others came.
 */
int ash_bootstrap_fence(void);

/* A PE's record, after the fence; the caller frees it.  Callable by any thread. */
int ash_bootstrap_get(uint32_t pe, void **ret_record, size_t *ret_nbytes);

void ash_bootstrap_stop(void);

/* End the job as far as the launcher can; returns. */
void ash_bootstrap_abort(int status);

#endif
