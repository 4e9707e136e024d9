/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ids that this process has made: each has a listening port until it is used.
 */
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/log.h"
#include "lib/bootstrap/uid.h"

/* The most ids that were made and not used; one more replaces the oldest. */
#define PENDING 16u

static struct {
    struct pending {
        struct ash_uid uid;
        int listener;
        /* The process that made the id; 0: this entry is free. */
        pid_t made_by;
    } pending[PENDING];
    unsigned n_made;
} ids;

_Static_assert(sizeof(struct ash_uid) <= sizeof(((nvshmemx_uniqueid_t *)NULL)->internal),
               "it fits into the id");

int ash_uid_make(nvshmemx_uniqueid_t *ret_id)
{
    struct pending *p = &ids.pending[ids.n_made % PENDING];
    static const nvshmemx_uniqueid_t fresh = NVSHMEMX_UNIQUEID_INITIALIZER;
    struct ash_uid uid = {.magic = ASH_UID_MAGIC};
    int listener, rc;
    if (getrandom(uid.key, sizeof(uid.key), 0) != (ssize_t)sizeof(uid.key)) {
        ash_log(ASH_LOG_ERROR, "unique id: cannot get random numbers for its key: %m");
        return ASH_ERROR_SYSTEM;
    }
    rc = ash_uid_listen(&uid, &listener);
    if (rc != 0) return rc;
    if (p->made_by == getpid()) close(p->listener);
    *p = (struct pending){uid, listener, getpid()};
    ids.n_made++;
    *ret_id = fresh;
    memcpy(ret_id->internal, &uid, sizeof(uid));
    return 0;
}

int ash_uid_take_listener(const struct ash_uid *uid)
{
    int listener = -1;
    for (unsigned i = 0; i < PENDING; i++) {
        struct pending *p = &ids.pending[i];
        if (p->made_by != getpid()) continue;
        if (memcmp(&p->uid, uid, sizeof(*uid)) == 0)
            listener = p->listener;
        else
            close(p->listener);
        p->made_by = 0;
    }
    return listener;
}
