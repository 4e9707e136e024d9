/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a CUDA program may expect of its compiler and runtime, checked in many small kernels.
 * A file has a function that is called by main.cu; each check is a line of TAP.
 */
#ifndef TESTS_CUDA_FIDELITY_H
#define TESTS_CUDA_FIDELITY_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
#include <vector>

void check_arguments();
void check_functions();
void check_memory();
void check_warps();
void check_atomics();
void check_groups();
void check_math();
void check_half();
void check_ptx();
void check_runtime();
void check_headers();
void check_loops();
void check_barriers();
void check_parting();

/* One check: print it, count what is wrong. */
void check(const char *name, bool is_right);
bool cuda_works(cudaError_t error);

/* f(0), f(1), ... */
template <typename F> std::vector<int> list_of(int n, F f)
{
    std::vector<int> all(n);

    for (int i = 0; i < n; i++)
        all[i] = f(i);
    return all;
}

/* Numbers that a kernel writes and the host reads. */
template <typename T> class Numbers
{
public:
    explicit Numbers(size_t n) : n_(n)
    {
        cuda_works(cudaMalloc(&device_, n * sizeof(T)));
        cuda_works(cudaMemset(device_, 0, n * sizeof(T)));
    }
    ~Numbers() { cuda_works(cudaFree(device_)); }
    Numbers(const Numbers &) = delete;
    T *device() { return device_; }
    /* Waits for all that was launched. */
    std::vector<T> host()
    {
        std::vector<T> all(n_);

        cuda_works(cudaGetLastError());
        cuda_works(cudaDeviceSynchronize());
        cuda_works(cudaMemcpy(all.data(), device_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
        return all;
    }
    T first() { return host()[0]; }
    bool are(const std::vector<T> &expected)
    {
        std::vector<T> all = host();

        for (size_t i = 0; i < expected.size(); i++)
            if (!(all[i] == expected[i]))
                return false;
        return true;
    }

private:
    T *device_;
    size_t n_;
};
using Ints = Numbers<int>;

#endif
