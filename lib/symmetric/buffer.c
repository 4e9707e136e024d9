/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registration of buffers: programs for GPUs call it, but this library needs none, so it only
 * checks the arguments.  cuda/module.c has the registration of modules.
 */
#include <nvshmem/buffer.h>
#include <nvshmemx.h>

#include "device/target/target.h"
#include "lib/base/log.h"
#include "lib/symmetric/heap.h"

static int present(const char *function, const void *address)
{
    if (address != NULL) return 0;
    ash_log(ASH_LOG_ERROR, "%s: the address is NULL", function);
    return NVSHMEMX_ERROR_INVALID_VALUE;
}

void (*ash_buffer_look)(void *address, size_t nbytes);

int nvshmemx_buffer_register(void *addr, size_t length)
{
    if (ash_buffer_look != NULL && addr != NULL) ash_buffer_look(addr, length);
    return present("nvshmemx_buffer_register", addr);
}

int nvshmemx_buffer_unregister(void *addr)
{
    return present("nvshmemx_buffer_unregister", addr);
}

void nvshmemx_buffer_unregister_all(void)
{
}

static void *register_symmetric(const char *function, void *buf_ptr, size_t size)
{
    const struct ash_state *s = dev_state;
    if (present(function, buf_ptr) != 0) return NULL;
    if ((uintptr_t)buf_ptr - (uintptr_t)s->heap >= s->heap_size)
        ash_log(ASH_LOG_WARN, "%s: %zu bytes at %p were not allocated by nvshmem_malloc: other "
                              "PEs cannot reach them", function, size, buf_ptr);
    return buf_ptr;
}

void *nvshmemx_buffer_register_symmetric(void *buf_ptr, size_t size, int flags)
{
    (void)flags;
    return register_symmetric("nvshmemx_buffer_register_symmetric", buf_ptr, size);
}

void *nvshmemx_buffer_register_symmetric_at_preferred_address(void *buf_ptr, size_t size,
                                                              void *preferred_addr, int flags)
{
    (void)preferred_addr, (void)flags;
    return register_symmetric("nvshmemx_buffer_register_symmetric_at_preferred_address", buf_ptr,
                              size);
}

int nvshmemx_buffer_unregister_symmetric(void *mmap_ptr, size_t size)
{
    (void)size;
    return present("nvshmemx_buffer_unregister_symmetric", mmap_ptr);
}
