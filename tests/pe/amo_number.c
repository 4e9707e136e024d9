/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of floating-point numbers by all PEs at once, to a variable of each PE: no addition is lost,
 * and no two of the additions that fetch get the same sum.  Halves, floats and doubles lie side by
 * side, so that a sum which touches its neighbour is found.
 */
#include <anyshmem_kernel.h>
#include <nvshmemx.h>

#include "tests/support/pe.h"

/* Of each PE and device thread to each PE; all of them at most 2048, to which halves count. */
#define ADDS 16u
#define THREADS 4u

struct numbers {
    nvshmem_half_t half[4];
    float single[4];
    double wide[4];
};

/* Bits of whole numbers below 2048. */
static nvshmem_half_t half_of(unsigned n)
{
    unsigned exponent = 0;
    nvshmem_half_t half = {0};
    if (n == 0) return half;
    while (n >> (exponent + 1) != 0) exponent++;
    half.bits = (uint16_t)((exponent + 15) << 10 | ((n << 10 >> exponent) & 1023u));
    return half;
}

static unsigned number_of(nvshmem_half_t half)
{
    uint64_t fraction = 1024u | (half.bits & 1023u);
    return half.bits == 0 ? 0 : (unsigned)(fraction << (half.bits >> 10) >> 25);
}

/* Half of the calls fetch; what they fetch grows, because nobody subtracts. */
static void add_to(struct numbers *numbers, int pe)
{
    unsigned last[3] = {0, 0, 0};
    for (unsigned i = 0; i < ADDS / 2; i++) {
        unsigned old[3] = {
            number_of(nvshmemx_half_atomic_fetch_add(&numbers->half[1], half_of(1), pe)) + 1,
            (unsigned)nvshmemx_float_atomic_fetch_add(&numbers->single[1], 1, pe) + 1,
            (unsigned)nvshmemx_double_atomic_fetch_add(&numbers->wide[1], 1, pe) + 1};
        for (unsigned k = 0; k < 3; k++) {
            PE_TRUE(old[k] > last[k]);
            last[k] = old[k];
        }
        nvshmemx_half_atomic_add(&numbers->half[1], half_of(1), pe);
        nvshmemx_float_atomic_add(&numbers->single[1], 1, pe);
        nvshmemx_double_atomic_add(&numbers->wide[1], 1, pe);
    }
}

ANYSHMEM_KERNEL(add_in_kernel)
{
    for (int i = 0; i < pe_n; i++) add_to((struct numbers *)arg, (pe_me + i) % pe_n);
    nvshmem_quiet();
}

static void check(const struct numbers *numbers, unsigned sum)
{
    for (unsigned i = 0; i < 4; i++) {
        unsigned want = i == 1 ? sum : 0;
        PE_EQUAL(number_of(numbers->half[i]), want);
        PE_EQUAL(numbers->single[i], want);
        PE_EQUAL(numbers->wide[i], want);
    }
}

/* What moves a half keeps its bits and its neighbours. */
static void move(struct numbers *numbers)
{
    nvshmem_half_t nan = {0x7dad}, other = {0x8001}, old;
    int to = (pe_me + 1) % pe_n;
    nvshmem_half_atomic_set(&numbers->half[2], nan, to);
    nvshmem_quiet();
    old = nvshmem_half_atomic_swap(&numbers->half[2], other, to);
    PE_EQUAL(old.bits, 0x7dad);
    old = nvshmem_half_atomic_fetch(&numbers->half[2], to);
    PE_EQUAL(old.bits, 0x8001);
    nvshmem_barrier_all();
    PE_EQUAL(numbers->half[2].bits, 0x8001);
    PE_EQUAL(number_of(numbers->half[1]), ADDS * THREADS * (unsigned)pe_n);
    PE_EQUAL(numbers->half[3].bits, 0);
    nvshmem_barrier_all();
}

int main(void)
{
    struct numbers *numbers;
    void *arg, *args[] = {&arg};
    dim3 grid = {1, 1, 1}, block = {THREADS, 1, 1};
    pe_start("amo_number");
    numbers = pe_alloc(sizeof(*numbers));
    arg = numbers;
    pe_step("sums by all threads of all PEs");
    PE_EQUAL(nvshmemx_collective_launch((const void *)add_in_kernel, grid, block, args, 0, 0), 0);
    nvshmem_barrier_all();
    check(numbers, ADDS * THREADS * (unsigned)pe_n);
    nvshmem_barrier_all();
    pe_step("halves that are moved");
    move(numbers);
    nvshmem_free(numbers);
    return pe_finish();
}
