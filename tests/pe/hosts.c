/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which PEs are on one host: those that give one name for it map each other's
 * heaps and are the node's team; all the others are reached all the same.
 */
#include <string.h>

#include "tests/support/pe.h"

/* More than one message, and more than one packet. */
#define BLOCK (UINT64_C(1) << 20)

static uint64_t *counter;
static unsigned char *block, *source;

static void compare(void)
{
    int here = 0, before = 0;
    for (int pe = 0; pe < pe_n; pe++) {
        bool same = pe_same_host(pe, pe_me);
        void *mapped = nvshmem_ptr(counter, pe);
        pe_step("PE %d", pe);
        PE_EQUAL(mapped != NULL, same);
        if (mapped != NULL) PE_EQUAL(*(uint64_t *)mapped, 0);
        here += same;
        before += same && pe < pe_me;
    }
    PE_EQUAL(nvshmem_team_n_pes(NVSHMEMX_TEAM_NODE), here);
    PE_EQUAL(nvshmem_team_my_pe(NVSHMEMX_TEAM_NODE), before);
    nvshmem_barrier_all();
}

/* A block to each PE in turn, by put, read back by get; and a ticket of each. */
static void reach(void)
{
    uint64_t tickets = 0;
    for (int i = 0; i < pe_n; i++) {
        int to = (pe_me + i) % pe_n, from = (pe_me + pe_n - i) % pe_n;
        pe_step("block to PE %d", to);
        pe_fill(source, BLOCK, (uint64_t)pe_me * 1000 + (uint64_t)to);
        nvshmem_putmem(block, source, BLOCK, to);
        nvshmem_barrier_all();
        PE_FILLED(block, BLOCK, (uint64_t)from * 1000 + (uint64_t)pe_me);
        memset(source, 0, BLOCK);
        nvshmem_getmem(source, block, BLOCK, to);
        PE_FILLED(source, BLOCK, (uint64_t)pe_me * 1000 + (uint64_t)to);
        nvshmem_barrier_all();
        tickets |= UINT64_C(1) << nvshmem_uint64_atomic_fetch_inc(counter, to);
        nvshmem_barrier_all();
        PE_EQUAL(*counter, i + 1);
    }
    /* In each round everybody was the only one at another PE. */
    PE_EQUAL(tickets, (UINT64_C(1) << pe_n) - 1);
}

int main(void)
{
    pe_start("hosts");
    counter = pe_alloc(sizeof(*counter));
    block = pe_alloc(BLOCK);
    source = pe_alloc(BLOCK);
    pe_find_hosts();
    compare();
    reach();
    return pe_finish();
}
