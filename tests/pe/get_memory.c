/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All PEs request much from PE 0 at once, more than it can send at a time: PE 0, which only
 * waits, needs no more memory than docs/performance.md says.
 */
#include <stdlib.h>
#include <sys/resource.h>

#include "tests/support/pe.h"

/* docs/performance.md: for all PEs together. */
#define LIMIT_KB (16L << 10)

static const struct {
    size_t nbytes;
    unsigned count;
} loads[] = {{32768, 2500}, {9000, 4000}, {8192, 4000}, {64, 20000}};

static long peak_kb(void)
{
    struct rusage usage;
    PE_NEED(getrusage(RUSAGE_SELF, &usage) == 0);
    return usage.ru_maxrss;
}

static void request_all(unsigned char *local, const unsigned char *bytes, uint64_t *word)
{
    for (size_t i = 0; i < PE_COUNT(loads); i++) {
        for (unsigned n = 0; n < loads[i].count; n++)
            nvshmem_getmem_nbi(local, bytes, loads[i].nbytes, 0);
        nvshmem_quiet();
        PE_FILLED(local, loads[i].nbytes, 1);
    }
    /* Over TCP a PE replies to these, too. */
    for (unsigned n = 0; n < loads[0].count; n++) nvshmem_uint64_atomic_add(word, 1, 0);
    nvshmem_quiet();
}

int main(void)
{
    unsigned char *bytes, *local = malloc(loads[0].nbytes);
    uint64_t *word;
    long before;
    setenv("NVSHMEM_SYMMETRIC_SIZE", "16M", 0);
    pe_start("get_memory");
    PE_NEED(local != NULL);
    bytes = pe_alloc(loads[0].nbytes);
    word = pe_alloc(sizeof(*word));
    pe_fill(bytes, loads[0].nbytes, 1);
    nvshmem_barrier_all();
    /* Connect first: a connection has memory of its own. */
    nvshmem_getmem(local, bytes, loads[0].nbytes, 0);
    nvshmem_barrier_all();
    before = peak_kb();
    if (pe_me != 0) request_all(local, bytes, word);
    nvshmem_barrier_all();
    PE_EQUAL(*word, pe_me == 0 ? (uint64_t)(pe_n - 1) * loads[0].count : 0);
    pe_step("from %ld kB to %ld kB", before, peak_kb());
    if (pe_me == 0) PE_TRUE(peak_kb() - before <= LIMIT_KB);
    nvshmem_free(word);
    nvshmem_free(bytes);
    free(local);
    return pe_finish();
}
