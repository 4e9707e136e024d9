/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PMIx between PE 1 and the others, preloaded: what it publishes is what another
 * program would.  OTHER_VERSION says which: "protocol", that of an anyshmem of
 * another version; "magic", no anyshmem; "nothing", a program that publishes
 * nothing of the kind.
 */
#include <dlfcn.h>
#include <pmix.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Where the record has its protocol, whatever the version. */
#define MAGIC_AT 0
#define PROTOCOL_AT 8

pmix_status_t PMIx_Put(pmix_scope_t scope, const char key[], pmix_value_t *value)
{
    pmix_status_t (*next)(pmix_scope_t, const char *, pmix_value_t *);
    const char *rank = getenv("PMIX_RANK"), *what = getenv("OTHER_VERSION");
    void *symbol = dlsym(RTLD_NEXT, "PMIx_Put");
    memcpy(&next, &symbol, sizeof(next));
    if (what != NULL && rank != NULL && strcmp(rank, "1") == 0 &&
        value->type == PMIX_BYTE_OBJECT) {
        if (strcmp(what, "nothing") == 0) return PMIX_SUCCESS;
        value->data.bo.bytes[strcmp(what, "magic") == 0 ? MAGIC_AT : PROTOCOL_AT] ^= 64;
    }
    return next(scope, key, value);
}
