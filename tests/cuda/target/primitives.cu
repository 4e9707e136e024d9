/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The primitives of device/target for CUDA, executed: loads, stores and atomics of all widths,
 * copies at all alignments, groups, and how threads end when the job does.
 */
#include "device/target/target.h"

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROOM 128

/* As device/target/cuda.cu has it. */
__constant__ struct ash_state ash_device_state;

static int n_wrong;

static void expect(const char *name, bool is_right)
{
    printf("%s: %s\n", name, is_right ? "right" : "WRONG");
    n_wrong += !is_right;
}

static void finish()
{
    cudaError_t error = cudaDeviceSynchronize();

    if (error != cudaSuccess) {
        printf("CUDA says: %s\n", cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
}

template <typename T> static T *managed(size_t n)
{
    T *memory;

    if (cudaMallocManaged(&memory, n * sizeof(T)) != cudaSuccess)
        exit(EXIT_FAILURE);
    memset((void *)memory, 0, n * sizeof(T));
    return memory;
}

static __device__ uint64_t cut(uint64_t bits, unsigned width)
{
    return width == 8 ? bits : bits & ((UINT64_C(1) << 8 * width) - 1);
}

/* Counts what is wrong; neighbours of a variable must stay. */
__global__ void words(uint64_t *memory, unsigned *wrong)
{
    const uint64_t first = UINT64_C(0x8123456789abcdef), second = UINT64_C(0x7ff0dead7fa0beef);

    for (unsigned width = 1; width <= 8; width *= 2) {
        memory[0] = memory[1] = UINT64_C(0xa5a5a5a5a5a5a5a5);
        dev_store_relaxed(memory, width, first);
        *wrong += dev_load_relaxed(memory, width) != cut(first, width);
        dev_store_release(memory, width, second);
        *wrong += dev_load_acquire(memory, width) != cut(second, width);
        *wrong += width < 8 && memory[0] >> 56 != 0xa5;
        *wrong += memory[1] != UINT64_C(0xa5a5a5a5a5a5a5a5);
        if (width == 1) continue;
        *wrong += dev_compare_swap(memory, width, cut(first, width), 5) != cut(second, width);
        *wrong += dev_compare_swap(memory, width, cut(second, width), first) != cut(second, width);
        *wrong += dev_exchange(memory, width, second) != cut(first, width);
        if (width == 2) continue;
        *wrong += dev_fetch_add(memory, width, 3) != cut(second, width);
        *wrong += dev_load_relaxed(memory, width) != cut(second + 3, width);
    }
    dev_store_release64(memory, 12);
    *wrong += dev_fetch_set64(memory, 3) != 12 || dev_fetch_clear64(memory, 4) != 15;
    *wrong += dev_load_acquire64(memory) != 11 || dev_fetch_add64(memory, 1) != 11;
    dev_store_own64(memory, 99);
    *wrong += dev_load_own64(memory) != 99 || dev_load_room64(memory) != 99;
    *wrong += dev_lowest_bit(UINT64_C(0x500000000)) != 32;
    dev_fence_acquire();
    dev_fence_release();
    dev_fence_full();
}

__global__ void pairs(uint64_t *slot, unsigned *wrong)
{
    uint64_t a, b;

    dev_store_pair(slot, 1, 2);
    dev_load_pair(slot, &a, &b);
    *wrong += a != 1 || b != 2;
    dev_store_slot(slot, 11, 12, 13, 14);
    *wrong += slot[0] != 11 || slot[1] != 12 || slot[2] != 13 || slot[3] != 14;
    dev_store_slot_alone(slot, 21, 22, 23, 24);
    *wrong += slot[0] != 21 || slot[1] != 22 || slot[2] != 23 || slot[3] != 24;
}

/* Each thread has a number of its own. */
__global__ void claims(uint64_t *counter, unsigned *taken)
{
    if (threadIdx.x % 3 != 1)
        atomicAdd(&taken[dev_claim64(counter)], 1u);
}

/* The threads of a group copy between all alignments; the host compares. */
__global__ void copies(unsigned char *to, const unsigned char *from, size_t nbytes,
                       enum ash_scope scope, bool uncached)
{
    if (scope == ASH_SCOPE_WARP && threadIdx.x >= 32) return;
    if (scope == ASH_SCOPE_THREAD && threadIdx.x != 0) return;
    if (scope == ASH_SCOPE_THREAD && uncached)
        dev_copy_uncached(to, from, nbytes);
    else if (scope == ASH_SCOPE_THREAD)
        dev_copy(to, from, nbytes);
    else if (uncached)
        dev_group_copy_uncached(scope, to, from, nbytes);
    else
        dev_group_copy(scope, to, from, nbytes);
    dev_group_sync(scope);
}

static bool copies_are_right(enum ash_scope scope, bool uncached)
{
    unsigned char *to = managed<unsigned char>(ROOM), *from = managed<unsigned char>(ROOM);
    size_t wrong = 0;

    for (size_t i = 0; i < ROOM; i++)
        from[i] = (unsigned char)(i * 7 + 1);
    for (size_t at = 0; at < 16; at += 3)
        for (size_t source = 0; source < 16; source += at % 2 ? 1 : 5)
            for (size_t nbytes = 0; nbytes < 80; nbytes += 13) {
                memset(to, 0xa5, ROOM);
                copies<<<1, 40>>>(to + at, from + source, nbytes, scope, uncached);
                finish();
                wrong += memcmp(to + at, from + source, nbytes) != 0;
                wrong += to[at + nbytes] != 0xa5 || (at > 0 && to[at - 1] != 0xa5);
            }
    cudaFree(to);
    cudaFree(from);
    return wrong == 0;
}

__global__ void overlaps(unsigned char *bytes)
{
    dev_copy(bytes + 3, bytes, 40);
    dev_copy(bytes + 50, bytes + 53, 40);
}

__global__ void groups(unsigned *out)
{
    unsigned number = dev_thread_number();

    out[number] = dev_group_rank(ASH_SCOPE_WARP) * 100 + dev_group_size(ASH_SCOPE_WARP);
    out[128 + number] = (unsigned)dev_group_broadcast(ASH_SCOPE_WARP, number);
    out[256 + number] = (unsigned)dev_group_broadcast(ASH_SCOPE_BLOCK, 7 + number);
    out[384 + number] = dev_group_size(ASH_SCOPE_BLOCK) + dev_group_rank(ASH_SCOPE_THREAD);
}

/* Odd threads wait for what does not come until the job ends; the others meet without them. */
__global__ void poisoned(unsigned *out)
{
    if (threadIdx.x % 2) {
        struct dev_backoff backoff = dev_backoff_start();
        for (;;) dev_backoff(&backoff);
    }
    __syncthreads();
    atomicAdd(out, 1u);
}

__global__ void faulty()
{
    struct ash_fault fault = {};

    fault.kind = ASH_FAULT_KERNEL;
    fault.function = "a function";
    fault.argument = "an argument";
    fault.value = 4711;
    dev_fault(&fault);
}

int main()
{
    unsigned *out = managed<unsigned>(512), *wrong = managed<unsigned>(1);
    uint64_t *memory = managed<uint64_t>(8);
    struct ash_state state = {};
    size_t n = 0;

    alarm(120);
    words<<<1, 1>>>(memory, wrong);
    finish();
    expect("loads, stores, atomics", *wrong == 0);
    pairs<<<1, 1>>>(memory, wrong);
    finish();
    expect("pairs and slots", *wrong == 0);
    memory[0] = 0;
    claims<<<2, 75>>>(memory, out);
    finish();
    for (int i = 0; i < 101; i++) n += out[i] == (i < 100);
    expect("claims", n == 101 && memory[0] == 100);
    expect("a thread's copies", copies_are_right(ASH_SCOPE_THREAD, false));
    expect("uncached copies", copies_are_right(ASH_SCOPE_THREAD, true));
    expect("a warp's copies", copies_are_right(ASH_SCOPE_WARP, false));
    expect("a block's uncached copies", copies_are_right(ASH_SCOPE_BLOCK, true));
    unsigned char *bytes = managed<unsigned char>(ROOM);
    for (int i = 0; i < ROOM; i++) bytes[i] = (unsigned char)i;
    overlaps<<<1, 1>>>(bytes);
    finish();
    expect("copies within themselves", bytes[2] == 2 && bytes[3] == 0 && bytes[42] == 39 &&
                                           bytes[50] == 53 && bytes[89] == 92 && bytes[90] == 90);
    groups<<<1, dim3(4, 5, 2)>>>(out);
    finish();
    expect("ranks, sizes, broadcasts", out[5] == 532 && out[37] == 508 && out[128 + 37] == 32 &&
                                           out[256 + 39] == 7 && out[384 + 9] == 40);
    uint32_t *words_of_job = managed<uint32_t>(2);
    struct ash_fault_box *box = managed<struct ash_fault_box>(1);
    state.gpu.poison = &words_of_job[0];
    state.gpu.fault_taken = &words_of_job[1];
    state.gpu.fault = box;
    expect("the state's symbol",
           cudaMemcpyToSymbol(ash_device_state, &state, sizeof(state)) == cudaSuccess);
    faulty<<<2, 40>>>();
    while (__atomic_load_n(&box->ready, __ATOMIC_ACQUIRE) == 0) usleep(1000);
    expect("a fault", strcmp(box->function, "a function") == 0 && box->value == 4711 &&
                          strcmp(box->argument, "an argument") == 0 && words_of_job[1] == 1);
    __atomic_store_n(&words_of_job[0], 1u, __ATOMIC_RELEASE);
    finish();
    expect("the job's end ends threads", cudaStreamQuery(0) == cudaSuccess);
    out[0] = 0;
    poisoned<<<3, 64>>>(out);
    finish();
    expect("and their block goes on", out[0] == 96);
    puts(n_wrong ? "wrong" : "all right");
    return n_wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
