/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scale [PEERS]: what start and end of a job take, and what a PE uses: after the
 * start, after a barrier, and for each PE that it then writes to.
 *
 * PE 0 prints one line "scale: NAME VALUE ...", each value the largest of all PEs.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/clock.h"
#include "tests/support/pe.h"
#include "tests/support/usage.h"

#define VALUES(X)                                                                                 \
    X(init_us) X(init_kib) X(init_fds) X(threads) X(barrier_us) X(barrier_kib) X(barrier_fds)    \
    X(peers) X(peers_us) X(peers_kib) X(peers_fds)

enum {
#define X(NAME) AT_##NAME,
    VALUES(X)
#undef X
    N_VALUES
};

static int64_t now_us(void) { return (int64_t)now_ns() / 1000; }

/* Write to the next PEs, each for the first time but those that the barrier wrote to. */
static int64_t write_to(int n, int *words)
{
    for (int i = 1; i <= n; i++) nvshmem_int_p(&words[pe_me % 64], 1, (pe_me + i) % pe_n);
    nvshmem_quiet();
    return n;
}

static void print_largest(const int64_t *values)
{
    static const char *const names[] = {
#define X(NAME) #NAME,
        VALUES(X)
#undef X
    };
    int64_t *all = pe_alloc((size_t)pe_n * N_VALUES * sizeof(*all));
    nvshmem_int64_put(&all[pe_me * N_VALUES], values, N_VALUES, 0);
    nvshmem_barrier_all();
    if (pe_me != 0) return;
    printf("scale: pes %d", pe_n);
    for (int i = 0; i < N_VALUES; i++) {
        int64_t largest = 0;
        for (int pe = 0; pe < pe_n; pe++)
            if (all[pe * N_VALUES + i] > largest) largest = all[pe * N_VALUES + i];
        printf(" %s %lld", names[i], (long long)largest);
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 16, *words;
    int64_t values[N_VALUES] = {0}, begin;
    struct usage start, usage;
    pe_watch("scale");
    start = usage_now();
    begin = now_us();
    nvshmem_init();
    values[AT_init_us] = now_us() - begin;
    pe_started();
    usage = usage_now();
    values[AT_init_kib] = usage.kib - start.kib;
    values[AT_init_fds] = usage.n_fds - start.n_fds;
    values[AT_threads] = usage.n_threads;
    words = pe_alloc(64 * sizeof(*words));
    begin = now_us();
    nvshmem_barrier_all();
    values[AT_barrier_us] = now_us() - begin;
    usage = usage_now();
    values[AT_barrier_kib] = usage.kib - start.kib;
    values[AT_barrier_fds] = usage.n_fds - start.n_fds;
    begin = now_us();
    values[AT_peers] = write_to(n < pe_n ? n : pe_n - 1, words);
    values[AT_peers_us] = now_us() - begin;
    usage = usage_now();
    values[AT_peers_kib] = usage.kib - start.kib;
    values[AT_peers_fds] = usage.n_fds - start.n_fds;
    print_largest(values);
    return pe_finish();
}
