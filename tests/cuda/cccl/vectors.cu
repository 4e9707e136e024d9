/* SPDX-License-Identifier: BSD-3-Clause */
/* Thrust: vectors of a device, with functions of this program. */
#include "cccl.h"

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

struct twice_and_one {
    __host__ __device__ int operator()(int x) const { return 2 * x + 1; }
};

int main()
{
    const int n = 5000;
    thrust::device_vector<int> numbers(n), others(n);

    thrust::sequence(numbers.begin(), numbers.end());
    thrust::transform(numbers.begin(), numbers.end(), others.begin(), twice_and_one());
    expect("thrust::reduce", thrust::reduce(others.begin(), others.end()) == n * n);
    thrust::exclusive_scan(numbers.begin(), numbers.end(), others.begin());
    expect("thrust::exclusive_scan", others[n - 1] == (n - 1) * (n - 2) / 2);
    thrust::host_vector<int> mixed(n);
    for (int i = 0; i < n; i++)
        mixed[i] = (i * 3571 + 5) % n;
    thrust::copy(mixed.begin(), mixed.end(), numbers.begin());
    thrust::sort(numbers.begin(), numbers.end());
    thrust::copy(numbers.begin(), numbers.end(), mixed.begin());
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += mixed[i] != i;
    expect("thrust::sort", wrong == 0);
    return verdict();
}
