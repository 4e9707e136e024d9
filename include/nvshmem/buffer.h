/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What programs for GPUs register: buffers, which nothing needs here, and modules.
 *
 * Document: NVSHMEM, "Memory Management" and "Library Setup".
 */
#ifndef NVSHMEM_BUFFER_H
#define NVSHMEM_BUFFER_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

/* The types of CUDA's driver, as its own header has them. */
typedef struct CUmod_st *CUmodule;
typedef struct CUlib_st *CUlibrary;

/**
 * Register memory as source of puts and destination of gets.  All memory of the
 * caller is, so nothing happens.
 *
 * @param addr    address of a buffer
 * @param length  bytes
 * @return        0; NVSHMEMX_ERROR_INVALID_VALUE for NULL
 *
 * Callable: host.
 */
NVSHMEM_EXPORT int nvshmemx_buffer_register(void *addr, size_t length);
NVSHMEM_EXPORT int nvshmemx_buffer_unregister(void *addr);
NVSHMEM_EXPORT void nvshmemx_buffer_unregister_all(void);

/**
 * Register memory as symmetric.  Memory of nvshmem_malloc is already; other
 * memory is good for the calling PE alone, and a warning says so.
 *
 * @param buf_ptr   address of a buffer; the same size on all PEs
 * @param mmap_ptr  what nvshmemx_buffer_register_symmetric returned
 * @param size      bytes
 * @param flags     0
 * @return          register: buf_ptr; unregister: 0
 *
 * Callable: host.  Errors: NULL, and NVSHMEMX_ERROR_INVALID_VALUE, for NULL.  A
 * routine that is asked to reach other memory at another PE ends the program
 * with a message.
 */
NVSHMEM_EXPORT void *nvshmemx_buffer_register_symmetric(void *buf_ptr, size_t size, int flags);
NVSHMEM_EXPORT int nvshmemx_buffer_unregister_symmetric(void *mmap_ptr, size_t size);

/**
 * Prepare, and give back, a CUDA module or library that calls device routines.
 * It must be linked with libanyshmem_device.a.  A PE without a GPU has nothing to
 * prepare.
 *
 * @param module, library  what the CUDA driver loaded in the device that the PE uses
 * @return                 0; NVSHMEMX_ERROR_INVALID_VALUE, with a message, for NULL,
 *                         for one without the state of device routines or with that
 *                         of another version, and for one that was not prepared;
 *                         NVSHMEMX_ERROR_OUT_OF_MEMORY
 *
 * Callable: host.  To be given back before it is unloaded; nvshmem_finalize
 * gives back all.
 */
NVSHMEM_EXPORT int nvshmemx_cumodule_init(CUmodule module);
NVSHMEM_EXPORT int nvshmemx_cumodule_finalize(CUmodule module);
NVSHMEM_EXPORT int nvshmemx_culibrary_init(CUlibrary library);
NVSHMEM_EXPORT int nvshmemx_culibrary_finalize(CUlibrary library);

NVSHMEM_END_DECLS

#endif
