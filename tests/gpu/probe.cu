/* SPDX-License-Identifier: BSD-3-Clause */
// What a GPU machine does with the mechanisms the design relies on.  Prints one "name value unit" per line; every kernel is bounded in time.
// Build: nvcc -O2 -std=c++17 -arch=all-major probe.cu -o probe      Run: ./probe > probe.txt     (about 30 s, one GPU, plain allocations only)
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

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { printf("error %s: %s\n", #call, cudaGetErrorString(e_)); fflush(stdout); return; } } while (0)
using u64 = unsigned long long;
static double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
static void say(const char *name, double v, const char *unit) { printf("%-58s %14.4f %s\n", name, v, unit); fflush(stdout); }

__device__ __forceinline__ u64 timer() { u64 t; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)); return t; }
__device__ __forceinline__ u64 ld_acquire(const u64 *p) { u64 v; asm volatile("ld.acquire.sys.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory"); return v; }
__device__ __forceinline__ u64 ld_relaxed(const u64 *p) { u64 v; asm volatile("ld.relaxed.sys.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory"); return v; }
__device__ __forceinline__ void st_release(u64 *p, u64 v) { asm volatile("st.release.sys.u64 [%0], %1;" :: "l"(p), "l"(v) : "memory"); }
__device__ __forceinline__ void st_relaxed(u64 *p, u64 v) { asm volatile("st.relaxed.sys.u64 [%0], %1;" :: "l"(p), "l"(v) : "memory"); }
__device__ __forceinline__ void st16_relaxed(void *p, u64 a, u64 b) { asm volatile("st.relaxed.sys.v2.u64 [%0], {%1, %2};" :: "l"(p), "l"(a), "l"(b) : "memory"); }
__device__ __forceinline__ void st16_release(void *p, u64 a, u64 b) { asm volatile("st.release.sys.v2.u64 [%0], {%1, %2};" :: "l"(p), "l"(a), "l"(b) : "memory"); }
#if __CUDA_ARCH__ >= 700
__device__ __forceinline__ void st16_b128(void *p, u64 a, u64 b) { asm volatile("{ .reg .b128 q; mov.b128 q, {%1, %2}; st.relaxed.sys.b128 [%0], q; }" :: "l"(p), "l"(a), "l"(b) : "memory"); }
#else
__device__ __forceinline__ void st16_b128(void *p, u64 a, u64 b) { st16_relaxed(p, a, b); }
#endif
static const u64 LIMIT_NS = 5000000000ull; // no kernel waits longer

// The GPU answers each ping: mode 0 acquire/release, 1 relaxed/relaxed.
__global__ void pong(const u64 *ping, u64 *pongw, u64 rounds, int mode, int *timed_out)
{
    u64 end = timer() + LIMIT_NS;
    for (u64 i = 1; i <= rounds; i++) {
        while ((mode == 0 ? ld_acquire(ping) : ld_relaxed(ping)) < i)
            if (timer() > end) { *timed_out = 1; return; }
        if (mode == 0) st_release(pongw, i); else st_relaxed(pongw, i);
    }
}
static void ping_pong(u64 *host, u64 *dev, const char *label, int mode)
{
    const int rounds = 20000; int *to; CHECK(cudaMallocHost(&to, sizeof *to)); *to = 0;
    auto *ping = (std::atomic<u64> *)host; auto *answer = (std::atomic<u64> *)(host + 64); *ping = 0; *answer = 0;
    pong<<<1, 1>>>(dev, dev + 64, rounds, mode, to);
    std::vector<double> us; double stop = now() + 6;
    for (u64 i = 1; i <= rounds && now() < stop; i++) {
        double t0 = now(); ping->store(i, std::memory_order_release);
        while (answer->load(std::memory_order_acquire) < i && now() < stop) { }
        us.push_back((now() - t0) * 1e6);
    }
    CHECK(cudaDeviceSynchronize()); std::sort(us.begin(), us.end());
    char n[96]; snprintf(n, sizeof n, "flag round trip CPU-GPU-CPU, %s, min", label); say(n, us[0], "us");
    snprintf(n, sizeof n, "flag round trip CPU-GPU-CPU, %s, median", label); say(n, us[us.size() / 2], "us"); if (*to) printf("note kernel hit its limit\n");
    cudaFreeHost(to);
}

// mode: 0 two relaxed v2, 1 relaxed + release v2, 2 two b128, 3 one release v2 (16-byte descriptor)
__global__ void push(char *ring, u64 slots, u64 *ticket, int per_thread, int mode, u64 *cycles)
{
    u64 t0 = clock64();
    for (int i = 0; i < per_thread; i++) {
        u64 t = atomicAdd(ticket, 1ull); char *s = ring + (t & (slots - 1)) * 64; u64 tag = (t / slots + 1) << 48;
        switch (mode) {
        case 0: st16_relaxed(s + 16, t, tag); st16_relaxed(s, tag, t); break;
        case 1: st16_relaxed(s + 16, t, tag); st16_release(s, tag, t); break;
        case 2: st16_b128(s + 16, t, tag); st16_b128(s, tag, t); break;
        default: st16_release(s, tag, t);
        }
    }
    if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = clock64() - t0;
}
static void push_cost(char *ring, u64 slots)
{
    static const char *names[] = {"2 x v2 relaxed", "v2 relaxed + v2 release", "2 x b128 relaxed", "1 x v2 release (16 B)"};
    u64 *ticket, *cycles; CHECK(cudaMalloc(&ticket, 8)); CHECK(cudaMallocHost(&cycles, 8));
    for (int mode = 0; mode < 4; mode++)
        for (int shape = 0; shape < 3; shape++) {
            int blocks = shape == 2 ? 132 : 1, threads = shape == 0 ? 1 : 256, per = shape == 0 ? 20000 : shape == 1 ? 500 : 100;
            CHECK(cudaMemset(ticket, 0, 8)); push<<<blocks, threads>>>(ring, slots, ticket, 10, mode, cycles); CHECK(cudaDeviceSynchronize());
            cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); cudaEventRecord(a);
            push<<<blocks, threads>>>(ring, slots, ticket, per, mode, cycles); cudaEventRecord(b); CHECK(cudaDeviceSynchronize());
            float ms; cudaEventElapsedTime(&ms, a, b); double ops = (double)blocks * threads * per; char n[96];
            snprintf(n, sizeof n, "push %s, %d x %d threads", names[mode], blocks, threads); say(n, ops / ms / 1e3, "M/s");
            if (shape == 0) { snprintf(n, sizeof n, "push %s, one thread", names[mode]); say(n, ms * 1e6 / ops, "ns"); }
        }
    cudaFree(ticket); cudaFreeHost(cycles);
}

__global__ void tear(char *slots, int n, u64 rounds, int mode) { for (u64 i = 1; i <= rounds; i++) for (int s = threadIdx.x; s < n; s += blockDim.x) { char *p = slots + s * 64; if (mode) st16_b128(p, i, i); else st16_relaxed(p, i, i); } }
static void torn_stores(char *host, char *dev)
{
    for (int mode = 0; mode < 2; mode++) {
        memset(host, 0, 64 * 64); tear<<<1, 32>>>(dev, 64, 300000, mode);
        u64 seen = 0, torn = 0; double stop = now() + 4;
        while (cudaStreamQuery(0) == cudaErrorNotReady && now() < stop)
            for (int s = 0; s < 64; s++) { __m128i v = _mm_load_si128((__m128i *)(host + s * 64)); u64 w[2]; _mm_storeu_si128((__m128i *)w, v); seen++; torn += w[0] != w[1]; }
        CHECK(cudaDeviceSynchronize());
        say(mode ? "16-byte stores b128 seen by the CPU" : "16-byte stores v2 seen by the CPU", (double)seen, "loads"); say(mode ? "of these torn (b128)" : "of these torn (v2)", (double)torn, "loads");
    }
}

__global__ void copy16(const uint4 *from, uint4 *to, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) to[i] = from[i]; }
static void bandwidth(char *hdev, char *host, size_t bytes)
{
    char *d; CHECK(cudaMalloc(&d, bytes)); cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); float ms;
    for (int k = 0; k < 4; k++) for (int warm = 0; warm < 2; warm++) {
        cudaEventRecord(a);
        if (k == 0) copy16<<<264, 512>>>((uint4 *)d, (uint4 *)hdev, bytes / 16); else if (k == 1) copy16<<<264, 512>>>((uint4 *)hdev, (uint4 *)d, bytes / 16);
        else if (k == 2) cudaMemcpyAsync(host, d, bytes, cudaMemcpyDeviceToHost); else cudaMemcpyAsync(d, host, bytes, cudaMemcpyHostToDevice);
        cudaEventRecord(b); CHECK(cudaDeviceSynchronize()); cudaEventElapsedTime(&ms, a, b);
        static const char *n[] = {"kernel stores to host memory", "kernel loads from host memory", "copy engine to host", "copy engine from host"}; if (warm) say(n[k], bytes / ms / 1e6, "GB/s");
    }
    cudaFree(d);
}

// Two processes, one GPU: each kernel waits for the other's turn in shared host memory.
__global__ void turns(u64 *word, u64 me, u64 rounds, int *late) { u64 end = timer() + LIMIT_NS; for (u64 i = 0; i < rounds; i++) { while (ld_acquire(word) != 2 * i + me) if (timer() > end) { *late = 1; return; } st_release(word, 2 * i + me + 1); } }
static void time_slicing(u64 *shared, int me)
{
    CHECK(cudaHostRegister(shared, 4096, cudaHostRegisterMapped)); u64 *d; CHECK(cudaHostGetDevicePointer(&d, shared, 0)); int *late; CHECK(cudaMallocHost(&late, 4)); *late = 0;
    auto *ready = (std::atomic<u64> *)(shared + 64); ready->fetch_add(1); while (*ready < 2) usleep(100);
    double t0 = now(); turns<<<1, 1>>>(d, me, 200, late); CHECK(cudaDeviceSynchronize());
    if (me == 0) { say("two processes on one GPU, 400 hand-overs, each", (now() - t0) / 400 * 1e6, "us"); if (*late) printf("note the hand-over hit its limit of 5 s\n"); }
}

static void attributes()
{
    cudaDeviceProp p; CHECK(cudaGetDeviceProperties(&p, 0)); int v; printf("device %s, compute capability %d.%d, %d multiprocessors\n", p.name, p.major, p.minor, p.multiProcessorCount);
    int drv = 0, rt = 0; cudaDriverGetVersion(&drv); cudaRuntimeGetVersion(&rt); printf("driver %d runtime %d\n", drv, rt);
    struct { cudaDeviceAttr a; const char *n; } t[] = {{cudaDevAttrHostNativeAtomicSupported, "hostNativeAtomicSupported"}, {cudaDevAttrPageableMemoryAccess, "pageableMemoryAccess"}, {cudaDevAttrCanUseHostPointerForRegisteredMem, "canUseHostPointerForRegisteredMem"},
        {cudaDevAttrHostRegisterSupported, "hostRegisterSupported"}, {cudaDevAttrCanFlushRemoteWrites, "canFlushRemoteWrites"}, {cudaDevAttrCooperativeLaunch, "cooperativeLaunch"}, {cudaDevAttrGPUDirectRDMASupported, "gpuDirectRDMASupported"}};
    for (auto &x : t) { v = -1; cudaDeviceGetAttribute(&v, x.a, 0); printf("attribute %s %d\n", x.n, v); } fflush(stdout);
}
static void stream_values(u64 *dev, u64 *host)
{
    void *w = nullptr; cudaDriverEntryPointQueryResult q; if (cudaGetDriverEntryPointByVersion("cuStreamWriteValue64", &w, 12000, cudaEnableDefault, &q) != cudaSuccess || !w) { printf("cuStreamWriteValue64 not found\n"); return; }
    auto write = (CUresult (*)(CUstream, CUdeviceptr, cuuint64_t, unsigned))w; cudaStream_t s; CHECK(cudaStreamCreate(&s)); ((std::atomic<u64> *)host)->store(0); double t0 = now();
    CUresult r = write((CUstream)s, (CUdeviceptr)dev, 7, 0); CHECK(cudaStreamSynchronize(s)); printf("cuStreamWriteValue64 on registered host memory: result %d, value %llu\n", (int)r, *host); say("stream write value and synchronize", (now() - t0) * 1e6, "us");
}

static void in_one_process(char *host, size_t bytes)
{
    attributes(); char *dev;
    double t0 = now(); CHECK(cudaHostRegister(host, bytes, cudaHostRegisterMapped | cudaHostRegisterPortable)); say("cudaHostRegister of a 256 MiB memfd mapping", (now() - t0) * 1e3, "ms");
    CHECK(cudaHostGetDevicePointer(&dev, host, 0)); printf("device pointer %s the host pointer\n", dev == host ? "equals" : "differs from");
    ping_pong((u64 *)host, (u64 *)dev, "acquire/release", 0); ping_pong((u64 *)host, (u64 *)dev, "relaxed", 1);
    push_cost(dev, 4096); torn_stores(host, dev); stream_values((u64 *)dev, (u64 *)host); bandwidth(dev, host, bytes);
}
int main()
{
    size_t bytes = 256u << 20; int fd = memfd_create("probe", MFD_CLOEXEC); if (fd < 0 || ftruncate(fd, bytes)) { perror("memfd"); return 1; }
    char *host = (char *)mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0); u64 *shared = (u64 *)mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t a = fork(); if (a == 0) { in_one_process(host, bytes); _exit(0); } waitpid(a, 0, 0);
    pid_t p[2]; for (int me = 0; me < 2; me++) if ((p[me] = fork()) == 0) { time_slicing(shared, me); _exit(0); }
    for (int me = 0; me < 2; me++) waitpid(p[me], 0, 0);
    return 0;
}
