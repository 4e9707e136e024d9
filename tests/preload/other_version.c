/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes PE 1 look like another program: preloaded, it changes what PE 1 publishes by PMIx.
 * OTHER_VERSION says which program: "protocol", an anyshmem of another version; "magic", not
 * an anyshmem; "nothing", a program that publishes no record; "ucx", an anyshmem with another
 * UCX.  With "unanswered" PE 1 is unchanged, but the other PEs' server, as if it were too busy,
 * never replies to a request for its record.  With "silent" no server replies to a PE that starts.
 */
#include <dlfcn.h>
#include <pmix.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Offsets in the record of the magic number and the protocol, the same in all versions. */
#define MAGIC_AT 0
#define PROTOCOL_AT 8

void ucp_get_version(unsigned *major, unsigned *minor, unsigned *release);

static const char *what_it_is(void)
{
    const char *rank = getenv("PMIX_RANK"), *what = getenv("OTHER_VERSION");
    return what != NULL && rank != NULL && strcmp(rank, "1") == 0 ? what : "";
}

static bool is_unanswered(const pmix_proc_t *process)
{
    const char *what = getenv("OTHER_VERSION");
    return what != NULL && strcmp(what, "unanswered") == 0 && what_it_is()[0] == 0 &&
           process->rank == 1;
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

pmix_status_t PMIx_Init(pmix_proc_t *process, pmix_info_t info[], size_t n_info)
{
    pmix_status_t (*next)(pmix_proc_t *, pmix_info_t *, size_t);
    const char *what = getenv("OTHER_VERSION");
    void *symbol = dlsym(RTLD_NEXT, "PMIx_Init");
    memcpy(&next, &symbol, sizeof(next));
    while (what != NULL && strcmp(what, "silent") == 0) pause();
    return next(process, info, n_info);
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

pmix_status_t PMIx_Get_nb(const pmix_proc_t *process, const char key[], const pmix_info_t info[],
                          size_t n_info, pmix_value_cbfunc_t on_answer, void *argument)
{
    pmix_status_t (*next)(const pmix_proc_t *, const char *, const pmix_info_t *, size_t,
                          pmix_value_cbfunc_t, void *);
    void *symbol = dlsym(RTLD_NEXT, "PMIx_Get_nb");
    memcpy(&next, &symbol, sizeof(next));
    if (is_unanswered(process)) return PMIX_SUCCESS;
    return next(process, key, info, n_info, on_answer, argument);
}
