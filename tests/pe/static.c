/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Static variables are symmetric in a program that starts with shmem_init: put, get, p, g, strided
 * copies, atomics, signals, waits and collectives of .data, .bss, a variable inside of a function
 * and one of a shared library.  What is constant or thread-local is not.
 */
#include <nvshmem.h>
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

#include "tests/pe/static_library.h"
#include "tests/support/pe.h"

#define MOST_PES 16
#define LARGE 40000u

static int initialized = 5;
static long numbers[64] = {1, 2, 3};
static struct {
    char name[16];
    double value;
} record = {"record", 2.5};
static uint64_t zeros[64];
static unsigned char large[LARGE], large_source[LARGE];
static const int constant = 7;
static __thread int of_thread = 8;

/* Neighbours. */
static int to, from;
/* In a shared library. */
static long *of_library;

static long *inside(void)
{
    static long variable = 11;
    return &variable;
}

static void values(void)
{
    pe_step("values from before the start");
    PE_EQUAL(initialized, 5);
    PE_EQUAL(numbers[0], 1);
    PE_EQUAL(numbers[2], 3);
    PE_EQUAL(numbers[63], 0);
    PE_TRUE(strcmp(record.name, "record") == 0 && record.value == 2.5);
    PE_EQUAL(zeros[63], 0);
    PE_EQUAL(*inside(), 11);
    PE_EQUAL(of_library[1], 2);
    PE_EQUAL(of_library[99], 0);
    PE_EQUAL(static_library_pes(), pe_n);
}

static void who(void)
{
    long on_stack = 0;
    void *allocated = malloc(8);
    pe_step("which are symmetric");
    for (int pe = 0; pe < pe_n; pe++) {
        PE_EQUAL(shmem_addr_accessible(&initialized, pe), 1);
        PE_EQUAL(shmem_addr_accessible(&zeros[63], pe), 1);
        PE_EQUAL(shmem_addr_accessible(inside(), pe), 1);
        PE_EQUAL(shmem_addr_accessible(of_library, pe), 1);
        PE_EQUAL(shmem_addr_accessible(&constant, pe), 0);
        PE_EQUAL(shmem_addr_accessible(&of_thread, pe), 0);
        PE_EQUAL(shmem_addr_accessible(&on_stack, pe), 0);
        PE_EQUAL(shmem_addr_accessible(allocated, pe), 0);
        PE_EQUAL(shmem_addr_accessible((const void *)(uintptr_t)who, pe), 0);
        PE_TRUE(shmem_ptr(&constant, pe) == NULL);
        PE_TRUE(shmem_ptr(&of_thread, pe) == NULL);
        if (shmem_ptr(large, pe) == NULL) continue;
        PE_TRUE((shmem_ptr(large, pe) == large) == (pe == pe_me));
    }
    free(allocated);
    shmem_barrier_all();
    *inside() = 100 + pe_me;
    shmem_barrier_all();
    if (shmem_ptr(inside(), to) != NULL) PE_EQUAL(*(long *)shmem_ptr(inside(), to), 100 + to);
    shmem_barrier_all();
}

/* One element at a time. */
static void elements(void)
{
    char *unaligned = (char *)numbers + 3;
    int odd;
    pe_step("p and g");
    shmem_int_p(&initialized, 10 + pe_me, to);
    shmem_long_p(inside(), 20 + pe_me, to);
    shmem_double_p(&record.value, pe_me + 0.5, to);
    shmem_long_p(&of_library[50], 30 + pe_me, to);
    shmem_barrier_all();
    PE_EQUAL(initialized, 10 + from);
    PE_EQUAL(*inside(), 20 + from);
    PE_TRUE(record.value == from + 0.5);
    PE_EQUAL(of_library[50], 30 + from);
    PE_EQUAL(shmem_int_g(&initialized, to), 10 + pe_me);
    PE_EQUAL(shmem_long_g(&of_library[50], to), 30 + pe_me);
    PE_EQUAL(shmem_long_g(&of_library[50], pe_me), 30 + from);
    shmem_barrier_all();
    nvshmem_int_p((int *)(void *)unaligned, 77 + pe_me, to);
    shmem_barrier_all();
    memcpy(&odd, unaligned, sizeof(odd));
    PE_EQUAL(odd, 77 + from);
    PE_EQUAL(nvshmem_int_g((const int *)(const void *)unaligned, to), 77 + pe_me);
    shmem_barrier_all();
}

static void copies(void)
{
    static const size_t sizes[] = {1, 8, 48, 49, 1000, 20000, LARGE};
    pe_step("put and get");
    for (unsigned i = 0; i < PE_COUNT(sizes); i++) {
        unsigned char *got = malloc(LARGE);
        PE_NEED(got != NULL);
        pe_fill(large_source, LARGE, (uint64_t)pe_me * 100 + i);
        shmem_putmem(large, large_source, sizes[i], to);
        shmem_barrier_all();
        PE_FILLED(large, sizes[i], (uint64_t)from * 100 + i);
        shmem_getmem(got, large_source, sizes[i], to);
        PE_FILLED(got, sizes[i], (uint64_t)to * 100 + i);
        shmem_getmem_nbi(got, large, sizes[i], to);
        shmem_quiet();
        PE_FILLED(got, sizes[i], (uint64_t)pe_me * 100 + i);
        free(got);
        shmem_barrier_all();
    }
    shmem_long_put(of_library, (long[]){pe_me, pe_me + 1}, 2, to);
    shmem_barrier_all();
    PE_EQUAL(of_library[1], from + 1);
    shmem_barrier_all();
}

static void strided(void)
{
    const uint64_t source[] = {1, 2, 3, 4, 5, 6};
    uint64_t got[3] = {0, 0, 0};
    pe_step("strided");
    memset(zeros, 0, sizeof(zeros));
    shmem_barrier_all();
    nvshmem_uint64_iput(&zeros[1], source, 3, 2, 3, to);
    shmem_barrier_all();
    PE_EQUAL(zeros[1], 1);
    PE_EQUAL(zeros[4], 3);
    PE_EQUAL(zeros[7], 5);
    PE_EQUAL(zeros[2], 0);
    nvshmem_uint64_iget(got, &zeros[7], 1, -3, 3, to);
    PE_EQUAL(got[0] * 100 + got[1] * 10 + got[2], 531);
    shmem_barrier_all();
}

/* A put of a PE to itself may overlap. */
static void to_itself(void)
{
    pe_step("to itself");
    for (unsigned i = 0; i < PE_COUNT(zeros); i++) zeros[i] = i;
    shmem_uint64_put(&zeros[1], &zeros[0], 40, pe_me);
    shmem_quiet();
    for (unsigned i = 1; i <= 40 && shmem_ptr(zeros, pe_me) != NULL; i++)
        PE_EQUAL(zeros[i], i - 1);
    shmem_uint64_get(&zeros[50], &zeros[0], 1, pe_me);
    PE_EQUAL(zeros[50], 0);
    PE_EQUAL(shmem_uint64_atomic_fetch_add(&zeros[50], 3, pe_me), 0);
    PE_EQUAL(shmem_uint64_g(&zeros[50], pe_me), 3);
    /* Fences order them with what goes another way. */
    shmem_uint64_atomic_set(&zeros[50], 4, pe_me);
    shmem_fence();
    shmem_uint64_put(&zeros[50], &(uint64_t){5}, 1, pe_me);
    shmem_quiet();
    PE_EQUAL(zeros[50], 5);
    shmem_barrier_all();
}

static void atomics(void)
{
    int last = pe_n - 1, sum = 0;
    pe_step("atomics");
    initialized = 0;
    memset(zeros, 0, sizeof(zeros));
    of_library[3] = 0;
    shmem_barrier_all();
    for (int pe = 0; pe < pe_n; pe++) {
        shmem_int_atomic_add(&initialized, pe_me + 1, pe);
        (void)shmem_uint64_atomic_fetch_add(&zeros[0], 1, pe);
        shmem_uint64_atomic_or(&zeros[1], UINT64_C(1) << pe_me, pe);
        (void)shmem_uint64_atomic_fetch_xor(&zeros[2], UINT64_C(1) << pe_me, pe);
        shmem_long_atomic_inc(&of_library[3], pe);
        sum += pe + 1;
    }
    shmem_barrier_all();
    PE_EQUAL(initialized, sum);
    PE_EQUAL(zeros[0], pe_n);
    PE_EQUAL(zeros[1], (UINT64_C(1) << pe_n) - 1);
    PE_EQUAL(zeros[2], zeros[1]);
    PE_EQUAL(of_library[3], pe_n);
    PE_EQUAL(shmem_long_atomic_fetch(&of_library[3], last), pe_n);
    PE_EQUAL(shmem_int_atomic_fetch(&initialized, last), sum);
    shmem_barrier_all();
    if (pe_me == 0) {
        PE_EQUAL(shmem_uint64_atomic_swap(&zeros[3], 9, last), 0);
        PE_EQUAL(shmem_uint64_atomic_compare_swap(&zeros[3], 9, 10, last), 9);
        PE_EQUAL(shmem_uint64_atomic_fetch(&zeros[3], last), 10);
    }
    shmem_barrier_all();
    PE_EQUAL(zeros[3], pe_me == last ? 10 : 0);
}

static void signals(void)
{
    static uint64_t signal;
    pe_step("signals and waits");
    for (uint64_t turn = 1; turn <= 20; turn++) {
        const uint64_t words[2] = {turn * 10 + (uint64_t)pe_me, turn};
        size_t n = turn % 2 + 1;
        shmem_uint64_put_signal(&zeros[8], words, n, &signal, turn, SHMEM_SIGNAL_SET, to);
        PE_EQUAL(shmem_signal_wait_until(&signal, SHMEM_CMP_GE, turn), turn);
        PE_EQUAL(zeros[8], turn * 10 + (uint64_t)from);
        shmem_barrier_all();
    }
    pe_fill(large_source, LARGE, (uint64_t)pe_me);
    shmem_putmem_signal(large, large_source, LARGE, &signal, 1, SHMEM_SIGNAL_ADD, to);
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 21);
    PE_FILLED(large, LARGE, (uint64_t)from);
    shmem_barrier_all();
    shmem_long_atomic_set(&of_library[4], 44, to);
    shmem_long_wait_until(&of_library[4], SHMEM_CMP_EQ, 44);
    shmem_int_p(&initialized, -3, to);
    shmem_int_wait_until(&initialized, SHMEM_CMP_EQ, -3);
    PE_EQUAL(shmem_int_test(&initialized, SHMEM_CMP_EQ, -3), 1);
    shmem_uint64_p(&zeros[20], 1, to);
    PE_EQUAL(shmem_uint64_wait_until_any(&zeros[20], 1, NULL, SHMEM_CMP_EQ, 1), 0);
    shmem_barrier_all();
}

static void locks(void)
{
    static long lock, guarded;
    pe_step("locks");
    for (int i = 0; i < 20; i++) {
        shmem_set_lock(&lock);
        shmem_long_p(&guarded, shmem_long_g(&guarded, 0) + 1, 0);
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    if (pe_me == 0) PE_EQUAL(guarded, 20 * pe_n);
    shmem_barrier_all();
}

static void collectives(void)
{
    static long mine[4], sums[4], gathered[4 * MOST_PES];
    pe_step("collectives");
    for (int i = 0; i < 4; i++) mine[i] = pe_me + i;
    nvshmem_long_sum_reduce(NVSHMEM_TEAM_WORLD, sums, mine, 4);
    nvshmem_long_fcollect(NVSHMEM_TEAM_WORLD, gathered, mine, 4);
    for (int i = 0; i < 4; i++) PE_EQUAL(sums[i], pe_n * (pe_n - 1) / 2 + i * pe_n);
    for (int i = 0; i < 4 * pe_n; i++) PE_EQUAL(gathered[i], i / 4 + i % 4);
    /* Source and destination are one. */
    nvshmem_long_max_reduce(NVSHMEM_TEAM_WORLD, mine, mine, 4);
    PE_EQUAL(mine[3], pe_n + 2);
    pe_fill(large_source, LARGE, (uint64_t)pe_me);
    nvshmem_broadcastmem(NVSHMEM_TEAM_WORLD, large, large_source, LARGE, pe_n - 1);
    PE_FILLED(large, LARGE, (uint64_t)pe_n - 1);
    /* The first PE gives nothing, and receives what the others give. */
    for (int i = 0; i < 4; i++) mine[i] = 10 * pe_me + i;
    memset(gathered, 0, sizeof(gathered));
    PE_EQUAL(shmem_long_collect(SHMEM_TEAM_WORLD, gathered, mine, pe_me == 0 ? 0 : 2), 0);
    for (int i = 0; i < 2 * (pe_n - 1); i++)
        PE_EQUAL(gathered[i], 10 * (i / 2 + 1) + i % 2);
    /* One side is allocated. */
    long *allocated = shmem_malloc(sizeof(mine));
    PE_NEED(allocated != NULL);
    allocated[0] = allocated[3] = pe_me;
    nvshmem_long_sum_reduce(NVSHMEM_TEAM_WORLD, of_library, allocated, 4);
    PE_EQUAL(of_library[3], pe_n * (pe_n - 1) / 2);
    shmem_free(allocated);
}

int main(void)
{
    pe_watch("static");
    of_library = static_of_library();
    shmem_init();
    pe_started();
    PE_NEED(pe_n <= MOST_PES);
    to = (pe_me + 1) % pe_n;
    from = (pe_me + pe_n - 1) % pe_n;
    values();
    who();
    elements();
    copies();
    strided();
    to_itself();
    atomics();
    signals();
    locks();
    collectives();
    shmem_barrier_all();
    shmem_finalize();
    /* They stay as they are. */
    PE_FILLED(large, LARGE, (uint64_t)pe_n - 1);
    PE_EQUAL(of_library[3], pe_n * (pe_n - 1) / 2);
    initialized = 12;
    return pe_verdict();
}
