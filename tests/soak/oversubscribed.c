/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oversubscribed SECONDS: start, a barrier, pass a token round for so long, add up, end.
 *
 * For jobs of far more PEs than CPUs, which are oversubscribed; 0 seconds: one round.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/clock.h"
#include "tests/support/pe.h"

/* A token of this value is the last one. */
#define LAST UINT64_C(0x8000000000000000)

/* Returns how many rounds the token made. */
static uint64_t pass_token(uint64_t *token, double seconds)
{
    double end = now() + seconds;
    int next = (pe_me + 1) % pe_n;
    uint64_t round = 0, last = 0;
    while (last == 0) {
        round++;
        if (pe_me == 0) {
            last = now() < end ? 0 : LAST;
            nvshmemx_signal_op(token, round | last, NVSHMEM_SIGNAL_SET, next);
        }
        PE_EQUAL(nvshmem_signal_wait_until(token, NVSHMEM_CMP_GE, round) & ~LAST, round);
        if (pe_me != 0) {
            last = *token & LAST;
            nvshmemx_signal_op(token, round | last, NVSHMEM_SIGNAL_SET, next);
        }
    }
    return round;
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 0, begin;
    uint64_t *token, *sum, rounds;
    pe_start("oversubscribed");
    token = pe_alloc(sizeof(*token));
    sum = pe_alloc(sizeof(*sum));
    nvshmem_barrier_all();
    begin = now();
    rounds = pass_token(token, seconds);
    if (pe_me == 0)
        printf("oversubscribed: %.0f hops a second\n", (double)rounds * pe_n / (now() - begin));
    nvshmem_uint64_atomic_add(sum, rounds + (uint64_t)pe_me, 0);
    nvshmem_barrier_all();
    if (pe_me == 0)
        PE_EQUAL(*sum, rounds * (uint64_t)pe_n + (uint64_t)pe_n * (uint64_t)(pe_n - 1) / 2);
    return pe_finish();
}
