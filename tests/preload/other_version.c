/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PMIx between PE 1 and the others, preloaded: what it publishes is what another
 * program would.  OTHER_VERSION says which: "protocol", that of an anyshmem of
 * another version; "magic", no anyshmem; "nothing", a program that publishes
 * nothing of the kind; "ucx", an anyshmem with another UCX.
 */
#include <dlfcn.h>
#include <pmix.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Where the record has its protocol, whatever the version. */
#define MAGIC_AT 0
#define PROTOCOL_AT 8

void ucp_get_version(unsigned *major, unsigned *minor, unsigned *release);

static const char *what_it_is(void)
{
    const char *rank = getenv("PMIX_RANK"), *what = getenv("OTHER_VERSION");
    return what != NULL && rank != NULL && strcmp(rank, "1") == 0 ? what : "";
}

void ucp_get_version(unsigned *major, unsigned *minor, unsigned *release)
{
    void (*next)(unsigned *, unsigned *, unsigned *);
    void *symbol = dlsym(RTLD_NEXT, "ucp_get_version");
    memcpy(&next, &symbol, sizeof(next));
    next(major, minor, release);
    if (strcmp(what_it_is(), "ucx") != 0) return;
    *major = 9;
    *minor = 99;
}

pmix_status_t PMIx_Put(pmix_scope_t scope, const char key[], pmix_value_t *value)
{
    pmix_status_t (*next)(pmix_scope_t, const char *, pmix_value_t *);
    const char *what = what_it_is();
    void *symbol = dlsym(RTLD_NEXT, "PMIx_Put");
    memcpy(&next, &symbol, sizeof(next));
    if (value->type == PMIX_BYTE_OBJECT) {
        if (strcmp(what, "nothing") == 0) return PMIX_SUCCESS;
        if (strcmp(what, "magic") == 0) value->data.bo.bytes[MAGIC_AT] ^= 64;
        if (strcmp(what, "protocol") == 0) value->data.bo.bytes[PROTOCOL_AT] ^= 64;
    }
    return next(scope, key, value);
}
