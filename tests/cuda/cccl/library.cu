/* SPDX-License-Identifier: BSD-3-Clause */
/* libcu++: atomics with a scope, and what the standard library has, in kernels. */
#include "cccl.h"

#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

__global__ void count(int *out, unsigned long long *wide)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> all(out[0]);
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> most(wide[0]);
    cuda::std::atomic_ref<int> one(out[1]);
    int expected = 0;

    all.fetch_add(1, cuda::memory_order_relaxed);
    most.fetch_max(threadIdx.x + 1000 * blockIdx.x, cuda::std::memory_order_acq_rel);
    if (one.compare_exchange_strong(expected, 77))
        atomicAdd(&out[2], 1);
}

/* The second block waits for the first. */
__global__ void wait(int *flag, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);

    if (blockIdx.x == 1) {
        while (ready.load(cuda::memory_order_acquire) == 0) {
        }
        out[1] = out[0] + 1;
    } else {
        out[0] = 41;
        ready.store(1, cuda::memory_order_release);
    }
}

__global__ void standard(int *out, const int *in)
{
    cuda::std::array<int, 3> three{1, 2, 3};
    auto pair = cuda::std::make_tuple(4, 2.5f);
    cuda::std::span<const int> view(in, 4);
    cuda::std::optional<int> maybe = 7;

    static_assert(cuda::std::is_same<decltype(cuda::std::get<1>(pair)), float &>::value, "a float");
    out[0] = three[1] + cuda::std::get<0>(pair) + view[3] + *maybe;
    out[1] = cuda::std::numeric_limits<int>::max() == 2147483647;
}

int main()
{
    Managed<int> out(4), flag(1), in(4);
    Managed<unsigned long long> wide(1);

    count<<<4, 64>>>(out.data, wide.data);
    finish();
    expect("cuda::atomic_ref", out[0] == 256 && wide[0] == 3063);
    expect("compare_exchange_strong", out[1] == 77 && out[2] == 1);
    wait<<<2, 1>>>(flag.data, out.data);
    finish();
    expect("acquire and release", out[1] == 42);
    in[3] = 30;
    standard<<<1, 1>>>(out.data, in.data);
    finish();
    expect("cuda::std", out[0] == 43 && out[1] == 1);
    return verdict();
}
