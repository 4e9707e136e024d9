/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM's atomics of one byte, which share a word of 4: all PEs, and threads of kernels,
 * change neighbouring bytes at the same time, and no change is lost.
 */
#include <anyshmem_kernel.h>
#include <ishmem.h>
#include <nvshmemx.h>
#include <string.h>

#include "tests/support/pe.h"

#define BYTES 7
#define ROUNDS 150
#define THREADS 4

/* Not aligned: bytes 1 to 7 of 8. */
static signed char *bytes;

/* Every byte of every PE once in each way: their sums and bits are the same in any order. */
static void change(int by, int round)
{
    int to = (by + round) % ishmem_n_pes(), at = (by + round) % BYTES;
    switch (round % 3) {
    case 0: ishmem_schar_atomic_inc(&bytes[at], to); break;
    case 1: ishmem_schar_atomic_add(&bytes[at], 5, to); break;
    case 2: (void)ishmem_schar_atomic_fetch_add(&bytes[at], -3, to); break;
    }
}

ANYSHMEM_KERNEL(kernel_changes)
{
    int by = *(int *)arg + (int)threadIdx.x;
    for (int round = 0; round < ROUNDS; round++) change(by, round);
}

/* What byte `at` of this PE must be after the changes of `n` threads with numbers from 0. */
static signed char model(int at, int n)
{
    unsigned sum = 0;
    for (int by = 0; by < n; by++)
        for (int round = 0; round < ROUNDS; round++)
            if ((by + round) % pe_n == pe_me && (by + round) % BYTES == at)
                sum += round % 3 == 0 ? 1u : round % 3 == 1 ? 5u : (unsigned)-3;
    return (signed char)sum;
}

static void check(int n)
{
    ishmem_barrier_all();
    PE_EQUAL(bytes[-1], 0x77);
    for (int at = 0; at < BYTES; at++) PE_EQUAL(bytes[at], model(at, n));
    ishmem_barrier_all();
    memset(bytes, 0, BYTES);
    ishmem_barrier_all();
}

/* Each PE has a bit of its own in each byte. */
static void bits(void)
{
    signed char mine = (signed char)(1 << pe_me % 8), all = 0;
    for (int pe = 0; pe < pe_n; pe++) all = (signed char)(all | 1 << pe % 8);
    for (int at = 0; at < BYTES; at++)
        for (int i = 0; i < pe_n; i++)
            ishmem_schar_atomic_or(&bytes[at], mine, (pe_me + i) % pe_n);
    ishmem_barrier_all();
    for (int at = 0; at < BYTES; at++) PE_EQUAL(bytes[at], all);
    ishmem_barrier_all();
    for (int at = 0; at < BYTES; at++)
        for (int i = 0; i < pe_n; i++)
            PE_TRUE(ishmem_schar_atomic_fetch_and(&bytes[at], (signed char)~mine,
                                                  (pe_me + i) % pe_n) & mine);
    ishmem_barrier_all();
    for (int at = 0; at < BYTES; at++) PE_EQUAL(bytes[at], 0);
    ishmem_barrier_all();
}

int main(void)
{
    int first;
    void *arg = &first, *args[] = {&arg};
    dim3 grid = {1, 1, 1}, block = {THREADS, 1, 1};
    pe_start("ishmem_byte");
    PE_NEED(pe_n <= 8);
    bytes = (signed char *)pe_alloc(8) + 1;
    memset(bytes - 1, 0, 8);
    bytes[-1] = 0x77;
    ishmem_barrier_all();
    pe_step("by host threads");
    for (int round = 0; round < ROUNDS; round++) change(pe_me, round);
    check(pe_n);
    pe_step("by kernels");
    first = pe_me * THREADS;
    PE_EQUAL(nvshmemx_collective_launch((const void *)kernel_changes, grid, block, args, 0, 0), 0);
    PE_EQUAL(anyshmemx_stream_synchronize(NULL), 0);
    check(pe_n * THREADS);
    pe_step("bits");
    bits();
    return pe_finish();
}
