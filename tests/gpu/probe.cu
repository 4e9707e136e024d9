/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a GPU machine does with the mechanisms that the channel relies on: one line
 * "name value unit" each.  Every kernel is bounded in time; about 30 s, one GPU.
 */
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <chrono>
#include <algorithm>
#include <vector>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <emmintrin.h>
#include <cuda.h>

#include "tests/gpu/probe_kernels.h"

#define CHECK(call) \
    do { \
        cudaError_t e_ = (call); \
        if (e_ != cudaSuccess) { \
            printf("error %s: %s\n", #call, cudaGetErrorString(e_)); \
            fflush(stdout); \
            return; \
        } \
    } while (0)

static double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

static void say(const char *name, double v, const char *unit)
{
    printf("%-58s %14.4f %s\n", name, v, unit);
    fflush(stdout);
}

static void ping_pong(u64 *host, u64 *dev, const char *label, int mode)
{
    const int rounds = 20000;
    int *to;
    CHECK(cudaMallocHost(&to, sizeof *to));
    *to = 0;
    auto *ping = (std::atomic<u64> *)host;
    auto *answer = (std::atomic<u64> *)(host + 64);
    *ping = 0;
    *answer = 0;
    pong<<<1, 1>>>(dev, dev + 64, rounds, mode, to);
    std::vector<double> us;
    double stop = now() + 6;
    for (u64 i = 1; i <= rounds && now() < stop; i++) {
        double t0 = now();
        ping->store(i, std::memory_order_release);
        while (answer->load(std::memory_order_acquire) < i && now() < stop) {
        }
        us.push_back((now() - t0) * 1e6);
    }
    CHECK(cudaDeviceSynchronize());
    std::sort(us.begin(), us.end());
    char n[96];
    snprintf(n, sizeof n, "flag round trip CPU-GPU-CPU, %s, min", label);
    say(n, us[0], "us");
    snprintf(n, sizeof n, "flag round trip CPU-GPU-CPU, %s, median", label);
    say(n, us[us.size() / 2], "us");
    if (*to)
        printf("note kernel hit its limit\n");
    cudaFreeHost(to);
}

static void push_cost(char *ring, u64 slots)
{
    static const char *names[] = {"2 x v2 relaxed", "v2 relaxed + v2 release", "2 x b128 relaxed",
                                  "1 x v2 release (16 B)"};
    u64 *ticket, *cycles;
    CHECK(cudaMalloc(&ticket, 8));
    CHECK(cudaMallocHost(&cycles, 8));
    for (int mode = 0; mode < 4; mode++)
        for (int shape = 0; shape < 3; shape++) {
            int blocks = shape == 2 ? 132 : 1, threads = shape == 0 ? 1 : 256,
                per = shape == 0   ? 20000
                      : shape == 1 ? 500
                                   : 100;
            CHECK(cudaMemset(ticket, 0, 8));
            push<<<blocks, threads>>>(ring, slots, ticket, 10, mode, cycles);
            CHECK(cudaDeviceSynchronize());
            cudaEvent_t a, b;
            cudaEventCreate(&a);
            cudaEventCreate(&b);
            cudaEventRecord(a);
            push<<<blocks, threads>>>(ring, slots, ticket, per, mode, cycles);
            cudaEventRecord(b);
            CHECK(cudaDeviceSynchronize());
            float ms;
            cudaEventElapsedTime(&ms, a, b);
            double ops = (double)blocks * threads * per;
            char n[96];
            snprintf(n, sizeof n, "push %s, %d x %d threads", names[mode], blocks, threads);
            say(n, ops / ms / 1e3, "M/s");
            if (shape == 0) {
                snprintf(n, sizeof n, "push %s, one thread", names[mode]);
                say(n, ms * 1e6 / ops, "ns");
            }
        }
    cudaFree(ticket);
    cudaFreeHost(cycles);
}

/* One load of 16 bytes: from an intrinsic the compiler may make two of 8. */
static void load16(const char *p, u64 *w)
{
    __m128i v;
    asm volatile("movdqa %1, %0" : "=x"(v) : "m"(*(const __m128i *)p) : "memory");
    _mm_storeu_si128((__m128i *)w, v);
}

/* Also, as the channel reads a slot: the first word, then the second, which must not be older. */
static void torn_stores(char *host, char *dev)
{
    for (int mode = 0; mode < 2; mode++) {
        memset(host, 0, 64 * 64);
        tear<<<1, 32>>>(dev, 64, 300000, mode);
        u64 seen = 0, torn = 0, late = 0;
        double stop = now() + 4;
        while (cudaStreamQuery(0) == cudaErrorNotReady && now() < stop)
            for (int s = 0; s < 64; s++) {
                auto *words = (std::atomic<u64> *)(host + s * 64);
                u64 w[2];
                load16(host + s * 64, w);
                seen++;
                torn += w[0] != w[1];
                w[0] = words[0].load(std::memory_order_acquire);
                late += words[1].load(std::memory_order_relaxed) < w[0];
            }
        CHECK(cudaDeviceSynchronize());
        say(mode ? "16-byte stores b128 seen by the CPU" : "16-byte stores v2 seen by the CPU",
            (double)seen, "loads");
        say(mode ? "of these torn (b128)" : "of these torn (v2)", (double)torn, "loads");
        say(mode ? "second word older than the first (b128)"
                 : "second word older than the first (v2)",
            (double)late, "loads");
    }
}

static void bandwidth(char *hdev, char *host, size_t bytes)
{
    char *d;
    CHECK(cudaMalloc(&d, bytes));
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    float ms;
    for (int k = 0; k < 4; k++)
        for (int warm = 0; warm < 2; warm++) {
            cudaEventRecord(a);
            if (k == 0)
                copy16<<<264, 512>>>((uint4 *)d, (uint4 *)hdev, bytes / 16);
            else if (k == 1)
                copy16<<<264, 512>>>((uint4 *)hdev, (uint4 *)d, bytes / 16);
            else if (k == 2)
                cudaMemcpyAsync(host, d, bytes, cudaMemcpyDeviceToHost);
            else
                cudaMemcpyAsync(d, host, bytes, cudaMemcpyHostToDevice);
            cudaEventRecord(b);
            CHECK(cudaDeviceSynchronize());
            cudaEventElapsedTime(&ms, a, b);
            static const char *n[] = {"kernel stores to host memory",
                                      "kernel loads from host memory", "copy engine to host",
                                      "copy engine from host"};
            if (warm)
                say(n[k], bytes / ms / 1e6, "GB/s");
        }
    cudaFree(d);
}

static void time_slicing(u64 *shared, int me)
{
    CHECK(cudaHostRegister(shared, 4096, cudaHostRegisterMapped));
    u64 *d;
    CHECK(cudaHostGetDevicePointer(&d, shared, 0));
    int *late;
    CHECK(cudaMallocHost(&late, 4));
    *late = 0;
    auto *ready = (std::atomic<u64> *)(shared + 64);
    ready->fetch_add(1);
    double stop = now() + 20;
    while (*ready < 2 && now() < stop)
        usleep(100);
    if (*ready < 2) {
        printf("error the other process did not come\n");
        return;
    }
    double t0 = now();
    turns<<<1, 1>>>(d, me, 200, late);
    CHECK(cudaDeviceSynchronize());
    if (me == 0) {
        say("two processes on one GPU, 400 hand-overs, each", (now() - t0) / 400 * 1e6, "us");
        if (*late)
            printf("note the hand-over hit its limit of 5 s\n");
    }
}

static void attributes()
{
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    int v;
    printf("device %s, compute capability %d.%d, %d multiprocessors\n", p.name, p.major, p.minor,
           p.multiProcessorCount);
    int drv = 0, rt = 0;
    cudaDriverGetVersion(&drv);
    cudaRuntimeGetVersion(&rt);
    printf("driver %d runtime %d\n", drv, rt);
    struct {
        cudaDeviceAttr a;
        const char *n;
    } t[] = {{cudaDevAttrHostNativeAtomicSupported, "hostNativeAtomicSupported"},
             {cudaDevAttrPageableMemoryAccess, "pageableMemoryAccess"},
             {cudaDevAttrCanUseHostPointerForRegisteredMem, "canUseHostPointerForRegisteredMem"},
             {cudaDevAttrHostRegisterSupported, "hostRegisterSupported"},
             {cudaDevAttrCanFlushRemoteWrites, "canFlushRemoteWrites"},
             {cudaDevAttrCooperativeLaunch, "cooperativeLaunch"},
             {cudaDevAttrGPUDirectRDMASupported, "gpuDirectRDMASupported"}};
    for (auto &x : t) {
        v = -1;
        cudaDeviceGetAttribute(&v, x.a, 0);
        printf("attribute %s %d\n", x.n, v);
    }
    fflush(stdout);
}

static void stream_values(u64 *dev, u64 *host)
{
    void *w = nullptr;
    cudaDriverEntryPointQueryResult q;
    if (cudaGetDriverEntryPointByVersion("cuStreamWriteValue64", &w, 12000, cudaEnableDefault,
                                         &q) != cudaSuccess ||
        !w) {
        printf("cuStreamWriteValue64 not found\n");
        return;
    }
    auto write = (CUresult(*)(CUstream, CUdeviceptr, cuuint64_t, unsigned))w;
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    ((std::atomic<u64> *)host)->store(0);
    double t0 = now();
    CUresult r = write((CUstream)s, (CUdeviceptr)dev, 7, 0);
    CHECK(cudaStreamSynchronize(s));
    printf("cuStreamWriteValue64 on registered host memory: result %d, value %llu\n", (int)r,
           *host);
    say("stream write value and synchronize", (now() - t0) * 1e6, "us");
}

static void in_one_process(char *host, size_t bytes)
{
    attributes();
    char *dev;
    double t0 = now();
    CHECK(cudaHostRegister(host, bytes, cudaHostRegisterMapped | cudaHostRegisterPortable));
    say("cudaHostRegister of a 256 MiB memfd mapping", (now() - t0) * 1e3, "ms");
    CHECK(cudaHostGetDevicePointer(&dev, host, 0));
    printf("device pointer %s the host pointer\n", dev == host ? "equals" : "differs from");
    ping_pong((u64 *)host, (u64 *)dev, "acquire/release", 0);
    ping_pong((u64 *)host, (u64 *)dev, "relaxed", 1);
    push_cost(dev, 4096);
    torn_stores(host, dev);
    stream_values((u64 *)dev, (u64 *)host);
    bandwidth(dev, host, bytes);
}

int main()
{
    size_t bytes = 256u << 20;
    int fd = memfd_create("probe", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, bytes)) {
        perror("memfd");
        return 1;
    }
    char *host = (char *)mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    u64 *shared = (u64 *)mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (host == MAP_FAILED || shared == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    pid_t a = fork();
    if (a == 0) {
        in_one_process(host, bytes);
        _exit(0);
    }
    waitpid(a, 0, 0);
    pid_t p[2];
    for (int me = 0; me < 2; me++)
        if ((p[me] = fork()) == 0) {
            time_slicing(shared, me);
            _exit(0);
        }
    for (int me = 0; me < 2; me++)
        waitpid(p[me], 0, 0);
    return 0;
}
