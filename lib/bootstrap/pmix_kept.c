/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An array by PE under a mutex: records are read at start and at the first contact with a PE, never
 * in a routine that is to be fast.
 */
#include "lib/bootstrap/pmix_kept.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"

static struct {
    pthread_mutex_t lock;
    uint32_t n_pes;
    struct kept_record {
        void *bytes;
        size_t nbytes;
    } *record;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* NULL if there is no memory; an empty record has an address, too. */
static void *copy_of(const void *record, size_t nbytes)
{
    void *copy = malloc(nbytes > 0 ? nbytes : 1);
    if (copy != NULL && nbytes > 0) memcpy(copy, record, nbytes);
    return copy;
}

int ash_pmix_kept_start(uint32_t n_pes)
{
    kept.record = calloc(n_pes, sizeof(*kept.record));
    if (kept.record == NULL) return ash_no_memory_for("the records of PEs");
    kept.n_pes = n_pes;
    return 0;
}

bool ash_pmix_keep(uint32_t pe, const void *record, size_t nbytes)
{
    struct kept_record copy = {copy_of(record, nbytes), nbytes};
    bool is_kept;
    (void)pthread_mutex_lock(&kept.lock);
    is_kept = copy.bytes != NULL && pe < kept.n_pes && kept.record[pe].bytes == NULL;
    if (is_kept) kept.record[pe] = copy;
    (void)pthread_mutex_unlock(&kept.lock);
    if (!is_kept) free(copy.bytes);
    return is_kept;
}

int ash_pmix_kept(uint32_t pe, void **ret_record, size_t *ret_nbytes)
{
    struct kept_record found = {NULL, 0};
    *ret_record = NULL;
    (void)pthread_mutex_lock(&kept.lock);
    if (pe < kept.n_pes) found = kept.record[pe];
    (void)pthread_mutex_unlock(&kept.lock);
    if (found.bytes == NULL) return 0;
    /* It stays where it is until the library's end. */
    *ret_record = copy_of(found.bytes, found.nbytes);
    *ret_nbytes = found.nbytes;
    return *ret_record != NULL ? 0 : ash_no_memory_for("the record of a PE");
}

void ash_pmix_kept_stop(void)
{
    for (uint32_t pe = 0; pe < kept.n_pes; pe++) free(kept.record[pe].bytes);
    free(kept.record);
    kept.record = NULL;
    kept.n_pes = 0;
}
