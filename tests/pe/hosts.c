/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which PEs are on one host: those that give one name for it map each other's
 * heaps and are the node's team; all the others are reached all the same.
 */
#include <string.h>
#include <unistd.h>

#include "tests/support/pe.h"

#define NAME_MAX_BYTES 64u
/* More than one message, and more than one packet. */
#define BLOCK (UINT64_C(1) << 20)

struct place {
    char host[NAME_MAX_BYTES];
    /* The sender's number in the node's team. */
    int team_me, team_n;
};

static struct place *places;
static uint64_t *counter;
static unsigned char *block, *source;

/* Everybody tells everybody. */
static void tell(void)
{
    struct place mine = {.team_me = nvshmem_team_my_pe(NVSHMEMX_TEAM_NODE),
                         .team_n = nvshmem_team_n_pes(NVSHMEMX_TEAM_NODE)};
    PE_NEED(gethostname(mine.host, sizeof(mine.host) - 1) == 0);
    for (int pe = 0; pe < pe_n; pe++)
        nvshmem_putmem(&places[pe_me], &mine, sizeof(mine), pe);
    nvshmem_barrier_all();
}

static void compare(void)
{
    int here = 0, before = 0;
    for (int pe = 0; pe < pe_n; pe++) {
        bool same = strcmp(places[pe].host, places[pe_me].host) == 0;
        void *mapped = nvshmem_ptr(counter, pe);
        pe_step("PE %d on %s", pe, places[pe].host);
        PE_TRUE((mapped != NULL) == same);
        here += same;
        before += same && pe < pe_me;
        if (mapped != NULL) PE_EQUAL(*(uint64_t *)mapped, 0);
    }
    PE_EQUAL(places[pe_me].team_n, here);
    PE_EQUAL(places[pe_me].team_me, before);
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
    places = pe_alloc((size_t)pe_n * sizeof(*places));
    counter = pe_alloc(sizeof(*counter));
    block = pe_alloc(BLOCK);
    source = pe_alloc(BLOCK);
    tell();
    compare();
    reach();
    return pe_finish();
}
