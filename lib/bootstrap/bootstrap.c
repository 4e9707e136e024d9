/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls the chosen backend, checks its list of this node's PEs, and registers its fences as
 * waits, so that reports show them.
 */
#include "lib/bootstrap/bootstrap.h"

#include <stdlib.h>

#include "device/hostdev/wait_table.h"
#include "lib/base/cause.h"
#include "lib/base/error.h"
#include "lib/base/family.h"
#include "lib/base/log.h"

static const struct ash_bootstrap_backend *backend = &ash_bootstrap_pmix;

void ash_bootstrap_choose(const struct ash_bootstrap_backend *chosen, const void *what)
{
    backend = chosen;
    if (backend->use != NULL) backend->use(what);
}

bool ash_bootstrap_is_local(const struct ash_bootstrap *b, uint32_t pe)
{
    for (uint32_t i = 0; i < b->n_local; i++)
        if (b->local_pes[i] == pe) return true;
    return false;
}

/* A launcher's list may be wrong, for example if several hosts have the same name. */
static int check_node(const struct ash_bootstrap *b)
{
    if (ash_bootstrap_is_local(b, b->pe)) return 0;
    ash_log(ASH_LOG_ERROR, "%s says that PE %u is on a host without it: do all hosts have names of "
                           "their own?", backend->name, b->pe);
    return ASH_ERROR_BOOTSTRAP;
}

int ash_bootstrap_start(struct ash_bootstrap *ret_bootstrap)
{
    int rc;
    ret_bootstrap->local_pes = NULL;
    rc = backend->start(ret_bootstrap);
    if (rc == 0) {
        rc = check_node(ret_bootstrap);
        if (rc == 0) return 0;
        backend->stop();
    }
    free(ret_bootstrap->local_pes);
    ret_bootstrap->local_pes = NULL;
    return rc;
}

int ash_bootstrap_publish(const void *record, size_t nbytes)
{
    return backend->publish(record, nbytes);
}

int ash_bootstrap_fence(void)
{
    bool started = ash_library_state == ASH_LIBRARY_STARTED;
    const char *function = ash_family_name(started ? "nvshmem_finalize" : "nvshmem_init");
    uint32_t wait = ash_hostdev_register_call(function, "the other PEs, as the launcher tells it");
    int rc = backend->fence();
    ash_hostdev_wait_unregister(wait);
    return rc;
}

int ash_bootstrap_get(uint32_t pe, void **ret_record, size_t *ret_nbytes)
{
    return backend->get(pe, ret_record, ret_nbytes);
}

void ash_bootstrap_stop(void)
{
    backend->stop();
}

void ash_bootstrap_abort(int status)
{
    backend->abort(status);
}
