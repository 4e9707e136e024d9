/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM's names around the others: setup, who is who, memory, signals and
 * order.
 */
#include <ishmemx.h>
#include <string.h>

#include "tests/support/pe.h"

static void setup_exit(void)
{
    char name[ISHMEM_MAX_NAME_LEN];
    int initialized = -1, provided = -1, major = 0, minor = 0;
    ishmemx_attr_t attr = ISHMEMX_ATTR_INITIALIZER;
    pe_step("setup and exit");
    ishmemx_query_initialized(&initialized);
    PE_EQUAL(initialized, 0);
    ishmem_init();
    PE_EQUAL(ishmem_init_thread(ISHMEM_THREAD_MULTIPLE, &provided), 0);
    PE_EQUAL(provided, ISHMEM_THREAD_MULTIPLE);
    ishmemx_init_attr(&attr);
    ishmem_finalize();
    ishmem_finalize();
    ishmemx_query_initialized(&initialized);
    PE_EQUAL(initialized, 1);
    provided = -1;
    ishmem_query_thread(&provided);
    PE_EQUAL(provided, ISHMEM_THREAD_MULTIPLE);
    PE_EQUAL(ishmemx_runtime_get_type(), ISHMEMX_RUNTIME_PMI);
    ishmem_info_get_version(&major, &minor);
    PE_EQUAL(major, ISHMEM_MAJOR_VERSION);
    PE_EQUAL(minor, ISHMEM_MINOR_VERSION);
    ishmem_info_get_name(name);
    PE_TRUE(strcmp(name, ISHMEM_VENDOR_STRING) == 0);
}

static void who_and_memory(void)
{
    uint64_t *a = (uint64_t *)ishmem_malloc(4096), *b = (uint64_t *)ishmem_calloc(100, 8);
    char *c = (char *)ishmem_align(4096, 100);
    pe_step("who and memory");
    PE_EQUAL(ishmem_my_pe(), nvshmem_my_pe());
    PE_EQUAL(ishmem_n_pes(), nvshmem_n_pes());
    PE_EQUAL(ishmem_team_my_pe(ISHMEM_TEAM_WORLD), pe_me);
    PE_EQUAL(ishmem_team_n_pes(ISHMEM_TEAM_WORLD), pe_n);
    PE_EQUAL(ishmem_team_n_pes(ISHMEMX_TEAM_NODE), nvshmem_team_n_pes(NVSHMEMX_TEAM_NODE));
    PE_EQUAL(ishmem_team_my_pe(ISHMEM_TEAM_SHARED), nvshmem_team_my_pe(NVSHMEM_TEAM_SHARED));
    PE_EQUAL(ishmem_team_my_pe(ISHMEM_TEAM_INVALID), -1);
    PE_NEED(a != NULL && b != NULL && c != NULL && a != b);
    PE_EQUAL((uintptr_t)c % 4096, 0);
    PE_ALL(b, 800, 0);
    for (int pe = -1; pe <= pe_n; pe++)
        PE_TRUE(ishmem_ptr(a, pe) == nvshmem_ptr(a, pe));
    PE_TRUE(ishmem_ptr(&pe_n, pe_me) == NULL);
    PE_TRUE(ishmem_malloc(0) == NULL);
    /* All PEs have the same offsets: what one puts, the next one finds. */
    ishmem_uint64_p(a, 77 + (uint64_t)pe_me, (pe_me + 1) % pe_n);
    ishmem_char_p(c + 99, 'x', (pe_me + 1) % pe_n);
    ishmem_barrier_all();
    PE_EQUAL(*a, 77 + (uint64_t)((pe_me + pe_n - 1) % pe_n));
    PE_EQUAL(c[99], 'x');
    ishmem_free(c);
    ishmem_free(b);
    ishmem_free(NULL);
    ishmem_free(a);
    /* The memory that was given back is there again. */
    b = (uint64_t *)ishmem_malloc(4096);
    PE_TRUE(a == b);
    ishmem_free(b);
}

static void signals_and_order(void)
{
    uint64_t *word = (uint64_t *)ishmem_calloc(1, 8), *data = (uint64_t *)ishmem_calloc(1000, 8);
    int to = (pe_me + 1) % pe_n, from = (pe_me + pe_n - 1) % pe_n;
    uint64_t source[1000], base = UINT64_C(0x100000000);
    pe_step("signals and order");
    PE_NEED(word != NULL && data != NULL);
    ishmemx_signal_set(word, base, to);
    PE_EQUAL(ishmem_signal_wait_until(word, ISHMEM_CMP_NE, 0), base);
    PE_EQUAL(ishmem_signal_fetch(word), base);
    ishmem_barrier_all();
    ishmemx_signal_add(word, base + 1, to);
    PE_EQUAL(ishmem_signal_wait_until(word, ISHMEM_CMP_GT, base), 2 * base + 1);
    PE_EQUAL(ishmem_signal_wait_until(word, ISHMEM_CMP_GE, 2 * base + 1), 2 * base + 1);
    PE_EQUAL(ishmem_signal_wait_until(word, ISHMEM_CMP_EQ, 2 * base + 1), 2 * base + 1);
    PE_EQUAL(ishmem_signal_wait_until(word, ISHMEM_CMP_LT, 2 * base + 2), 2 * base + 1);
    PE_EQUAL(ishmem_signal_wait_until(word, ISHMEM_CMP_LE, 2 * base + 1), 2 * base + 1);
    ishmem_barrier_all();
    for (uint64_t round = 1; round <= 20; round++) {
        for (size_t i = 0; i < 1000; i++) source[i] = round * i + (uint64_t)pe_me;
        /* The fence orders data and signal; the quiet lets source change. */
        ishmem_uint64_put_nbi(data, source, 1000, to);
        ishmem_fence();
        ishmemx_signal_set(word, round, to);
        ishmem_quiet();
        memset(source, 0xff, sizeof(source));
        PE_EQUAL(ishmem_signal_wait_until(word, ISHMEM_CMP_EQ, round), round);
        for (size_t i = 0; i < 1000; i++) PE_EQUAL(data[i], round * i + (uint64_t)from);
        ishmem_barrier_all();
    }
    ishmem_free(data);
    ishmem_free(word);
}

int main(void)
{
    pe_watch("ishmem_setup");
    setup_exit();
    pe_started();
    who_and_memory();
    signals_and_order();
    return pe_finish();
}
