/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared memory that a block lends the library for a GPU's copy engines (TMA).  Puts and gets
 * here use the memory that they are given and nothing else: a program may lend, and nothing
 * happens to what it lent.
 *
 * Document: NVSHMEM's header files.
 */
#ifndef NVSHMEM_SMEM_H
#define NVSHMEM_SMEM_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

typedef enum nvshmemx_smem_amount_t {
    NVSHMEMX_SMEM_RECOMMENDED = 0,
    NVSHMEMX_SMEM_MINIMUM = 1,
    NVSHMEMX_SMEM_BARRIERS_ONLY = 2,
    NVSHMEMX_SMEM_AMOUNT_MAX = 0x7fffffff
} nvshmemx_smem_amount_t;

/**
 * How many bytes of shared memory a block should lend.
 *
 * A program may keep data of its own in what it reserves beyond that, and sizes a launch by it: so
 * it is as much as with NVSHMEM, although the library needs none.
 *
 * @param amount  NVSHMEMX_SMEM_*: for copies by way of shared memory, the least that does for them,
 *                what is needed where the program's own data lie in shared memory
 * @return        65536, 32768, 1136 bytes; 65536 for other amounts
 *
 * Callable: host, device thread; any time.  Concurrency: any number.
 */
NVSHMEM_ROUTINE int nvshmemx_ask_smem(nvshmemx_smem_amount_t amount);

/**
 * Lend shared memory, and take it back.  All threads of a block call it; neither synchronizes them,
 * completes or orders anything.
 *
 * @param smem, size  the memory; it is not looked at
 *
 * Callable: block; any time.  Concurrency: any number.
 */
NVSHMEM_ROUTINE void nvshmemx_give_smem(void *smem, size_t size);
NVSHMEM_ROUTINE void nvshmemx_release_smem(void);

NVSHMEM_END_DECLS

#endif
