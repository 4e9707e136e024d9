/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels and variables of the program, as its compiled code registers them.
 */
#ifndef ASH_LIB_CUDART_KERNEL_H
#define ASH_LIB_CUDART_KERNEL_H

#include "lib/cudart/unit.h"
#include "lib/cudart/work.h"

/* A kernel; handles of the program point to it. */
struct CUfunc_st {
    const struct ash_cuda_kernel *kernel;
    /* The host function that stands for it, or NULL. */
    const void *host;
    /* What the program has set: dynamic shared memory of a block, and what is kept for it to
     * read. */
    int shared_max, carveout;
    /* Its name as C++ has it, when it was needed first. */
    const char *shown;
};

/* By the address of its host function, or by a handle; NULL if there is none. */
ASH_LOCAL struct CUfunc_st *ash_kernel_of(const void *func);
ASH_LOCAL struct CUfunc_st *ash_kernel_of_thunk(void (*thunk)(void **args));
ASH_LOCAL struct CUfunc_st *ash_kernel_named(const char *name);

/* "kernel(float*)", for messages. */
ASH_LOCAL const char *ash_kernel_shown(struct CUfunc_st *f);

/* By the address of its host variable, or the variable's own; by its name. */
ASH_LOCAL const struct ash_cuda_variable *ash_variable_of(const void *symbol);
ASH_LOCAL const struct ash_cuda_variable *ash_variable_named(const char *name);
/* Where kernels have it: for a __managed__ variable that is the host's copy. */
ASH_LOCAL void *ash_variable_address(const struct ash_cuda_variable *variable);

/* The variable of the device, or managed one, that the address is in. */
ASH_LOCAL bool ash_variable_range(const void *address, uintptr_t *ret_start, size_t *ret_nbytes);

/* What a launch has of its kernel. */
ASH_LOCAL void ash_kernel_fill(struct CUfunc_st *f, struct ash_launch *ret_launch);

/* Fill in and check a launch, whose arguments are not copied; cooperative is the caller's. */
ASH_LOCAL cudaError_t ash_kernel_launch(const void *func, dim3 grid, dim3 block, void **args,
                                        size_t shared_nbytes, struct ash_launch *ret_launch);

/* Arguments of a launch that the driver interface passes in one buffer, for which `room` has
 * ASH_ARGUMENTS_MAX pointers; `params`, if there are some. */
#define ASH_ARGUMENTS_MAX 1024
ASH_LOCAL cudaError_t ash_kernel_arguments(const void *func, void **params, void **extra,
                                           void **room, void ***ret_args);

#endif
