/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a compiled CUDA source says of its device half.  The compiler emits it (contrib/nvcc), so
 * its layout is fixed.
 */
#ifndef ASH_LIB_CUDART_UNIT_H
#define ASH_LIB_CUDART_UNIT_H

#include <stddef.h>

struct ash_loop;

struct ash_cuda_kernel {
    const char *name;
    void (*thunk)(void **args);
    unsigned n_args;
    /* Bytes of each argument. */
    const size_t *sizes;
    /* Runs a block in loops over its threads, which need so many bytes; NULL: it cannot. */
    void (*run)(void **args, struct ash_loop *loop);
    size_t frames_nbytes;
};

/* A __device__ or __constant__ variable. */
struct ash_cuda_variable {
    const char *name;
    void *address;
    size_t nbytes;
};

struct ash_cuda_unit {
    const struct ash_cuda_kernel *kernels;
    unsigned n_kernels;
    const struct ash_cuda_variable *variables;
    unsigned n_variables;
};

/*
 * Called by a constructor of the device half, before the host half registers its functions.
 * Both are kept, not copied.  unit_id is the text that the host half passes to
 * __cudaRegisterFatBinary.
 */
__attribute__((visibility("default"))) void
__anyshmem_cuda_unit(const char *unit_id, const struct ash_cuda_unit *unit);

#endif
