/* SPDX-License-Identifier: BSD-3-Clause */
#include "fidelity.h"

#include <stdlib.h>
#include <unistd.h>

static int n_checks, n_wrong;

void check(const char *name, bool is_right)
{
    n_checks++;
    n_wrong += !is_right;
    printf("%sok %d - %s\n", is_right ? "" : "not ", n_checks, name);
    fflush(stdout);
}

bool cuda_works(cudaError_t error)
{
    if (error == cudaSuccess)
        return true;
    printf("# CUDA says: %s\n", cudaGetErrorString(error));
    n_wrong++;
    return false;
}

int main()
{
    /* No kernel here waits for ever; if one does, it is a fault. */
    alarm(120);
    check_arguments();
    check_functions();
    check_memory();
    check_warps();
    check_atomics();
    check_groups();
    check_math();
    check_half();
    check_ptx();
    check_runtime();
    check_headers();
    check_loops();
    check_barriers();
    check_parting();
    printf("1..%d\n", n_checks);
    return n_wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
