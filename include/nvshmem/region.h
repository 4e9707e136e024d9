/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions: stretches of a program with hints on the operations in them.  The only hint is that
 * non-blocking puts and gets may be held back and sent together; this library sends each
 * operation at once, in a region and outside, so that no hint has an effect.
 *
 * Document: NVSHMEM's header files.
 */
#ifndef NVSHMEM_REGION_H
#define NVSHMEM_REGION_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

typedef uint64_t nvshmemx_region_handle_t;

typedef enum {
    NVSHMEMX_REGION_HINT_NONE = 0,
    NVSHMEMX_REGION_HINT_BATCH_RMA = 1
} nvshmemx_region_hint_t;

#define NVSHMEMX_REGION_ATTRS_RESERVED_BYTES 60
#define NVSHMEMX_REGION_ATTRS_INITIALIZER {NVSHMEMX_REGION_HINT_NONE, {0}}

typedef struct nvshmemx_region_attrs {
    /* NVSHMEMX_REGION_HINT_*. */
    uint32_t hints;
    char reserved[NVSHMEMX_REGION_ATTRS_RESERVED_BYTES];
} nvshmemx_region_attrs_t;

/**
 * Begin and end a region, of a thread or of a block, all of whose threads call it together.
 *
 * Nothing is completed or ordered by either: that is for nvshmem_quiet and nvshmem_fence.
 *
 * @param handle  start: out, what stop takes; every thread of a block gets it.  stop: that
 * @param attrs   the region's hints; NULL: none
 * @return        0; NVSHMEMX_ERROR_INVALID_VALUE for a NULL handle, for hints that do not exist,
 *                and for a handle that no start has given
 *
 * Callable: host, device thread; those of blocks: block.  Concurrency: any number.
 * Errors: before nvshmem_init and after nvshmem_finalize the program ends with a message.
 */
NVSHMEM_ROUTINE int nvshmemx_region_start(nvshmemx_region_handle_t *handle,
                                          const nvshmemx_region_attrs_t *attrs);
NVSHMEM_ROUTINE int nvshmemx_region_start_block(nvshmemx_region_handle_t *handle,
                                                const nvshmemx_region_attrs_t *attrs);
NVSHMEM_ROUTINE int nvshmemx_region_stop(nvshmemx_region_handle_t handle);
NVSHMEM_ROUTINE int nvshmemx_region_stop_block(nvshmemx_region_handle_t handle);

/**
 * Do these hints have an effect on what the caller sends?
 *
 * @param hints   NVSHMEMX_REGION_HINT_*
 * @param active  out: 0, no hint has one
 * @return        0; NVSHMEMX_ERROR_INVALID_VALUE for a NULL active and for hints that do not exist
 *
 * Callable: host, device thread.  Concurrency: any number.
 * Errors: before nvshmem_init and after nvshmem_finalize the program ends with a message.
 */
NVSHMEM_ROUTINE int nvshmemx_region_is_active(uint32_t hints, int *active);

NVSHMEM_END_DECLS

#endif
