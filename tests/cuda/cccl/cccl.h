/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the programs of this folder share: each prints a line for a check, and "all right" at its
 * end.
 */
#ifndef TESTS_CUDA_CCCL_H
#define TESTS_CUDA_CCCL_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int n_wrong;

static inline void expect(const char *name, bool is_right)
{
    printf("%s: %s\n", name, is_right ? "right" : "WRONG");
    n_wrong += !is_right;
}

static inline void finish()
{
    cudaError_t error = cudaDeviceSynchronize();

    alarm(120);
    if (error == cudaSuccess)
        error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("CUDA says: %s\n", cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
}

static inline int verdict()
{
    puts(n_wrong ? "wrong" : "all right");
    return n_wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Memory of host and device. */
template <typename T> struct Managed {
    T *data;

    explicit Managed(size_t n)
    {
        if (cudaMallocManaged(&data, n * sizeof(T)) != cudaSuccess)
            exit(EXIT_FAILURE);
        for (size_t i = 0; i < n; i++)
            data[i] = T();
    }
    ~Managed() { (void)cudaFree(data); }
    T &operator[](size_t i) { return data[i]; }
};

#endif
