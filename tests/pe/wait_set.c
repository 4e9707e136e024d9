/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits and tests for sets of variables that other PEs change: by p, by atomics
 * and by signals that follow data, in random order; called by host threads and
 * by device threads.
 */
#include <anyshmem_kernel.h>
#include <string.h>

#include "tests/support/pe.h"
#include "tests/support/wait_table.h"

/* shmem_wait_set.c is this file with other names. */
#if !defined(PROGRAM)
#define PROGRAM "wait_set"
#endif

#define PER_PE 9u
#define MAX_PES 8u
#define MAX (PER_PE * MAX_PES)
#define CMPS 6u
/* Device threads, and what each of them waits for. */
#define BLOCKS 4u
#define BLOCK_THREADS 64u
#define THREADS (BLOCKS * BLOCK_THREADS)
#define SET 21u

/* One round: each PE makes its share of the variables of all PEs right. */
static struct {
    const struct wait_row *row;
    /* Symmetric. */
    unsigned char *variables;
    uint64_t *payload;
    uint64_t values[MAX], early, late;
    size_t nelems, indices[MAX], order[MAX];
    int status[MAX];
} at;

/* Two values, one that meets the comparison and one that does not; the same on all PEs. */
static void draw_values(int cmp, uint64_t *random)
{
    do {
        at.values[0] = wait_values[pe_random(random) % WAIT_VALUES];
        at.early = wait_values[pe_random(random) % WAIT_VALUES];
        at.late = wait_values[pe_random(random) % WAIT_VALUES];
    } while ((at.row->model(at.early, at.values[0]) >> cmp & 1) != 0 ||
             (at.row->model(at.late, at.values[0]) >> cmp & 1) == 0);
    for (size_t i = 0; i < at.nelems; i++) pe_store_bits((char *)at.values + i * at.row->width,
                                                         at.row->width, at.values[0]);
}

static void shuffle(uint64_t seed)
{
    uint64_t random = seed * 64 + (uint64_t)pe_me;
    for (size_t i = 0; i < at.nelems; i++) {
        size_t other = pe_random(&random) % (i + 1);
        at.order[i] = at.order[other];
        at.order[other] = i;
    }
}

/* To every PE the elements that are this PE's to send, each after its payload. */
static void send(bool by_set)
{
    for (size_t n = 0; n < at.nelems; n++) {
        size_t i = at.order[n];
        if (i % (size_t)pe_n != (size_t)pe_me) continue;
        for (int k = 0; k < pe_n; k++) {
            int to = (pe_me + k) % pe_n;
            void *dest = at.variables + i * at.row->width;
            nvshmem_uint64_p(&at.payload[i], at.late + i, to);
            nvshmem_fence();
            (by_set ? at.row->set : at.row->p)(dest, at.late, to);
        }
        if (n % 7 == 3) pe_sleep_us(50);
    }
}

/* Element i was reported: once, with its payload. */
static void arrive(size_t i)
{
    PE_NEED(i < at.nelems);
    PE_EQUAL(at.status[i], 0);
    PE_EQUAL(at.payload[i], at.late + i);
    PE_TRUE(memcmp(at.variables + i * at.row->width, &at.late, at.row->width) == 0);
    at.status[i] = -1;
}

/* One call; returns how many elements it reported. */
static size_t collect(enum wait_form form, bool vector, int cmp)
{
    struct wait_call call = {at.variables, at.nelems, at.indices, at.status, cmp, at.values};
    size_t n = at.row->call(form, vector, &call);
    if (form == WAIT_ALL || form == TEST_ALL) {
        for (size_t i = 0; i < at.nelems && n == 1; i++) arrive(i);
        return n == 1 ? at.nelems : 0;
    }
    if (form == WAIT_ANY || form == TEST_ANY) {
        PE_TRUE(form == TEST_ANY || n != SIZE_MAX);
        if (n != SIZE_MAX) arrive(n);
        return n != SIZE_MAX;
    }
    PE_TRUE(form == TEST_SOME || n > 0);
    for (size_t i = 0; i < n; i++) arrive(at.indices[i]);
    return n;
}

static void run_round(uint64_t round, enum wait_form form, bool vector, int cmp)
{
    uint64_t random = round;
    size_t left;
    at.nelems = (1 + pe_random(&random) % PER_PE) * (size_t)pe_n;
    draw_values(cmp, &random);
    pe_step("%s, form %d%s, cmp %d, %zu variables from 0x%llx to 0x%llx", at.row->name, form,
            vector ? " vector" : "", cmp, at.nelems, (unsigned long long)at.early,
            (unsigned long long)at.late);
    for (size_t i = 0; i < at.nelems; i++) {
        pe_store_bits(at.variables + i * at.row->width, at.row->width, at.early);
        at.payload[i] = at.status[i] = 0;
    }
    shuffle(round);
    nvshmem_barrier_all();
    if ((pe_me + (int)round) % 3 == 0) pe_sleep_us(200);
    send(round & 1);
    for (left = at.nelems; left > 0; left -= collect(form, vector, cmp)) continue;
    nvshmem_barrier_all();
}

static void run_host(void)
{
    uint64_t round = 0;
    at.variables = pe_alloc(MAX * 8);
    at.payload = pe_alloc(MAX * 8);
    PE_NEED(pe_n <= (int)MAX_PES);
    for (at.row = wait_rows; at.row < wait_rows + WAIT_ROWS; at.row++)
        for (unsigned form = 0; form < WAIT_FORMS; form++)
            for (unsigned k = 0; k < 4; k++, round++)
                run_round(round, (enum wait_form)form, k >= 2, (int)(round % CMPS));
}

/* Kernels: each thread sends to its like on the next PE and waits for that of the PE before. */

struct work {
    /* Symmetric: SET for each thread. */
    uint64_t *signals, *data;
    int32_t *counts;
    unsigned short *flags;
    uint32_t *errors;
    uint64_t round;
};

static inline void expect(struct work *w, int holds)
{
    if (!holds) nvshmem_uint32_atomic_inc(w->errors, nvshmem_my_pe());
}

/* Data with a signal, in an order of the thread's own; received by wait_until_some. */
ANYSHMEM_KERNEL(kernel_signals)
{
    struct work *w = (struct work *)arg;
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, n, left, k;
    uint64_t *signals = w->signals + t * SET, *data = w->data + t * SET, one;
    int to = (nvshmem_my_pe() + 1) % nvshmem_n_pes(), status[SET];
    size_t indices[SET + 1], found;
    for (n = 0; n < SET; n++) {
        /* 1, 2, 4 and 8 have no divisor in common with SET. */
        k = ((n << t % 4) + t) % SET;
        one = w->round * 1000 + k;
        nvshmem_uint64_put_signal(&data[k], &one, 1, &signals[k], 1, NVSHMEM_SIGNAL_ADD, to);
        status[n] = 0;
    }
    indices[SET] = SIZE_MAX;
    for (left = SET; left > 0; left -= (unsigned)found) {
        if (t % 2)
            found = nvshmem_uint64_wait_until_some(signals, SET, indices, status, NVSHMEM_CMP_GE,
                                                   w->round);
        else
            while ((found = nvshmem_uint64_test_some(signals, SET, indices, status,
                                                     NVSHMEM_CMP_GE, w->round)) == 0)
                continue;
        expect(w, found <= left && indices[SET] == SIZE_MAX);
        for (n = 0; n < found; n++) {
            expect(w, status[indices[n]] == 0 && data[indices[n]] == w->round * 1000 + indices[n]);
            status[indices[n]] = 1;
        }
    }
    expect(w, nvshmem_uint64_wait_until_some(signals, SET, indices, status, NVSHMEM_CMP_GE, 0) ==
                  0);
}

/* Atomic sums of 4 bytes, received one by one; stores of 2 bytes, received together. */
ANYSHMEM_KERNEL(kernel_counts)
{
    struct work *w = (struct work *)arg;
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, n;
    int32_t *counts = w->counts + t * SET, wanted[SET];
    unsigned short *flags = w->flags + t * SET, flag = (unsigned short)(0xff00 + w->round);
    int to = (nvshmem_my_pe() + 1) % nvshmem_n_pes(), status[SET];
    for (n = 0; n < SET; n++) {
        /* Down to where an unsigned comparison would be wrong. */
        wanted[n] = -(int32_t)w->round;
        status[n] = 0;
    }
    for (n = SET; n > 0; n--) nvshmem_int32_atomic_add(&counts[(n + t) % SET], -1, to);
    for (n = 0; n < SET; n++) nvshmem_ushort_p(&flags[(n + t) % SET], flag, to);
    for (n = 0; n < SET; n++) {
        size_t i = nvshmem_int32_wait_until_any_vector(counts, SET, status, NVSHMEM_CMP_LE,
                                                       wanted);
        expect(w, i < SET);
        if (i >= SET) return;
        expect(w, status[i] == 0 && counts[i] == wanted[i]);
        status[i] = 1;
    }
    expect(w, nvshmem_int32_test_any_vector(counts, SET, status, NVSHMEM_CMP_LE, wanted) ==
                  SIZE_MAX);
    if (t % 2)
        nvshmem_ushort_wait_until_all(flags, SET, NULL, NVSHMEM_CMP_GE, flag);
    else
        while (!nvshmem_ushort_test_all(flags, SET, NULL, NVSHMEM_CMP_EQ, flag)) continue;
    for (n = 0; n < SET; n++) expect(w, flags[n] == flag);
}

static void launch(const char *name, void (*kernel)(void *), struct work *work)
{
    void *argument = work;
    void *arguments[] = {&argument};
    const void *function;
    dim3 grid = {BLOCKS, 1, 1}, block = {BLOCK_THREADS, 1, 1};
    __builtin_memcpy(&function, &kernel, sizeof(function));
    pe_step("%s, round %llu", name, (unsigned long long)work->round);
    PE_NEED(nvshmemx_collective_launch(function, grid, block, arguments, 0, 0) == 0);
    nvshmem_barrier_all();
    PE_EQUAL(*work->errors, 0);
}

static void run_kernels(void)
{
    struct work work = {.round = 0};
    work.signals = pe_alloc(THREADS * SET * sizeof(*work.signals));
    work.data = pe_alloc(THREADS * SET * sizeof(*work.data));
    work.counts = pe_alloc(THREADS * SET * sizeof(*work.counts));
    work.flags = pe_alloc(THREADS * SET * sizeof(*work.flags));
    work.errors = pe_alloc(64);
    for (work.round = 1; work.round <= 3; work.round++) {
        launch("signals", kernel_signals, &work);
        launch("counts", kernel_counts, &work);
    }
    for (unsigned i = 0; i < THREADS * SET; i++) {
        PE_EQUAL(work.signals[i], 3);
        PE_EQUAL(work.counts[i], -3);
    }
}

int main(void)
{
    pe_start(PROGRAM);
    run_host();
    run_kernels();
    return pe_finish();
}
