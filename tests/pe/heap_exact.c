/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NVSHMEM_SYMMETRIC_SIZE is exactly what the program allocates, in blocks of any size, and less
 * than any heap has.
 */
#include <stdlib.h>

#include "tests/support/pe.h"

#define BYTES 1000000u

/* Allocate BYTES in n blocks, which are all written by the next PE, and free them. */
static void blocks(unsigned n)
{
    static unsigned char *block[5000];
    size_t nbytes = BYTES / n;
    for (unsigned i = 0; i < n; i++) {
        block[i] = nvshmem_malloc(nbytes);
        PE_NEED(block[i] != NULL);
        nvshmem_uchar_p(block[i] + nbytes - 1, (unsigned char)(i + 1), (pe_me + 1) % pe_n);
    }
    nvshmem_barrier_all();
    for (unsigned i = 0; i < n; i++) {
        PE_EQUAL(block[i][nbytes - 1], (unsigned char)(i + 1));
        nvshmem_free(block[i]);
    }
}

int main(void)
{
    setenv("NVSHMEM_SYMMETRIC_SIZE", "1000000", 1);
    pe_start("heap_exact");
    blocks(1);
    blocks(3);
    blocks(1000);
    blocks(5000);
    return pe_finish();
}
