/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scale_pmix: the limit of `scale`: a start of PMIx alone.  Each process publishes
 * as much as a PE does, fences with the others, and reads what those of its node published.
 *
 * Process 0 prints one line "scale: NAME VALUE ...", as PE 0 of `scale` does.
 */
#include <pmix.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/clock.h"
#include "tests/support/pe.h"
#include "tests/support/usage.h"

/* About what a record takes, with UCX's address and key. */
#define RECORD 600

static int64_t now_us(void) { return (int64_t)now_ns() / 1000; }

static void publish(void)
{
    static char bytes[RECORD];
    pmix_value_t value;
    memset(bytes, 1, sizeof(bytes));
    PMIX_VALUE_CONSTRUCT(&value);
    value.type = PMIX_BYTE_OBJECT;
    value.data.bo.bytes = bytes;
    value.data.bo.size = sizeof(bytes);
    PE_NEED(PMIx_Put(PMIX_GLOBAL, "scale", &value) == PMIX_SUCCESS);
    PE_NEED(PMIx_Commit() == PMIX_SUCCESS);
}

static void fence(bool collect)
{
    pmix_info_t info;
    PMIX_INFO_LOAD(&info, PMIX_COLLECT_DATA, &collect, PMIX_BOOL);
    PE_NEED(PMIx_Fence(NULL, 0, &info, 1) == PMIX_SUCCESS);
}

static uint32_t read_all(const pmix_proc_t *me)
{
    pmix_value_t *value;
    pmix_proc_t other;
    uint32_t n;
    PMIX_PROC_LOAD(&other, me->nspace, PMIX_RANK_WILDCARD);
    PE_NEED(PMIx_Get(&other, PMIX_JOB_SIZE, NULL, 0, &value) == PMIX_SUCCESS);
    n = value->data.uint32;
    PMIX_VALUE_RELEASE(value);
    for (uint32_t i = 0; i < n; i++) {
        PMIX_PROC_LOAD(&other, me->nspace, i);
        PE_NEED(PMIx_Get(&other, "scale", NULL, 0, &value) == PMIX_SUCCESS);
        PMIX_VALUE_RELEASE(value);
    }
    return n;
}

int main(void)
{
    struct usage start = usage_now(), usage;
    int64_t began = now_us(), took;
    pmix_proc_t me;
    uint32_t n;
    pe_watch("scale_pmix");
    PE_NEED(PMIx_Init(&me, NULL, 0) == PMIX_SUCCESS);
    publish();
    fence(true);
    n = read_all(&me);
    took = now_us() - began;
    usage = usage_now();
    fence(false);
    if (me.rank == 0)
        printf("scale: pes %u init_us %lld init_kib %ld init_fds %d threads %d\n", n,
               (long long)took, usage.kib - start.kib, usage.n_fds - start.n_fds,
               usage.n_threads);
    return PMIx_Finalize(NULL, 0) == PMIX_SUCCESS ? 0 : 1;
}
