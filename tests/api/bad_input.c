/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bad_input CASE: PE 1 makes the bad call of that name while PE 0 waits for it.
 * tests/api/bad_input.sh runs the cases and knows what must be said.
 */
#include <ishmemx.h>
#include <limits.h>
#include <nvshmemx.h>
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <anyshmem_kernel.h>

#include "tests/support/others.h"
#include "tests/support/pe.h"

/* NVSHMEM_SYMMETRIC_SIZE, and what a heap has beside it. */
#define HEAP_BYTES (UINT64_C(16) << 20)
#define HEAP_ROOM (UINT64_C(27) << 20)
/* Of its base: the largest power of two that is not more than both. */
#define HEAP_ALIGNMENT (UINT64_C(32) << 20)

/* What the bad calls use: a symmetric block, the heap's borders, local memory. */
static struct {
    char *block, *base, *end;
    char local[64];
} at;

/* All threads of many groups make a bad call at once. */
ANYSHMEM_KERNEL(put_block)
{
    nvshmemx_int_put_block((int *)arg, (int *)arg, 1, pe_n);
}

ANYSHMEM_KERNEL(wait_warp)
{
    anyshmemx_int_wait_until_warp((int *)arg, 6, 0);
}

static void call_in_grid(void (*kernel)(void *))
{
    void *argument = at.block, *arguments[] = {&argument};
    const void *function;
    dim3 grid = {8, 1, 1}, block = {64, 1, 1};
    memcpy(&function, &kernel, sizeof(function));
    (void)nvshmemx_collective_launch(function, grid, block, arguments, 0, 0);
}

/* What waits for a stream in a function on that stream. */
static void g_on_stream(void *stream)
{
    (void)nvshmemx_int_g_on_stream((int *)(void *)at.block, 0, (cudaStream_t)stream);
}

static void call_on_stream(void (*function)(void *))
{
    cudaStream_t stream;
    PE_NEED(anyshmemx_stream_create(&stream) == 0);
    PE_NEED(anyshmemx_launch_host_func(stream, function, stream) == 0);
    (void)anyshmemx_stream_synchronize(stream);
}

static shmem_ctx_t destroyed_ctx(void)
{
    shmem_ctx_t ctx;
    PE_NEED(shmem_ctx_create(0, &ctx) == 0);
    shmem_ctx_destroy(ctx);
    return ctx;
}

static shmem_ctx_t new_ctx(void)
{
    shmem_ctx_t ctx;
    PE_NEED(shmem_ctx_create(0, &ctx) == 0);
    return ctx;
}

static void lock_not_zero(void)
{
    for (int pe = 0; pe < pe_n; pe++) shmem_long_p((long *)at.block, 0x600000006, pe);
    shmem_quiet();
    shmem_set_lock((long *)at.block);
}

/* X(name of the case, bad call).  Each call is made by PE 1 alone. */
#define CALLS(X) \
    X(pe_minus_one, nvshmem_int_p((int *)at.block, 1, -1)) \
    X(pe_n, (void)nvshmem_long_atomic_fetch_add((long *)at.block, 1, pe_n)) \
    X(pe_int_min, nvshmem_putmem(at.block, at.local, 8, INT_MIN)) \
    X(pe_int_max, nvshmem_float_put_signal_nbi((float *)at.block, (float *)at.local, 1, \
                                               (uint64_t *)at.block, 1, NVSHMEM_SIGNAL_SET, \
                                               INT_MAX)) \
    X(pe_get, nvshmem_get64_nbi(at.local, at.block, 1, pe_n)) \
    X(pe_g, (void)nvshmem_short_g((short *)at.block, -7)) \
    X(pe_signal, nvshmemx_signal_op((uint64_t *)at.block, 1, NVSHMEM_SIGNAL_ADD, pe_n)) \
    X(put_past_end, nvshmem_putmem(at.end - 7, at.local, 8, 0)) \
    X(put_before_begin, nvshmem_char_put(at.base - 1, at.local, 2, 0)) \
    X(put_own_past_end, nvshmem_putmem_nbi(at.end - 7, at.local, 8, 1)) \
    X(put_own_into_begin, nvshmem_putmem(at.base - 4, at.local, 8, 1)) \
    X(p_own_null, nvshmem_int_p(NULL, 1, 1)) \
    X(amo_own_stack, nvshmem_int_atomic_inc((int *)at.local, 1)) \
    X(p_at_end, nvshmem_uint8_p((uint8_t *)at.end, 1, 0)) \
    X(get_past_end, nvshmem_getmem(at.local, at.end - 63, 64, 0)) \
    X(g_of_stack, (void)nvshmem_double_g((double *)at.local, 0)) \
    X(amo_past_end, nvshmem_int32_atomic_set((int32_t *)at.end, 1, 0)) \
    X(fetch_null, (void)nvshmem_uint64_atomic_fetch(NULL, 0)) \
    X(put_signal_data, nvshmem_put16_signal(at.end - 2, at.local, 2, (uint64_t *)at.block, 1, \
                                            NVSHMEM_SIGNAL_SET, 0)) \
    X(put_signal_word, nvshmem_putmem_signal(at.block, at.local, 8, (uint64_t *)at.end, 1, \
                                             NVSHMEM_SIGNAL_SET, 0)) \
    X(size_wraps, nvshmem_int64_put((int64_t *)at.block, (int64_t *)at.local, \
                                    SIZE_MAX / 8 + 2, 0)) \
    X(size_max, nvshmem_putmem(at.block, at.local, SIZE_MAX, 0)) \
    X(size_wraps_address, nvshmem_getmem(at.local, at.block, SIZE_MAX - 100, 0)) \
    X(source_null, nvshmem_int_put((int *)at.block, NULL, 1, 0)) \
    X(dest_null, nvshmem_get8(NULL, at.block, 1, 0)) \
    X(amo8_misaligned, nvshmem_uint64_atomic_add((uint64_t *)(void *)(at.block + 4), 1, 0)) \
    X(amo4_misaligned, (void)nvshmem_uint_atomic_swap((unsigned *)(void *)(at.block + 2), 1, 1)) \
    X(signal_misaligned, nvshmem_putmem_signal(at.block, at.local, 8, \
                                               (uint64_t *)(void *)(at.block + 12), 1, \
                                               NVSHMEM_SIGNAL_SET, 0)) \
    X(cmp_wait, nvshmem_int_wait_until((int *)at.block, 6, 0)) \
    X(cmp_test, (void)nvshmem_ushort_test((unsigned short *)at.block, -1, 0)) \
    X(cmp_signal, (void)nvshmem_signal_wait_until((uint64_t *)at.block, 99, 0)) \
    X(wait_misaligned, nvshmem_long_wait_until((long *)(void *)(at.block + 4), NVSHMEM_CMP_EQ, 0)) \
    X(test_misaligned, (void)nvshmem_short_test((short *)(void *)(at.block + 1), 0, 1)) \
    X(signal_wait_misaligned, \
      (void)nvshmem_signal_wait_until((uint64_t *)(void *)(at.block + 4), NVSHMEM_CMP_EQ, 0)) \
    X(wait_null, nvshmem_long_wait(NULL, 0)) \
    X(iput_past_end, nvshmem_int_iput((int *)(void *)(at.end - 36), (int *)at.local, 4, 1, 4, 0)) \
    X(iget_before_begin, nvshmem_iget64(at.local, at.base + 16, 1, -1, 4, 0)) \
    X(iput_far, nvshmem_iput8(at.block, at.local, PTRDIFF_MAX, 1, SIZE_MAX / 2, 0)) \
    X(stream_iget, nvshmemx_int_iget_on_stream((int *)at.local, (int *)(void *)at.base, 1, -1, 2, \
                                               0, NULL)) \
    X(stream_g, (void)nvshmemx_int_g_on_stream((int *)(void *)at.block, 0, \
                                               (cudaStream_t)at.local)) \
    X(stream_g_inside, call_on_stream(g_on_stream)) \
    X(stream_pe, nvshmemx_int_put_on_stream((int *)at.block, (int *)at.local, 1, pe_n, NULL)) \
    X(stream_none, nvshmemx_quiet_on_stream((cudaStream_t)at.local)) \
    X(sig_op_zero, nvshmemx_signal_op((uint64_t *)at.block, 1, 0, 0)) \
    X(sig_op_11, nvshmem_uchar_put_signal((unsigned char *)at.block, (unsigned char *)at.local, 1, \
                                          (uint64_t *)at.block, 1, 11, 0)) \
    X(ishmem_pe, ishmem_long_p((long *)at.block, 1, pe_n)) \
    X(ishmem_range, ishmem_putmem(at.end - 7, at.local, 8, 0)) \
    X(ishmem_cmp_zero, ishmem_int_wait_until((int *)at.block, 0, 1)) \
    X(ishmem_cmp_7, (void)ishmem_uint64_test((uint64_t *)at.block, 7, 0)) \
    X(ishmem_cmp_group, (void)ishmemx_size_test_work_group((size_t *)at.block, -2, 0, \
                                                           ISHMEMX_GROUP_WORK_GROUP)) \
    X(ishmem_cmp_signal, (void)ishmem_signal_wait_until((uint64_t *)at.block, 0, 0)) \
    X(ishmem_group, ishmemx_int_wait_until_work_group((int *)at.block, ISHMEM_CMP_EQ, 0, \
                                                      (ishmemx_group_t)3)) \
    X(ishmem_sig_op, ishmem_putmem_signal(at.block, at.local, 8, (uint64_t *)at.block, 1, \
                                          NVSHMEM_SIGNAL_ADD, 0)) \
    X(ishmem_byte, ishmem_schar_atomic_add((signed char *)at.local + 3, 1, 0)) \
    X(deprecated_pe, (void)nvshmem_int_fadd((int *)at.block, 1, -1)) \
    X(ibput_past_end, shmem_int_ibput((int *)(void *)(at.end - 36), (int *)at.local, 4, 2, 2, 4, \
                                      0)) \
    X(ibget_before_begin, shmem_ibget64(at.local, at.base + 16, 2, -2, 2, 3, 0)) \
    X(ibput_blocks, shmem_ibput32(at.block, at.local, 2, 2, 2, SIZE_MAX / 4, 0)) \
    X(pe_quiet_pe, shmem_pe_quiet(&pe_n, 1)) \
    X(shmem_old_pe, (void)shmem_long_swap((long *)at.block, 1, pe_n)) \
    X(lock_private, shmem_set_lock((long *)at.local)) \
    X(lock_misaligned, (void)shmem_test_lock((long *)(void *)(at.block + 4))) \
    X(lock_not_held, shmem_clear_lock((long *)at.block)) \
    X(lock_not_zero, lock_not_zero()) \
    X(typed_signal, nvshmemx_short_signal((short *)(void *)(at.block + 1), 1, 0)) \
    X(team_none, (void)nvshmem_barrier(7)) \
    X(team_invalid, (void)nvshmem_team_sync(NVSHMEM_TEAM_INVALID)) \
    X(broadcast_root, (void)nvshmem_broadcastmem(NVSHMEM_TEAM_WORLD, at.block, at.block, 8, 2)) \
    X(destroy_world, nvshmem_team_destroy(NVSHMEM_TEAM_WORLD)) \
    X(ctx_invalid, shmem_ctx_int_p(SHMEM_CTX_INVALID, (int *)at.block, 1, 0)) \
    X(ctx_destroyed, shmem_ctx_int_p(destroyed_ctx(), (int *)at.block, 1, 0)) \
    X(ctx_default, shmem_ctx_destroy(SHMEM_CTX_DEFAULT)) \
    X(ctx_pe, shmem_ctx_putmem(new_ctx(), at.block, at.local, 8, pe_n)) \
    X(shmem_root, (void)shmem_int_broadcast(SHMEM_TEAM_WORLD, (int *)at.block, (int *)at.block, 1, \
                                            pe_n)) \
    X(shmem_sst, (void)shmem_int_alltoalls(SHMEM_TEAM_WORLD, (int *)at.block, (int *)at.block, 1, \
                                           0, 1)) \
    X(shmem_destroy_world, shmem_team_destroy(SHMEM_TEAM_WORLD)) \
    X(active_set_without, shmem_barrier(0, 0, 1, NULL)) \
    X(active_set_past_end, shmem_short_sum_to_all((short *)at.block, (short *)at.block, 1, 1, 0, \
                                                  2, NULL, NULL)) \
    X(active_set_stride, shmem_fcollect32(at.block, at.block, 1, 0, -1, 2, NULL)) \
    X(pe_block, call_in_grid(put_block)) \
    X(cmp_warp, call_in_grid(wait_warp)) \
    X(killed, kill(getpid(), SIGKILL)) \
    X(global_exit, nvshmem_global_exit(7))

#define X(NAME, CALL) static void call_##NAME(void) { CALL; }
CALLS(X)
#undef X

/* Bad calls of what is collective: all PEs make them. */
static void call_malloc_differs(void) { nvshmem_malloc(64 + 64 * (size_t)pe_me); }
static void call_align_differs(void) { nvshmem_align(pe_me == 0 ? 1024 : 65536, 64); }
static void call_free_differs(void) { nvshmem_free(at.block + 512 * pe_me); }
static void call_ishmem_malloc_differs(void) { ishmem_malloc(64 + 64 * (size_t)pe_me); }
static void call_free_interior(void) { nvshmem_free(at.block + 64); }
static void call_free_foreign(void) { nvshmem_free(at.base - 4096 - 64 * pe_me); }
static void call_free_twice(void)
{
    void *block = nvshmem_malloc(1000);
    nvshmem_free(block);
    nvshmem_free(block);
}

static void call_split_differs(void)
{
    nvshmem_team_t team;
    nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, pe_me, 1, 1, NULL, 0, &team);
}

/* Nothing wrong: what ends at the heap's end, and odd pointers with no bytes. */
static void call_nothing_bad(void)
{
    nvshmem_putmem(at.end - 8, at.local, 8, 0);
    nvshmem_getmem(at.local, at.end - 64, 64, 0);
    nvshmem_putmem(at.end - 1, at.local, 0, 0);
    nvshmem_int_put(NULL, NULL, 0, 0);
    nvshmem_getmem(NULL, NULL, 0, 1);
    nvshmem_int32_atomic_set((int32_t *)(void *)(at.end - 4), 1, 0);
    nvshmem_team_destroy(NVSHMEM_TEAM_INVALID);
    nvshmem_barrier_all();
    printf("bad_input: PE %d: nothing bad\n", pe_me);
    nvshmem_finalize();
    exit(0);
}

static const struct {
    const char *name;
    void (*call)(void);
    bool collective;
} calls[] = {
#define X(NAME, CALL) {#NAME, call_##NAME, false},
    CALLS(X)
#undef X
#define X(NAME) {#NAME, call_##NAME, true}
    X(malloc_differs), X(ishmem_malloc_differs), X(align_differs), X(free_differs),
    X(free_interior), X(free_foreign), X(free_twice), X(split_differs),
    X(nothing_bad),
#undef X
};

static void find_borders(void)
{
    at.block = pe_alloc(4096);
    at.base = at.block - (uintptr_t)at.block % HEAP_ALIGNMENT;
    at.end = at.base + HEAP_BYTES + HEAP_ROOM;
}

ANYSHMEM_KERNEL(count_blocks)
{
    nvshmem_uint64_atomic_inc((uint64_t *)arg, 0);
}

/* From here on no thread can be started (but by root): a kernel of many blocks, and a stream. */
static void without_threads(void)
{
    void (*kernel)(void *) = count_blocks;
    const struct rlimit none = {0, 0};
    uint64_t *counter = pe_alloc(sizeof(*counter));
    void *argument = counter, *arguments[] = {&argument};
    const void *function;
    dim3 grid = {64, 1, 1}, block = {1, 1, 1};
    cudaStream_t stream;
    memcpy(&function, &kernel, sizeof(function));
    PE_NEED(setrlimit(RLIMIT_NPROC, &none) == 0);
    PE_NEED(nvshmemx_collective_launch(function, grid, block, arguments, 0, 0) == 0);
    printf("bad_input: PE %d: %llu blocks ran\n", pe_me, (unsigned long long)*counter);
    fflush(stdout);
    PE_NEED(anyshmemx_stream_create(&stream) == 0);
    nvshmemx_quiet_on_stream(stream);
    printf("bad_input: PE %d: CAME BACK\n", pe_me);
}

/* Calls at the wrong time; PE 0 is where it should be. */
static void wrong_time(const char *name)
{
    static uint64_t word;
    if (strcmp(name, "before_init") == 0) {
        const char *rank = getenv("PMIX_RANK");
        if (rank == NULL || atoi(rank) == 1) nvshmem_uint64_p(&word, 1, 0);
        nvshmem_init();
        nvshmem_barrier_all();
    } else if (strcmp(name, "after_finalize") == 0) {
        nvshmem_init();
        pe_started();
        nvshmem_finalize();
        if (pe_me == 1) nvshmem_uint64_atomic_inc(&word, 0);
        exit(0);
    } else if (strcmp(name, "start_only") == 0) {
        nvshmem_init();
        pe_started();
        printf("bad_input: PE %d: started\n", pe_me);
        nvshmem_finalize();
        exit(0);
    } else if (strcmp(name, "no_threads") == 0) {
        nvshmem_init();
        pe_started();
        without_threads();
        nvshmem_finalize();
        exit(0);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) return 99;
    /* Its threads may be counted. */
    if (strcmp(argv[1], "start_only") == 0) let_others_end();
    pe_watch("bad_input");
    wrong_time(argv[1]);
    setenv("NVSHMEM_SYMMETRIC_SIZE", "16M", 1);
    nvshmem_init();
    pe_started();
    find_borders();
    for (size_t i = 0; i < PE_COUNT(calls); i++) {
        if (strcmp(calls[i].name, argv[1]) != 0) continue;
        nvshmem_barrier_all();
        if (calls[i].collective || pe_me == 1) calls[i].call();
        if (calls[i].collective || pe_me == 1) printf("bad_input: PE %d: CAME BACK\n", pe_me);
        fflush(stdout);
        nvshmem_barrier_all();
        printf("bad_input: PE %d: WENT ON\n", pe_me);
        nvshmem_finalize();
        return 0;
    }
    fprintf(stderr, "bad_input: no such case: %s\n", argv[1]);
    return 99;
}
