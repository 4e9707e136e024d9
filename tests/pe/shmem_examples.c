/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the examples of OpenSHMEM's document do, written anew: a function for each, with static
 * variables and C11's generic names as there.  shmem_examples_team.c has those of teams, contexts,
 * collectives and sets of waits; tests/api/openshmem.c those that end the job, and pshmem.
 */
#include <shmem.h>
#include <string.h>

#include "tests/support/pe.h"

static int to, from;

/* Set-up: who and how many; memory of a neighbour by an ordinary pointer, where there is one. */
static void who(void)
{
    static int number;
    int major, minor, *there;
    char name[SHMEM_MAX_NAME_LEN];
    pe_step("who");
    shmem_info_get_version(&major, &minor);
    PE_TRUE(major == 1 && minor >= 5);
    shmem_info_get_name(name);
    PE_TRUE(name[0] != '\0');
    PE_EQUAL(shmem_my_pe(), pe_me);
    PE_EQUAL(shmem_n_pes(), pe_n);
    number = -1;
    shmem_barrier_all();
    there = (int *)shmem_ptr(&number, to);
    if (there != NULL) *there = pe_me;
    else shmem_p(&number, pe_me, to);
    shmem_barrier_all();
    PE_EQUAL(number, from);
}

/* Memory of different objects, each allocated by all PEs, and grown. */
static void memory(void)
{
    long *array = (long *)shmem_malloc(10 * sizeof(*array));
    double *zeros = (double *)shmem_calloc(7, sizeof(*zeros));
    char *aligned = (char *)shmem_align(256, 100);
    pe_step("memory");
    PE_NEED(array != NULL && zeros != NULL && aligned != NULL);
    PE_EQUAL((uintptr_t)aligned % 256, 0);
    for (int i = 0; i < 7; i++) PE_TRUE(zeros[i] == 0.0);
    for (int i = 0; i < 10; i++) array[i] = 3 * i;
    array = (long *)shmem_realloc(array, 1000 * sizeof(*array));
    PE_NEED(array != NULL);
    PE_EQUAL(array[9], 27);
    shmem_long_p(&array[999], pe_me, to);
    shmem_barrier_all();
    PE_EQUAL(array[999], from);
    shmem_free(array);
    shmem_free(zeros);
    shmem_free(aligned);
}

/* put and p: ten numbers of PE 0 for PE 1, from memory that is not symmetric. */
static void puts_of_pe_0(void)
{
    static long dest[10];
    static double one;
    long source[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    pe_step("put and p");
    if (pe_me == 0) {
        shmem_put(dest, source, 10, 1 % pe_n);
        shmem_p(&one, 123.25, 1 % pe_n);
    }
    shmem_barrier_all();
    if (pe_me == 1 % pe_n) {
        PE_EQUAL(memcmp(dest, source, sizeof(dest)), 0);
        PE_TRUE(one == 123.25);
    }
}

/* g: each PE reads its neighbour's number; get: the whole array. */
static void reads(void)
{
    static long number, array[8];
    long got[8];
    pe_step("g and get");
    number = 10101 + pe_me;
    for (int i = 0; i < 8; i++) array[i] = pe_me * 8 + i;
    shmem_barrier_all();
    PE_EQUAL(shmem_g(&number, to), 10101 + to);
    shmem_get(got, array, 8, to);
    for (int i = 0; i < 8; i++) PE_EQUAL(got[i], to * 8 + i);
    shmem_barrier_all();
}

/* iput: every second element of five to each second one of ten; iget: back. */
static void strided(void)
{
    static short dest[20];
    short source[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, got[5] = {0};
    pe_step("iput and iget");
    memset(dest, 0, sizeof(dest));
    shmem_barrier_all();
    if (pe_me == 0) shmem_iput(dest, source, 1, 2, 5, pe_n - 1);
    shmem_barrier_all();
    if (pe_me == pe_n - 1)
        for (int i = 0; i < 10; i++) PE_EQUAL(dest[i], i < 5 ? 2 * i + 1 : 0);
    shmem_iget(got, dest, 1, 2, 3, pe_n - 1);
    for (int i = 0; i < 3; i++) PE_EQUAL(got[i], 4 * i + 1);
    shmem_barrier_all();
}

/* Atomics: the first to swap its number in wins; tickets; sums; a bit for each PE. */
static void atomics(void)
{
    static int race = -1, tickets, sum;
    static long owner = -1;
    static unsigned int bits;
    static uint64_t seen[64];
    int old, ticket;
    pe_step("atomics");
    old = shmem_atomic_compare_swap(&race, -1, pe_me, 0);
    PE_EQUAL(old == -1, shmem_atomic_fetch(&race, 0) == pe_me);
    shmem_atomic_swap(&owner, (long)pe_me, to);
    ticket = shmem_atomic_fetch_inc(&tickets, 0);
    PE_TRUE(ticket >= 0 && ticket < pe_n);
    shmem_p(&seen[ticket], (uint64_t)1, pe_n - 1);
    shmem_atomic_add(&sum, pe_me + 1, 0);
    shmem_atomic_inc(&sum, 0);
    shmem_atomic_or(&bits, 1u << pe_me, 0);
    shmem_barrier_all();
    PE_EQUAL(owner, from);
    if (pe_me == pe_n - 1)
        for (int i = 0; i < pe_n; i++) PE_EQUAL(seen[i], 1);
    if (pe_me == 0) {
        PE_EQUAL(tickets, pe_n);
        PE_EQUAL(sum, pe_n * (pe_n + 1) / 2 + pe_n);
        PE_EQUAL(bits, (1u << pe_n) - 1);
        PE_EQUAL(shmem_atomic_fetch_and(&bits, 1u, 0), (1u << pe_n) - 1);
        PE_EQUAL(shmem_atomic_fetch_xor(&bits, 3u, 0), 1);
        PE_EQUAL(shmem_atomic_fetch(&bits, 0), 2);
    }
    shmem_barrier_all();
}

/* fence: the flag is there after the data; wait_until: the receiver sees both. */
static void fence(void)
{
    static long data[10], flag;
    long source[10];
    pe_step("fence and wait");
    for (int i = 0; i < 10; i++) source[i] = 10 * pe_me + i;
    shmem_put(data, source, 10, to);
    shmem_fence();
    shmem_p(&flag, 1L, to);
    shmem_wait_until(&flag, SHMEM_CMP_EQ, 1);
    for (int i = 0; i < 10; i++) PE_EQUAL(data[i], 10 * from + i);
    shmem_barrier_all();
}

/* quiet: what three puts have stored is there before the others are told. */
static void quiet(void)
{
    static long first[3], second, told;
    long source[3] = {1, 2, 3}, other = 90;
    int last = pe_n - 1;
    pe_step("quiet");
    if (pe_me == 0) {
        shmem_put(first, source, 3, 1 % pe_n);
        shmem_put(&second, &other, 1, last);
        shmem_quiet();
        for (int pe = 0; pe < pe_n; pe++) shmem_p(&told, 1L, pe);
    }
    shmem_wait_until(&told, SHMEM_CMP_NE, 0);
    PE_EQUAL(shmem_g(&first[2], 1 % pe_n), 3);
    PE_EQUAL(shmem_g(&second, last), 90);
    shmem_barrier_all();
}

/* put_signal: a broadcast along a ring, each PE going on when it has the data. */
static void ring(void)
{
    static uint64_t data[1000], signal;
    pe_step("put_signal");
    if (pe_me == 0)
        for (int i = 0; i < 1000; i++) data[i] = (uint64_t)(i * i);
    if (pe_me > 0) PE_EQUAL(shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 7), 7);
    if (pe_me + 1 < pe_n)
        shmem_put_signal(data, data, 1000, &signal, 7, SHMEM_SIGNAL_SET, pe_me + 1);
    for (int i = 0; i < 1000; i++) PE_EQUAL(data[i], i * i);
    if (pe_me > 0) PE_EQUAL(shmem_signal_fetch(&signal), 7);
    shmem_barrier_all();
}

/* test: other work until the flag comes. */
static void test(void)
{
    static int flag;
    pe_step("test");
    if (pe_me == pe_n - 1) pe_sleep_us(500);
    shmem_p(&flag, 1, to);
    while (!shmem_test(&flag, SHMEM_CMP_GE, 1)) pe_yield_cpu();
    PE_EQUAL(flag, 1);
    shmem_barrier_all();
}

/* So slowly that two PEs that do it at once are seen. */
static void add_slowly(int *number, int value)
{
    int before = shmem_g(number, 0);
    pe_sleep_us(300);
    shmem_p(number, before + value, 0);
}

/* Locks: PEs change a number of PE 0 one after the other, without atomics. */
static void locks(void)
{
    static long lock, tried;
    static int count, other;
    pe_step("locks");
    shmem_set_lock(&lock);
    add_slowly(&count, 1);
    shmem_clear_lock(&lock);
    while (shmem_test_lock(&tried) != 0) pe_yield_cpu();
    add_slowly(&other, 2);
    shmem_clear_lock(&tried);
    shmem_barrier_all();
    PE_EQUAL(count, pe_me == 0 ? pe_n : 0);
    PE_EQUAL(other, pe_me == 0 ? 2 * pe_n : 0);
}

/* What the document's first program does: each PE gives its neighbour a block. */
static void first_program(void)
{
    enum { SIZE = 16 };
    static short dest[SIZE];
    static short source[SIZE];
    pe_step("the document's first program");
    for (int i = 0; i < SIZE; i++) source[i] = (short)i;
    for (int i = 0; i < SIZE; i++) dest[i] = -1;
    shmem_barrier_all();
    if (pe_me == 0) shmem_short_put(dest, source, SIZE, 1 % pe_n);
    shmem_barrier_all();
    for (int i = 0; i < SIZE; i++) PE_EQUAL(dest[i], pe_me == 1 % pe_n ? i : -1);
}

int main(void)
{
    pe_watch("shmem_examples");
    shmem_init();
    pe_started();
    PE_NEED(pe_n <= 16);
    to = (pe_me + 1) % pe_n;
    from = (pe_me + pe_n - 1) % pe_n;
    who();
    memory();
    puts_of_pe_0();
    reads();
    strided();
    atomics();
    fence();
    quiet();
    ring();
    test();
    locks();
    first_program();
    shmem_finalize();
    return pe_verdict();
}
