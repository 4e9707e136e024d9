/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM's names but for those of the tables (shmem_rma, shmem_amo, shmem_nbi,
 * shmem_signal, shmem_sync, shmem_wait_set): setup, who is who, memory, order,
 * signals, long double.
 */
#include <shmem.h>
#include <string.h>

#include "tests/support/pe.h"

/* Neighbours. */
static int to, from;

static void setup_exit(void)
{
    char name[SHMEM_MAX_NAME_LEN];
    int provided = -1, major = 0, minor = 0;
    pe_step("setup and exit");
    shmem_info_get_version(&major, &minor);
    PE_EQUAL(major, SHMEM_MAJOR_VERSION);
    PE_EQUAL(minor, SHMEM_MINOR_VERSION);
    PE_EQUAL(OSHMEM_SPEC_VERSION, major * 10000 + minor * 100);
    PE_EQUAL(major * 100 + minor, 105);
    memset(name, 'x', sizeof(name));
    shmem_info_get_name(name);
    PE_TRUE(strcmp(name, SHMEM_VENDOR_STRING) == 0);
    shmem_init();
    PE_EQUAL(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
    PE_EQUAL(provided, SHMEM_THREAD_MULTIPLE);
    shmem_finalize();
    shmem_query_initialized(&provided);
    PE_EQUAL(provided, 1);
    provided = -1;
    shmem_query_thread(&provided);
    PE_EQUAL(provided, SHMEM_THREAD_MULTIPLE);
}

static void who(void)
{
    long *block = shmem_malloc(sizeof(long));
    long local = 0;
    pe_step("who");
    PE_NEED(block != NULL);
    PE_EQUAL(shmem_my_pe(), pe_me);
    PE_EQUAL(shmem_n_pes(), pe_n);
    for (int pe = -1; pe <= pe_n; pe++) {
        int exists = pe >= 0 && pe < pe_n;
        PE_EQUAL(shmem_pe_accessible(pe), exists);
        PE_EQUAL(shmem_addr_accessible(block, pe), exists);
        PE_EQUAL(shmem_addr_accessible(&local, pe), 0);
        PE_EQUAL(shmem_addr_accessible(NULL, pe), 0);
        PE_TRUE(shmem_ptr(block, pe) == (pe == pe_me ? block : nvshmem_ptr(block, pe)));
        PE_TRUE(shmem_ptr(&local, pe) == NULL);
    }
    /* Where a neighbour's memory is mapped, it is the neighbour's. */
    *block = pe_me + 1;
    shmem_sync_all();
    if (shmem_ptr(block, to) != NULL) PE_EQUAL(*(long *)shmem_ptr(block, to), to + 1);
    PE_EQUAL(shmem_long_g(block, to), to + 1);
    shmem_free(block);
}

/* A block on every PE at the same offset: what one puts, the next one finds. */
static void check_block(void *block, size_t nbytes)
{
    unsigned char *bytes = block;
    PE_NEED(block != NULL);
    shmem_barrier_all();
    shmem_uchar_p(&bytes[nbytes - 1], (unsigned char)(7 + pe_me), to);
    shmem_barrier_all();
    PE_EQUAL(bytes[nbytes - 1], 7 + from);
}

static void memory(void)
{
    char *a, *b, *c, *d;
    pe_step("memory");
    a = shmem_malloc(5000);
    check_block(a, 5000);
    b = shmem_calloc(100, 8);
    PE_ALL(b, 800, 0);
    check_block(b, 800);
    c = shmem_align(8192, 100);
    PE_EQUAL((uintptr_t)c % 8192, 0);
    check_block(c, 100);
    d = shmem_malloc_with_hints(600, SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE);
    check_block(d, 600);
    PE_TRUE(shmem_malloc(0) == NULL);
    PE_TRUE(shmem_malloc_with_hints(0, 0) == NULL);
    PE_TRUE(shmem_calloc(SIZE_MAX / 2, 3) == NULL);
    PE_TRUE(shmem_align(24, 100) == NULL);
    PE_TRUE(shmem_align(0, 100) == NULL);
    for (size_t alignment = 1; alignment <= 16; alignment *= 2) {
        char *e = shmem_align(alignment, 50);
        check_block(e, 50);
        shmem_free(e);
    }
    shmem_free(d);
    shmem_free(c);
    shmem_free(b);
    shmem_free(NULL);
    shmem_free(a);
    /* The memory that was given back is there again. */
    b = shmem_malloc(5000);
    PE_TRUE(a == b);
    shmem_free(b);
}

static void resize(void)
{
    static const size_t sizes[] = {3000, 100, 100000, 200001, 99999, 512, 1, 70000};
    uint64_t seed = 1000 + (uint64_t)pe_me;
    size_t kept = sizes[0];
    char *block, *wall, *before = shmem_malloc(70000);
    pe_step("realloc");
    shmem_free(before);
    block = shmem_realloc(NULL, kept);
    PE_NEED(block != NULL);
    pe_fill(block, kept, seed);
    for (size_t i = 1; i < PE_COUNT(sizes); i++) {
        /* So that no block can grow in its place. */
        wall = shmem_malloc(1);
        block = shmem_realloc(block, sizes[i]);
        PE_NEED(block != NULL);
        if (sizes[i] < kept) kept = sizes[i];
        PE_FILLED(block, kept, seed);
        check_block(block, sizes[i]);
        pe_fill(block, kept = sizes[i], seed);
        shmem_free(wall);
    }
    /* No room: the old block stays as it is. */
    PE_TRUE(shmem_realloc(block, SIZE_MAX / 4) == NULL);
    PE_FILLED(block, kept, seed);
    PE_TRUE(shmem_realloc(block, 0) == NULL);
    PE_TRUE(shmem_realloc(NULL, 0) == NULL);
    /* All blocks were given back: the heap is as before. */
    block = shmem_malloc(70000);
    PE_TRUE(block == before);
    shmem_free(block);
}

/* fence, quiet, barrier_all; signal_wait_until, signal_fetch and wait. */
static void order(void)
{
    uint64_t *word = shmem_calloc(1, sizeof(*word)), *data = shmem_calloc(1000, sizeof(*data));
    long *flag = shmem_calloc(1, sizeof(*flag));
    uint64_t source[1000];
    pe_step("order");
    PE_NEED(word != NULL && data != NULL && flag != NULL);
    for (uint64_t round = 1; round <= 20; round++) {
        for (size_t i = 0; i < 1000; i++) source[i] = round * i + (uint64_t)pe_me;
        /* The fence orders data and word; the quiet lets source change. */
        shmem_uint64_put_nbi(data, source, 1000, to);
        shmem_fence();
        shmem_uint64_atomic_set(word, round << 32, to);
        shmem_quiet();
        memset(source, 0xff, sizeof(source));
        PE_EQUAL(shmem_signal_wait_until(word, SHMEM_CMP_GT, (round << 32) - 1), round << 32);
        PE_EQUAL(shmem_signal_fetch(word), round << 32);
        for (size_t i = 0; i < 1000; i++) PE_EQUAL(data[i], round * i + (uint64_t)from);
        shmem_long_p(flag, (long)round, to);
        shmem_wait(flag, (long)round - 1);
        PE_EQUAL(*flag, round);
        shmem_barrier_all();
        /* Of one word the signals come in their order, with the data that is complete before. */
        shmem_uint64_put_nbi(data, source, 10, to);
        shmem_pe_quiet(&to, 1);
        shmem_signal_set(word, round, to);
        shmem_signal_add(word, round << 8, to);
        (void)shmem_signal_wait_until(word, SHMEM_CMP_EQ, round << 8 | round);
        for (size_t i = 0; i < 10; i++) PE_EQUAL(data[i], UINT64_MAX);
        shmem_pe_quiet(NULL, 0);
        shmem_barrier_all();
    }
    /* What was put before a barrier has come after it. */
    for (int round = 0; round < 20; round++) {
        shmem_uint64_p(&data[round], (uint64_t)(round + pe_me), to);
        shmem_barrier_all();
        PE_EQUAL(data[round], round + from);
    }
    shmem_free(flag);
    shmem_free(data);
    shmem_free(word);
}

#define NUMBERS 50

static void check_numbers(long double *numbers, long double first)
{
    for (int i = 0; i < NUMBERS; i++) {
        PE_TRUE(numbers[i] == first + i);
        numbers[i] = -1;
    }
}

/* Puts a long double's numbers by the name with its type, and by that without. */
static void put_long_doubles(int form, long double *dest, const long double *source)
{
    switch (form) {
    case 0: shmem_longdouble_put(dest, source, NUMBERS, to); break;
    case 1: shmem_put(dest, source, NUMBERS, to); break;
    case 2: shmem_longdouble_put_nbi(dest, source, NUMBERS, to); break;
    case 3: shmem_put_nbi(dest, source, NUMBERS, to); break;
    case 4:
        for (int i = 0; i < NUMBERS; i++) shmem_longdouble_p(&dest[i], source[i], to);
        break;
    default:
        for (int i = 0; i < NUMBERS; i++) shmem_p(&dest[i], source[i], to);
        break;
    }
}

static void get_long_doubles(int form, long double *dest, const long double *source)
{
    switch (form) {
    case 0: shmem_longdouble_get(dest, source, NUMBERS, from); break;
    case 1: shmem_get(dest, source, NUMBERS, from); break;
    case 2: shmem_longdouble_get_nbi(dest, source, NUMBERS, from); break;
    case 3: shmem_get_nbi(dest, source, NUMBERS, from); break;
    case 4:
        for (int i = 0; i < NUMBERS; i++) dest[i] = shmem_longdouble_g(&source[i], from);
        break;
    default:
        for (int i = 0; i < NUMBERS; i++) dest[i] = shmem_g(&source[i], from);
        break;
    }
}

/* Each leads the word from form - 1 to form. */
static void signal_long_doubles(uint64_t form, long double *dest, const long double *source,
                                uint64_t *word)
{
    const int set = SHMEM_SIGNAL_SET, add = SHMEM_SIGNAL_ADD;
    switch (form) {
    case 1: shmem_longdouble_put_signal(dest, source, NUMBERS, word, form, set, to); break;
    case 2: shmem_put_signal(dest, source, NUMBERS, word, 1, add, to); break;
    case 3: shmem_longdouble_put_signal_nbi(dest, source, NUMBERS, word, 1, add, to); break;
    default: shmem_put_signal_nbi(dest, source, NUMBERS, word, form, set, to); break;
    }
}

static void long_double(void)
{
    long double *dest = shmem_calloc(NUMBERS, sizeof(*dest));
    long double *symmetric = shmem_calloc(NUMBERS, sizeof(*symmetric));
    long double source[NUMBERS], got[NUMBERS];
    uint64_t *word = shmem_calloc(1, sizeof(*word));
    /* Needs more digits than a double has. */
    long double base = 1 + 1 / ((long double)(UINT64_C(1) << 60) * 4), first = base + from * 1000;
    pe_step("long double");
    PE_NEED(dest != NULL && symmetric != NULL && word != NULL);
    for (int i = 0; i < NUMBERS; i++) symmetric[i] = source[i] = base + pe_me * 1000 + i;
    for (int form = 0; form < 6; form++) {
        shmem_barrier_all();
        put_long_doubles(form, dest, source);
        shmem_barrier_all();
        check_numbers(dest, first);
        get_long_doubles(form, got, symmetric);
        shmem_quiet();
        check_numbers(got, first);
    }
    for (uint64_t form = 1; form <= 4; form++) {
        shmem_barrier_all();
        signal_long_doubles(form, dest, source, word);
        PE_EQUAL(shmem_signal_wait_until(word, SHMEM_CMP_GE, form), form);
        check_numbers(dest, first);
    }
    /* source is read by the last one until then. */
    shmem_barrier_all();
    shmem_free(word);
    shmem_free(symmetric);
    shmem_free(dest);
}

int main(void)
{
    pe_watch("shmem");
    setup_exit();
    pe_started();
    to = (pe_me + 1) % pe_n;
    from = (pe_me + pe_n - 1) % pe_n;
    who();
    memory();
    resize();
    order();
    long_double();
    pe_step("finish");
    shmem_barrier_all();
    shmem_finalize();
    return pe_verdict();
}
