/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nvshmemx_init_attr and the routines that make its attributes: checks them, chooses the
 * bootstrap backend that the flags name, and starts the library with it.
 */
#include "lib/start/init_attr.h"

#include <nvshmemx.h>

#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/log.h"
#include "lib/bootstrap/uid.h"
#include "lib/start/limits.h"

static int invalid(const char *function, const char *text)
{
    ash_log(ASH_LOG_ERROR, "%s: %s", function, text);
    return NVSHMEMX_ERROR_INVALID_VALUE;
}

int nvshmemx_get_uniqueid(nvshmemx_uniqueid_t *uniqueid)
{
    if (uniqueid == NULL) return invalid("nvshmemx_get_uniqueid", "uniqueid is NULL");
    if (ash_library_state == ASH_LIBRARY_STARTED)
        return invalid("nvshmemx_get_uniqueid", "the library is started");
    ash_standard_files_fill();
    if (ash_env_load() != 0) return NVSHMEMX_ERROR_INTERNAL;
    return ash_uid_make(uniqueid) == 0 ? 0 : NVSHMEMX_ERROR_INTERNAL;
}

int nvshmemx_set_attr_uniqueid_args(const int myrank, const int nranks,
                                    const nvshmemx_uniqueid_t *uniqueid,
                                    nvshmemx_init_attr_t *attr)
{
    static const char function[] = "nvshmemx_set_attr_uniqueid_args";
    static const nvshmemx_init_attr_t fresh = NVSHMEMX_INIT_ATTR_INITIALIZER;
    if (attr == NULL || uniqueid == NULL) return invalid(function, "uniqueid or attr is NULL");
    if (nranks < 1 || myrank < 0 || myrank >= nranks)
        return invalid(function, "myrank is not one of 0..nranks-1");
    *attr = fresh;
    attr->args.uid_args.id = (nvshmemx_uniqueid_t *)(uintptr_t)uniqueid;
    attr->args.uid_args.myrank = myrank;
    attr->args.uid_args.nranks = nranks;
    return 0;
}

int nvshmemx_set_attr_mpi_comm_args(void *mpi_comm, nvshmemx_init_attr_t *attr)
{
    static const nvshmemx_init_attr_t fresh = NVSHMEMX_INIT_ATTR_INITIALIZER;
    if (attr == NULL) return invalid("nvshmemx_set_attr_mpi_comm_args", "attr is NULL");
    *attr = fresh;
    attr->mpi_comm = mpi_comm;
    return 0;
}

/* 0, or the error that nvshmemx_init_attr returns. */
static int check_uniqueid(const nvshmemx_init_attr_t *attributes)
{
    const nvshmemx_uniqueid_args_t *args = attributes != NULL ? &attributes->args.uid_args : NULL;
    if (args == NULL || args->id == NULL)
        return invalid("nvshmemx_init_attr", "NVSHMEMX_INIT_WITH_UNIQUEID needs attributes of "
                                             "nvshmemx_set_attr_uniqueid_args");
    if (args->nranks < 1 || args->myrank < 0 || args->myrank >= args->nranks)
        return invalid("nvshmemx_init_attr", "myrank is not one of 0..nranks-1");
    if (!ash_uid_is_one(args->id))
        return invalid("nvshmemx_init_attr", "the unique id was not made by "
                                             "nvshmemx_get_uniqueid of this library");
    return 0;
}

/* The GPU that the attributes name, or -1.  Old programs leave the members unset. */
static int device_of(const nvshmemx_init_attr_t *attributes, unsigned flags)
{
    static const nvshmemx_init_attr_t fresh = NVSHMEMX_INIT_ATTR_INITIALIZER;
    if (flags == 0 || attributes == NULL || attributes->version != fresh.version ||
        attributes->args.version != fresh.args.version || attributes->args.cuda_device_id < 0)
        return -1;
    return attributes->args.cuda_device_id;
}

int nvshmemx_init_attr(unsigned int flags, nvshmemx_init_attr_t *attributes)
{
    const struct ash_bootstrap_backend *backend = &ash_bootstrap_pmix;
    const void *what = NULL;
    int rc = 0;
    switch (flags) {
    case 0:
    case NVSHMEMX_INIT_WITH_SHMEM: break;
    case NVSHMEMX_INIT_WITH_UNIQUEID:
        backend = &ash_bootstrap_uid;
        /* A second user shares the running library, whatever its attributes are. */
        if (ash_library_state == ASH_LIBRARY_STARTED) break;
        rc = check_uniqueid(attributes);
        if (rc == 0) what = &attributes->args.uid_args;
        break;
    case NVSHMEMX_INIT_WITH_MPI_COMM:
        backend = &ash_bootstrap_mpi;
        if (attributes != NULL) what = attributes->mpi_comm;
        break;
    default:
        ash_log(ASH_LOG_ERROR, "nvshmemx_init_attr: flags 0x%x are not supported, only one of "
                               "NVSHMEMX_INIT_WITH_MPI_COMM, _SHMEM and _UNIQUEID, or 0", flags);
        return NVSHMEMX_ERROR_NOT_SUPPORTED;
    }
    if (rc != 0) return rc;
    if (ash_start(backend, what, device_of(attributes, flags)) != 0) return NVSHMEMX_ERROR_INTERNAL;
    return 0;
}
