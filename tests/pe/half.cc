// SPDX-License-Identifier: BSD-3-Clause
// The routines of half and bfloat16 from C++: with CUDA's types where its headers are found,
// else with the library's own, which have the same bits.
#include <nvshmem.h>
#include <nvshmemx.h>

#include <cstdio>
#include <cstring>
#include <type_traits>

#include "tests/support/pe.h"

#if defined(__has_include)
#if __has_include(<cuda_fp16.h>) && __has_include(<cuda_bf16.h>)
#define CUDA_TYPES 1
static_assert(std::is_same<nvshmem_half_t, __half>::value, "CUDA's half");
static_assert(std::is_same<nvshmem_half_t, half>::value, "CUDA's half");
static_assert(std::is_same<nvshmem_bfloat16_t, __nv_bfloat16>::value, "CUDA's bfloat16");
#endif
#endif

// A number by its bits, which is what all PEs see of it.
template <typename T> static T from(unsigned bits)
{
    unsigned short word = static_cast<unsigned short>(bits);
    T value;
    std::memcpy(static_cast<void *>(&value), &word, sizeof(value));
    return value;
}

template <typename T> static unsigned bits_of(const T &value)
{
    unsigned short word;
    std::memcpy(&word, &value, sizeof(word));
    return word;
}

#define N 5u

// One and two as `one` and `two`, of NAME.
#define TEST(NAME, T, ONE, TWO, THREE) \
    static void test_##NAME() \
    { \
        int next = (pe_me + 1) % pe_n; \
        T *target = static_cast<T *>(pe_alloc(N * sizeof(T))); \
        T *result = static_cast<T *>(pe_alloc(N * sizeof(T))); \
        uint64_t *signal = static_cast<uint64_t *>(pe_alloc(sizeof(*signal))); \
        T local[N]; \
        pe_step(#NAME); \
        nvshmem_##NAME##_p(target, from<T>(ONE), next); \
        nvshmem_barrier_all(); \
        PE_EQUAL(bits_of(target[0]), ONE); \
        PE_EQUAL(bits_of(nvshmem_##NAME##_g(target, next)), ONE); \
        for (unsigned i = 0; i < N; i++) local[i] = from<T>(TWO + i); \
        nvshmem_barrier_all(); \
        nvshmem_##NAME##_put(target, local, N, next); \
        nvshmem_##NAME##_put_nbi(target, local, N, next); \
        nvshmem_barrier_all(); \
        for (unsigned i = 0; i < N; i++) PE_EQUAL(bits_of(target[i]), TWO + i); \
        std::memset(static_cast<void *>(local), 0, sizeof(local)); \
        nvshmem_##NAME##_get(local, target, N, next); \
        for (unsigned i = 0; i < N; i++) PE_EQUAL(bits_of(local[i]), TWO + i); \
        local[0] = from<T>(THREE); \
        nvshmem_barrier_all(); \
        nvshmem_##NAME##_put_signal(target, local, 1, signal, 1, NVSHMEM_SIGNAL_SET, next); \
        nvshmem_signal_wait_until(signal, NVSHMEM_CMP_EQ, 1); \
        PE_EQUAL(bits_of(target[0]), THREE); \
        nvshmem_barrier_all(); \
        nvshmemx_##NAME##_p_on_stream(target, from<T>(ONE), next, 0); \
        PE_EQUAL(anyshmemx_stream_synchronize(0), 0); \
        nvshmem_barrier_all(); \
        PE_EQUAL(bits_of(target[0]), ONE); \
        target[0] = from<T>(pe_me == 0 ? ONE : TWO); \
        nvshmem_barrier_all(); \
        PE_EQUAL(nvshmem_##NAME##_sum_reduce(NVSHMEM_TEAM_WORLD, result, target, 1), 0); \
        PE_EQUAL(bits_of(result[0]), THREE); \
    }
TEST(half, nvshmem_half_t, 0x3c00u, 0x4000u, 0x4200u)
TEST(bfloat16, nvshmem_bfloat16_t, 0x3f80u, 0x4000u, 0x4040u)

int main()
{
    pe_start("half");
    PE_NEED(pe_n == 2);
    test_half();
    test_bfloat16();
#if defined(CUDA_TYPES)
    // CUDA's own numbers, by value there and back.
    nvshmem_half_t *word = static_cast<nvshmem_half_t *>(pe_alloc(sizeof(*word)));
    nvshmem_half_p(word, __float2half(-1.5f), pe_me);
    PE_TRUE(__half2float(nvshmem_half_g(word, pe_me)) == -1.5f);
#endif
    return pe_finish();
}
