/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registration of buffers, which this library does not need, and of CUDA modules.
 *
 * Document: NVSHMEM, "Memory Management" and "Library Setup".
 */
#ifndef NVSHMEM_BUFFER_H
#define NVSHMEM_BUFFER_H

#include <nvshmem/types.h>

NVSHMEM_BEGIN_DECLS

/* Types of the CUDA driver, declared as in its own header. */
typedef struct CUmod_st *CUmodule;
typedef struct CUlib_st *CUlibrary;

/**
 * Register memory as the source of puts and the destination of gets.  All memory
 * of the caller can be used for these without registration, so the calls have no
 * effect.
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
 * Register memory as symmetric.  Memory from nvshmem_malloc already is.  Other
 * memory remains usable by the calling PE only, and the library logs a warning.
 *
 * @param buf_ptr   address of a buffer; the same size on all PEs
 * @param mmap_ptr  the address that nvshmemx_buffer_register_symmetric returned
 * @param size      bytes
 * @param preferred_addr  where the caller would like to have it; it stays where it is
 * @param flags     0
 * @return          register: buf_ptr; unregister: 0
 *
 * Callable: host.  Errors: for a NULL address, register returns NULL and
 * unregister NVSHMEMX_ERROR_INVALID_VALUE.  A routine that has to access memory
 * of another PE which is not from nvshmem_malloc ends the program with a message.
 */
NVSHMEM_EXPORT void *nvshmemx_buffer_register_symmetric(void *buf_ptr, size_t size, int flags);
NVSHMEM_EXPORT void *nvshmemx_buffer_register_symmetric_at_preferred_address(
    void *buf_ptr, size_t size, void *preferred_addr, int flags);
NVSHMEM_EXPORT int nvshmemx_buffer_unregister_symmetric(void *mmap_ptr, size_t size);

/**
 * Initialize (_init) a CUDA module or library that calls device routines, and
 * release it (_finalize).  It must be linked with libanyshmem_device.a.  On a PE
 * without a GPU there is nothing to initialize.
 *
 * @param module, library  a module or library that the CUDA driver loaded on the
 *                         device that the PE uses
 * @return                 0; NVSHMEMX_ERROR_INVALID_VALUE, with a message, for NULL,
 *                         for one that lacks the state of the device routines or has
 *                         that of another version, and for one that was not
 *                         initialized; NVSHMEMX_ERROR_OUT_OF_MEMORY
 *
 * Callable: host.  Release it before you unload it; nvshmem_finalize releases
 * all that are left.
 */
NVSHMEM_EXPORT int nvshmemx_cumodule_init(CUmodule module);
NVSHMEM_EXPORT int nvshmemx_cumodule_finalize(CUmodule module);
NVSHMEM_EXPORT int nvshmemx_culibrary_init(CUlibrary library);
NVSHMEM_EXPORT int nvshmemx_culibrary_finalize(CUlibrary library);

NVSHMEM_END_DECLS

#endif
