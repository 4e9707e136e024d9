/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tests/conformance for a GPU: routines that kernels may call, called by a kernel for their result.
 * tests/gpu/make_conformance makes what is included here: rows.h, the rows that are tested, and the
 * tests' C with all functions made the device's (conform.h, conform.c, collective_table.c).
 */
#include <anyshmem_kernel.h>
#include <ishmemx.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/pe.h"

/* A warp and some more. */
#define KERNEL_THREADS 40u
#define STACK_BYTES 8192
#define MESSAGES_MAX 40u
#define TIME_LIMIT 120

#define FN static __device__

/* What the tests' functions are in a kernel. */

struct verdict {
    unsigned checks, failures;
    const char *step;
};
static __device__ struct verdict verdict;

FN bool check(bool holds, int line, const char *text, uint64_t got, uint64_t want)
{
    atomicAdd(&verdict.checks, 1);
    if (!holds && atomicAdd(&verdict.failures, 1) < MESSAGES_MAX)
        printf("conformance: PE %d: %s: line %d: %s: expected 0x%llx, got 0x%llx (thread %u)\n",
               nvshmem_my_pe(), verdict.step, line, text, (unsigned long long)want,
               (unsigned long long)got, threadIdx.x);
    return holds;
}

FN bool kernel_check_true(const char *, int line, const char *text, bool holds)
{
    return check(holds, line, text, holds, 1);
}

FN bool kernel_check_equal(const char *, int line, const char *text, uint64_t got, uint64_t want)
{
    return check(got == want, line, text, got, want);
}

FN uint64_t kernel_load_bits(const void *variable, size_t width)
{
    uint64_t bits = 0;
    memcpy(&bits, variable, width);
    return bits;
}

FN void kernel_store_bits(void *variable, size_t width, uint64_t bits)
{
    memcpy(variable, &bits, width < 8 ? width : 8);
}

FN uint8_t fill_byte(size_t i, uint64_t seed)
{
    uint32_t mixed = (uint32_t)(seed * UINT64_C(0xbf58476d1ce4e5b9) >> 32);
    return (uint8_t)(((uint32_t)i * 0x9e3779b1u + mixed) >> 21);
}

FN void kernel_fill(void *bytes, size_t nbytes, uint64_t seed)
{
    for (size_t i = 0; i < nbytes; i++) ((uint8_t *)bytes)[i] = fill_byte(i, seed);
}

FN bool kernel_check_fill(const char *, int line, const char *text, const void *bytes,
                          size_t nbytes, uint64_t seed)
{
    size_t i = 0;
    while (i < nbytes && ((const uint8_t *)bytes)[i] == fill_byte(i, seed)) i++;
    return check(i == nbytes, line, text, i, nbytes);
}

FN bool kernel_check_bytes(const char *, int line, const char *text, const void *bytes,
                           size_t nbytes, unsigned char want)
{
    size_t i = 0;
    while (i < nbytes && ((const uint8_t *)bytes)[i] == want) i++;
    return check(i == nbytes, line, text, i, nbytes);
}

FN void kernel_stop(const char *, int line, const char *text)
{
    check(false, line, text, 0, 1);
    __trap();
}

FN void kernel_step(const char *, const char *, const char *name) { verdict.step = name; }

FN void kernel_sleep_us(unsigned us)
{
    while (us-- > 0) __nanosleep(1000);
}

FN bool kernel_all_mapped(const void *symmetric)
{
    for (int pe = 0; pe < nvshmem_n_pes(); pe++)
        if (nvshmem_ptr(symmetric, pe) == NULL) return false;
    return true;
}

FN size_t kernel_strlen(const char *a)
{
    size_t n = 0;
    while (a[n] != 0) n++;
    return n;
}

FN int kernel_memcmp(const void *a, const void *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (((const uint8_t *)a)[i] != ((const uint8_t *)b)[i]) return 1;
    return 0;
}

FN int kernel_strcmp(const char *a, const char *b)
{
    return kernel_strlen(a) != kernel_strlen(b) || kernel_memcmp(a, b, kernel_strlen(a)) != 0;
}

FN const char *kernel_strchr(const char *a, int c)
{
    while (*a != 0 && *a != c) a++;
    return a;
}

/* Of one character. */
FN size_t kernel_strcspn(const char *a, const char *stop)
{
    return (size_t)(kernel_strchr(a, stop[0]) - a);
}

#define pe_check_true kernel_check_true
#define pe_check_equal kernel_check_equal
#define pe_check_fill kernel_check_fill
#define pe_check_bytes kernel_check_bytes
#define pe_load_bits kernel_load_bits
#define pe_store_bits kernel_store_bits
#define pe_fill kernel_fill
#define pe_stop kernel_stop
#define pe_step kernel_step
#define pe_sleep_us kernel_sleep_us
#define pe_all_mapped kernel_all_mapped
#define pe_me nvshmem_my_pe()
#define pe_n nvshmem_n_pes()
#define strlen kernel_strlen
#define strcmp kernel_strcmp
#define strchr kernel_strchr
#define strcspn kernel_strcspn
#define memcmp kernel_memcmp
/* Streams are the host's. */
#define anyshmemx_stream_synchronize(stream) 0
#define _Alignas alignas
#define __extension__

#include "tests/conformance/conform.c"
#include "tests/support/collective_table.c"
#undef ROW

#include "tests/conformance/work_group.h"
/* A kernel starts no other program: see the test "exits". */
#undef TEST_GLOBAL_EXIT
#define TEST_GLOBAL_EXIT(F, TYPE, CALLER, API, VALUES)

#define ROW(NUMBER, FAMILY, NAME, TEST, TYPE, CALLER, API, VALUES) \
    HERE(NUMBER, NAME, TEST, TYPE, CALLER, API, VALUES)
#define HERE(NUMBER, NAME, TEST, TYPE, CALLER, API, VALUES) \
    static __device__ __noinline__ void run_##NUMBER(struct conform *c) \
    { \
        (void)c; \
        TEST_##TEST(NAME, TYPE, CALLER, API, VALUES); \
    }
#include "rows.h"
#undef HERE

static __global__ void kernel_rows(struct conform *c)
{
#define HERE(NUMBER, NAME, TEST, TYPE, CALLER, API, VALUES) \
    conform_step(c, #NAME); \
    run_##NUMBER(c);
#include "rows.h"
#undef HERE
}

static void need(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return;
    printf("conformance: PE %d: %s: %s\n", nvshmem_my_pe(), what, cudaGetErrorString(error));
    fflush(stdout);
    nvshmem_global_exit(3);
}

/* What the kernel and the host both read, in the host's memory. */
static struct conform *make_conform(void)
{
    struct conform *c = NULL;
    int *qp = NULL;
    need(cudaMallocHost(&c, sizeof(*c)), "cudaMallocHost");
    memset((void *)c, 0, sizeof(*c));
    c->memory = (struct conform_memory *)nvshmem_calloc(1, sizeof(*c->memory));
    c->long_dest = (unsigned char *)nvshmem_calloc(1, LONG_BYTES);
    c->long_source = (unsigned char *)nvshmem_calloc(1, LONG_BYTES);
    c->to = (nvshmem_my_pe() + 1) % nvshmem_n_pes();
    c->from = (nvshmem_my_pe() + nvshmem_n_pes() - 1) % nvshmem_n_pes();
    c->in_kernel = true;
    need(cudaMallocHost(&c->qp, 2 * sizeof(*qp)), "cudaMallocHost");
    if (nvshmemx_qp_create(2, &qp) != 0) nvshmem_global_exit(4);
    c->qp[0] = qp[0];
    c->qp[1] = qp[1];
    return c;
}

int main()
{
    struct conform *c;
    struct verdict found;
    void *args[] = {&c};
    (void)alarm(TIME_LIMIT);
    nvshmem_init();
    need(cudaDeviceSetLimit(cudaLimitStackSize, STACK_BYTES), "cudaDeviceSetLimit");
    c = make_conform();
    if (nvshmemx_collective_launch((const void *)kernel_rows, dim3(1), dim3(KERNEL_THREADS), args,
                                   0, 0) != 0)
        nvshmem_global_exit(5);
    need(cudaDeviceSynchronize(), "the kernel");
    need(cudaMemcpyFromSymbol(&found, verdict, sizeof(found)), "cudaMemcpyFromSymbol");
    printf("conformance: PE %d of %d: done, %u checks of %u functions, %u failed\n",
           nvshmem_my_pe(), nvshmem_n_pes(), found.checks, c->functions, found.failures);
    nvshmem_barrier_all();
    nvshmem_finalize();
    return found.failures != 0;
}
