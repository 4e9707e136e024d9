/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start, work, end, and start again in the same process, several times.
 */
#include <nvshmemx.h>
#include <stdio.h>

#include "tests/support/pe.h"

#define LIVES 4u

static void one_life(unsigned life)
{
    uint64_t *word;
    int provided;
    pe_step("life %u: init", life);
    if (!PE_EQUAL(nvshmem_init_thread(NVSHMEM_THREAD_MULTIPLE, &provided), 0))
        pe_stop(__FILE__, __LINE__, "init again");
    pe_started();
    pe_step("life %u", life);
    word = pe_alloc(64);
    PE_EQUAL(*word, 0);
    nvshmem_barrier_all();
    for (int pe = 0; pe < pe_n; pe++) {
        nvshmem_uint64_atomic_add(word, life + 1, pe);
        nvshmem_uint64_p(&word[1], life + 1, (pe_me + 1) % pe_n);
    }
    nvshmem_barrier_all();
    PE_EQUAL(*word, (life + 1) * (unsigned)pe_n);
    PE_EQUAL(word[1], life + 1);
    nvshmem_barrier_all();
    /* Every other life ends with memory that was not given back. */
    if (life % 2) nvshmem_free(word);
    pe_step("life %u: finalize", life);
    nvshmem_finalize();
    PE_EQUAL(nvshmemx_init_status(), NVSHMEM_STATUS_NOT_INITIALIZED);
}

int main(void)
{
    pe_watch("again");
    for (unsigned life = 0; life < LIVES; life++) one_life(life);
    return pe_verdict();
}
