/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory and addresses apart: a file in memory for each allocation, which is mapped into
 * addresses that were reserved.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/cudart/cu.h"
#include "lib/cudart/memory.h"

#define GRANULARITY ((size_t)2 << 20)

/* What a handle points to. */
struct physical {
    int fd, device;
    size_t nbytes;
    CUmemAllocationProp prop;
    /* Handles and mappings. */
    unsigned users;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void drop(struct physical *p)
{
    unsigned left;
    (void)pthread_mutex_lock(&lock);
    left = --p->users;
    (void)pthread_mutex_unlock(&lock);
    if (left > 0) return;
    (void)close(p->fd);
    free(p);
}

static bool bad_size(size_t size)
{
    return size == 0 || size % GRANULARITY != 0;
}

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
                                       CUmemAllocationGranularity_flags option)
{
    (void)option;
    if (granularity == NULL || prop == NULL) return CUDA_ERROR_INVALID_VALUE;
    *granularity = GRANULARITY;
    return CUDA_SUCCESS;
}

/* Aligned by reserving more and giving the ends back. */
CUresult cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment, CUdeviceptr addr,
                             unsigned long long flags)
{
    size_t align = alignment > GRANULARITY ? alignment : GRANULARITY;
    unsigned char *memory, *first;
    (void)addr;
    if (ptr == NULL || flags != 0 || bad_size(size) || (align & (align - 1)) != 0)
        return CUDA_ERROR_INVALID_VALUE;
    memory =
        mmap(NULL, size + align, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
    first = (unsigned char *)(((uintptr_t)memory + align - 1) / align * align);
    if (first > memory) (void)munmap(memory, (size_t)(first - memory));
    (void)munmap(first + size, (size_t)(memory + align - first));
    *ptr = (CUdeviceptr)(uintptr_t)first;
    return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size)
{
    if (ptr == 0 || bad_size(size) || munmap(ash_cu_pointer(ptr), size) != 0)
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

static CUresult make(CUmemGenericAllocationHandle *handle, int fd, size_t size,
                     const CUmemAllocationProp *prop)
{
    struct physical *p = fd >= 0 ? calloc(1, sizeof(*p)) : NULL;
    if (p == NULL) {
        if (fd >= 0) (void)close(fd);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *p = (struct physical){fd, prop->location.id, size, *prop, 1};
    *handle = (CUmemGenericAllocationHandle)(uintptr_t)p;
    return CUDA_SUCCESS;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                     const CUmemAllocationProp *prop, unsigned long long flags)
{
    int fd;
    if (handle == NULL || prop == NULL || flags != 0 || bad_size(size) ||
        prop->type != CU_MEM_ALLOCATION_TYPE_PINNED)
        return CUDA_ERROR_INVALID_VALUE;
    if (prop->requestedHandleTypes > CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (size > ash_allocation_available()) return CUDA_ERROR_OUT_OF_MEMORY;
    fd = memfd_create("cuMemCreate", MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, (off_t)size) != 0) {
        (void)close(fd);
        fd = -1;
    }
    return make(handle, fd, size, prop);
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    if (handle == 0) return CUDA_ERROR_INVALID_VALUE;
    drop((struct physical *)(uintptr_t)handle);
    return CUDA_SUCCESS;
}

/* The file stays open by its mapping, so that the handle may be released. */
CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags)
{
    struct physical *p = (struct physical *)(uintptr_t)handle;
    struct ash_allocation a = {.start = (uintptr_t)ptr,
                               .nbytes = size,
                               .type = cudaMemoryTypeDevice,
                               .foreign = true};
    if (p == NULL || ptr == 0 || flags != 0 || offset != 0 || bad_size(size) || size > p->nbytes)
        return CUDA_ERROR_INVALID_VALUE;
    a.device = p->device;
    if (!ash_allocation_enter(&a)) return CUDA_ERROR_INVALID_VALUE;
    if (mmap(ash_cu_pointer(ptr), size, PROT_NONE, MAP_SHARED | MAP_FIXED, p->fd, 0) ==
        MAP_FAILED) {
        (void)ash_allocation_remove(ash_cu_pointer(ptr), cudaMemoryTypeDevice, true, &a);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return CUDA_SUCCESS;
}

/* The addresses stay reserved. */
CUresult cuMemUnmap(CUdeviceptr ptr, size_t size)
{
    struct ash_allocation a;
    if (!ash_allocation_remove(ash_cu_pointer(ptr), cudaMemoryTypeDevice, true, &a) ||
        size != a.nbytes)
        return CUDA_ERROR_INVALID_VALUE;
    if (mmap(ash_cu_pointer(ptr), size, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
        return CUDA_ERROR_OUT_OF_MEMORY;
    return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc, size_t count)
{
    int access = PROT_NONE;
    size_t i;
    if (ptr == 0 || desc == NULL || bad_size(size)) return CUDA_ERROR_INVALID_VALUE;
    for (i = 0; i < count; i++) {
        if (desc[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE) access |= PROT_READ;
        if (desc[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE) access |= PROT_WRITE;
    }
    return mprotect(ash_cu_pointer(ptr), size, access) == 0 ? CUDA_SUCCESS
                                                           : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr ptr)
{
    struct ash_allocation a;
    if (flags == NULL || location == NULL || !ash_allocation_find(ash_cu_pointer(ptr), &a))
        return CUDA_ERROR_INVALID_VALUE;
    *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return CUDA_SUCCESS;
}

CUresult cuMemExportToShareableHandle(void *shareableHandle, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType handleType,
                                      unsigned long long flags)
{
    const struct physical *p = (const struct physical *)(uintptr_t)handle;
    int fd;
    if (shareableHandle == NULL || p == NULL || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    if (handleType != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return CUDA_ERROR_NOT_SUPPORTED;
    fd = dup(p->fd);
    if (fd < 0) return CUDA_ERROR_OPERATING_SYSTEM;
    *(int *)shareableHandle = fd;
    return CUDA_SUCCESS;
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *osHandle,
                                        CUmemAllocationHandleType shHandleType)
{
    const CUmemAllocationProp prop = {
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
        .location = {CU_MEM_LOCATION_TYPE_DEVICE, ash_cudart_device()}};
    int fd = (int)(intptr_t)osHandle;
    struct stat file;
    if (handle == NULL || fstat(fd, &file) != 0) return CUDA_ERROR_INVALID_VALUE;
    if (shHandleType != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return CUDA_ERROR_NOT_SUPPORTED;
    return make(handle, dup(fd), (size_t)file.st_size, &prop);
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
                                                CUmemGenericAllocationHandle handle)
{
    const struct physical *p = (const struct physical *)(uintptr_t)handle;
    if (prop == NULL || p == NULL) return CUDA_ERROR_INVALID_VALUE;
    *prop = p->prop;
    return CUDA_SUCCESS;
}

/* Which file lies behind an address is not kept. */
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr)
{
    (void)addr;
    return handle == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_SUPPORTED;
}
