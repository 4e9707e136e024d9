/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A put or a get between a PE and itself takes any of its memory, not only that of its heap: put,
 * get, p, g, put with signal, iput and iget, by a host thread, on a stream, and by a thread, a warp
 * and a block of a kernel.  The right bytes change, and none beside them.
 */
#include <anyshmem_kernel.h>
#include <nvshmemx.h>
#include <pthread.h>
#include <string.h>

#include "tests/support/pe.h"

#define BYTES 5000u
/* Beside the data, on both sides. */
#define MARGIN 64u
#define ROOM (BYTES + 2 * MARGIN)
#define KERNEL_THREADS 40u
#define N_SIZES 7u
#define BYTE_BEFORE 0x5a

enum what { PUT, PUT_NBI, GET, GET_NBI, PUT_SIGNAL, PUT_SIGNAL_NBI, N_WHAT };
enum who { BY_THREAD, BY_WARP, BY_BLOCK, ON_STREAM, N_WHO };

struct copy {
    enum what what;
    enum who who;
    size_t nbytes, at;
    unsigned char *dest, *source;
    uint64_t *signal;
    cudaStream_t stream;
};

#define PUT_CALL(NAME, ...) NAME(c->dest + c->at, c->source + c->at, c->nbytes, __VA_ARGS__)
#define SIGNAL_CALL(NAME, ...) \
    PUT_CALL(NAME, c->signal, 1, NVSHMEM_SIGNAL_ADD, __VA_ARGS__)
#define CALL(WHAT, FORM, NAME) \
    case WHAT: \
        switch (c->who) { \
        case BY_THREAD: FORM(nvshmem_##NAME, pe_me); break; \
        case BY_WARP: FORM(nvshmemx_##NAME##_warp, pe_me); break; \
        case BY_BLOCK: FORM(nvshmemx_##NAME##_block, pe_me); break; \
        default: FORM(nvshmemx_##NAME##_on_stream, pe_me, c->stream); break; \
        } \
        break;

static void call(const struct copy *c)
{
    switch (c->what) {
        CALL(PUT, PUT_CALL, putmem)
        CALL(PUT_NBI, PUT_CALL, putmem_nbi)
        CALL(GET, PUT_CALL, getmem)
        CALL(GET_NBI, PUT_CALL, getmem_nbi)
        CALL(PUT_SIGNAL, SIGNAL_CALL, putmem_signal)
        CALL(PUT_SIGNAL_NBI, SIGNAL_CALL, putmem_signal_nbi)
    default: break;
    }
}

ANYSHMEM_KERNEL(call_in_kernel)
{
    const struct copy *c = (const struct copy *)arg;
    if (c->who == BY_BLOCK || threadIdx.x < (c->who == BY_WARP ? ANYSHMEM_WARP_SIZE : 1u)) call(c);
}

static void launch(struct copy *c)
{
    void *arg = c, *args[] = {&arg};
    dim3 grid = {1, 1, 1}, block = {KERNEL_THREADS, 1, 1};
    PE_EQUAL(nvshmemx_collective_launch((const void *)call_in_kernel, grid, block, args, 0, 0), 0);
}

static void run(struct copy *c, bool in_kernel)
{
    unsigned char want[ROOM];
    uint64_t before = *c->signal;
    memset(c->dest, BYTE_BEFORE, ROOM);
    memset(want, BYTE_BEFORE, ROOM);
    pe_fill(c->source, ROOM, (uint64_t)c->nbytes + c->what);
    memcpy(want + c->at, c->source + c->at, c->nbytes);
    if (in_kernel)
        launch(c);
    else
        call(c);
    PE_EQUAL(anyshmemx_stream_synchronize(c->stream), 0);
    nvshmem_quiet();
    PE_EQUAL(memcmp(c->dest, want, ROOM), 0);
    PE_EQUAL(*c->signal - before, c->what >= PUT_SIGNAL ? 1 : 0);
}

/* What the PE number belongs to is private; the other side is private, or in the heap. */
static void copies(struct copy *c, unsigned char *heap)
{
    static unsigned char first[ROOM], second[ROOM];
    static const size_t sizes[N_SIZES] = {0, 1, 8, 48, 49, 1000, BYTES};
    for (unsigned what = 0; what < N_WHAT; what++)
        for (unsigned i = 0; i < N_SIZES * N_WHO * 2; i++) {
            bool get = what == GET || what == GET_NBI, near_is_heap = i / N_WHO / N_SIZES == 1;
            c->what = (enum what)what;
            c->who = (enum who)(i % N_WHO);
            c->nbytes = sizes[i / N_WHO % N_SIZES];
            c->at = c->nbytes == 8 ? MARGIN : MARGIN - 3;
            c->dest = get && near_is_heap ? heap : first;
            c->source = !get && near_is_heap ? heap : second;
            for (int in_kernel = 0; in_kernel < (c->who == ON_STREAM ? 1 : 2); in_kernel++) {
                pe_step("%u of %zu bytes, by %d, %d", what, c->nbytes, (int)c->who, in_kernel);
                run(c, in_kernel == 1);
            }
        }
}

/* Elements: aligned, and not aligned. */
static void elements(cudaStream_t stream)
{
    static unsigned char memory[32];
    for (size_t at = 8; at < 16; at++) {
        double *number = (double *)(void *)(memory + at);
        unsigned char want[32];
        double value = 1.5 + (double)at;
        memset(memory, BYTE_BEFORE, sizeof(memory));
        memset(want, BYTE_BEFORE, sizeof(want));
        memcpy(want + at, &value, sizeof(value));
        pe_step("p and g of memory at %zu", at);
        nvshmem_double_p(number, value, pe_me);
        PE_EQUAL(memcmp(memory, want, sizeof(memory)), 0);
        PE_EQUAL(nvshmem_double_g(number, pe_me) == value, 1);
        value += 1;
        memcpy(want + at, &value, sizeof(value));
        nvshmemx_double_p_on_stream(number, value, pe_me, stream);
        PE_EQUAL(nvshmemx_double_g_on_stream(number, pe_me, stream) == value, 1);
        PE_EQUAL(memcmp(memory, want, sizeof(memory)), 0);
    }
}

static void strided(cudaStream_t stream)
{
    int matrix[12], column[4] = {1, 2, 3, 4}, back[4] = {0, 0, 0, 0};
    memset(matrix, 0, sizeof(matrix));
    pe_step("iput and iget");
    nvshmem_int_iput(matrix + 1, column, 3, 1, 4, pe_me);
    for (int i = 0; i < 12; i++) PE_EQUAL(matrix[i], i % 3 == 1 ? i / 3 + 1 : 0);
    nvshmem_int_iget(back + 3, matrix + 1, -1, 3, 4, pe_me);
    for (int i = 0; i < 4; i++) PE_EQUAL(back[i], 4 - i);
    nvshmemx_int_iput_on_stream(matrix + 11, column, -3, 1, 4, pe_me, stream);
    PE_EQUAL(anyshmemx_stream_synchronize(stream), 0);
    for (int i = 0; i < 4; i++) PE_EQUAL(matrix[11 - 3 * i], i + 1);
}

static void *waits(void *variable)
{
    nvshmem_long_wait_until((long *)variable, NVSHMEM_CMP_EQ, 3);
    return NULL;
}

/* A thread that waits for a variable in private memory is notified. */
static void waiter(void)
{
    static long variable[2];
    pthread_t thread;
    pe_step("a wait for private memory");
    for (int way = 0; way < 2; way++) {
        long three = 3;
        variable[way] = 0;
        PE_NEED(pthread_create(&thread, NULL, waits, &variable[way]) == 0);
        if (way == 0)
            nvshmem_long_p(&variable[way], three, pe_me);
        else
            nvshmem_long_put(&variable[way], &three, 1, pe_me);
        PE_NEED(pthread_join(thread, NULL) == 0);
    }
}

int main(void)
{
    struct copy c;
    unsigned char *heap;
    pe_start("own_memory");
    memset(&c, 0, sizeof(c));
    heap = pe_alloc(ROOM);
    c.signal = pe_alloc(sizeof(*c.signal));
    *c.signal = 0;
    PE_NEED(anyshmemx_stream_create(&c.stream) == 0);
    copies(&c, heap);
    elements(c.stream);
    strided(c.stream);
    waiter();
    PE_EQUAL(anyshmemx_stream_destroy(c.stream), 0);
    nvshmem_free(c.signal);
    nvshmem_free(heap);
    return pe_finish();
}
