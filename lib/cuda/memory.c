/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that the GPU sees: the heaps, and what it shares with the proxy.  Both are host
 * memory that is registered in place, so both have the same address for CPU and GPU, and
 * still exist after the program has reset the device.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/target/target.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/log.h"
#include "lib/cuda/gpu.h"

/* Aligns the staging buffers to a page, whose size is at most this on the systems in use. */
#define STAGE_ALIGNMENT 65536u

static int no_room(const char *what, uint64_t nbytes, const char *why)
{
    ash_log(ASH_LOG_ERROR,
            "%s of %" PRIu64 " bytes cannot be pinned for the GPU: %s; a smaller "
            "NVSHMEM_SYMMETRIC_SIZE (it is %" PRIu64 ") needs less memory", what, nbytes, why,
            ash_env.symmetric_size);
    return ASH_ERROR_CUDA;
}

/* GPU and CPU must have the memory at the same address, because they share pointers. */
static int check_address(const char *what, void *memory)
{
    uint64_t address = 0;
    int rc = ash_cuda.host_address(&address, memory, 0);
    if (rc != 0) return ash_cuda_failed("cuMemHostGetDevicePointer", rc);
    if (address == (uintptr_t)memory) return 0;
    ash_log(ASH_LOG_ERROR, "%s is at %p for the CPU and at 0x%" PRIx64 " for the GPU: this device "
                           "cannot be used; ANYSHMEM_DEVICE=cpu runs without a GPU", what, memory,
            address);
    return ASH_ERROR_CUDA;
}

/* Bytes of a mapping without pages, which pinning would have to allocate. */
static uint64_t missing_bytes(unsigned char *base, uint64_t nbytes)
{
    unsigned char there[4096];
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), missing = 0;
    for (uint64_t done = 0; done < nbytes; done += sizeof(there) * page) {
        uint64_t part = nbytes - done < sizeof(there) * page ? nbytes - done : sizeof(there) * page;
        if (mincore(base + done, part, there) != 0) return nbytes;
        for (uint64_t i = 0; i < (part + page - 1) / page; i++) missing += (there[i] & 1) == 0;
    }
    return missing * page;
}

static int register_one(const char *what, unsigned char *base, uint64_t nbytes)
{
    int rc;
    /* Otherwise the kernel's OOM killer would end some process. */
    if (missing_bytes(base, nbytes) > ash_memory_available())
        return no_room(what, nbytes, "the machine has not enough memory");
    rc = ash_cuda.host_register(base, nbytes, ASH_CUDA_REGISTER_PORTABLE_MAPPED);
    if (rc != 0) return no_room(what, nbytes, ash_cuda_text(rc));
    ash_gpu.n_registered++;
    return check_address(what, base);
}

/* The heap with registration number i: 0 is this PE's own, i is PE i - 1's; or NULL. */
static unsigned char *heap_of(uint32_t i)
{
    if (i == 0) return ash_gpu.heap;
    return ash_gpu.peer[i - 1] != ash_gpu.heap ? ash_gpu.peer[i - 1] : NULL;
}

int ash_cuda_register(struct ash_memory *heap, unsigned char *const *peer, uint32_t n_pes)
{
    int rc;
    ash_gpu.heap = heap->base;
    ash_gpu.heap_nbytes = heap->file.size;
    ash_gpu.peer = peer;
    ash_gpu.n_pes = n_pes;
    if (ash_memory_commit(heap, 0, heap->file.size) != 0)
        return no_room("the symmetric heap", heap->file.size, "the machine has not enough memory");
    rc = register_one("the symmetric heap", ash_gpu.heap, ash_gpu.heap_nbytes);
    for (uint32_t i = 1; i <= n_pes && rc == 0; i++)
        if (heap_of(i) != NULL)
            rc = register_one("another PE's symmetric heap", heap_of(i), ash_gpu.heap_nbytes);
    return rc;
}

int ash_cuda_check_heaps(void)
{
    int rc = check_address("the symmetric heap", ash_gpu.heap);
    for (uint32_t i = 1; i <= ash_gpu.n_pes && rc == 0; i++)
        if (heap_of(i) != NULL) rc = check_address("another PE's symmetric heap", heap_of(i));
    return rc;
}

void ash_cuda_unregister(void)
{
    for (uint32_t i = 0; i <= ash_gpu.n_pes && ash_gpu.n_registered > 0; i++) {
        unsigned char *base = heap_of(i);
        if (base == NULL) continue;
        (void)ash_cuda.host_unregister(base);
        ash_gpu.n_registered--;
    }
}

static size_t rounded(size_t nbytes, size_t alignment)
{
    return (nbytes + alignment - 1) / alignment * alignment;
}

static size_t pages(size_t nbytes)
{
    return rounded(nbytes, (size_t)sysconf(_SC_PAGESIZE));
}

/* Zeroed memory.  MAP_SHARED: after a fork, a write would replace a private page by a copy that
 * the GPU does not see. */
static int visible_make(size_t nbytes, void **ret_memory)
{
    void *memory = mmap(NULL, pages(nbytes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                        -1, 0);
    int rc;
    if (memory == MAP_FAILED) return no_room("memory", nbytes, "the machine has not enough memory");
    rc = ash_cuda.host_register(memory, pages(nbytes), ASH_CUDA_REGISTER_PORTABLE_MAPPED);
    rc = rc != 0 ? no_room("memory", nbytes, ash_cuda_text(rc))
                 : check_address("shared memory", memory);
    *ret_memory = memory;
    return rc;
}

static void visible_end(void *memory, size_t nbytes)
{
    (void)ash_cuda.host_unregister(memory);
    munmap(memory, pages(nbytes));
}

int ash_cuda_shared_make(void)
{
    size_t slots, stage;
    void *memory = NULL;
    int rc;
    ash_gpu.n_slots = (uint64_t)ash_env.channel_slots;
    if (ash_gpu.n_slots < ASH_GPU_SLOTS_MIN) ash_gpu.n_slots = ASH_GPU_SLOTS_MIN;
    slots = rounded(sizeof(*ash_gpu.shared), STAGE_ALIGNMENT);
    stage = slots + rounded(ash_gpu.n_slots * sizeof(struct ash_slot), STAGE_ALIGNMENT);
    ash_gpu.shared_nbytes = stage + ((size_t)ASH_GPU_STAGE_BUFFERS << ASH_GPU_STAGE_SHIFT);
    rc = visible_make(ash_gpu.shared_nbytes, &memory);
    ash_gpu.shared = memory;
    if (rc != 0) return rc;
    ash_gpu.slots = (struct ash_slot *)(void *)((unsigned char *)memory + slots);
    ash_gpu.stage = (unsigned char *)memory + stage;
    /* No eventfd: a GPU cannot wake the proxy, so the proxy does not sleep. */
    ash_channel_init(&ash_gpu.channel, ash_gpu.slots, (uint32_t)__builtin_ctzll(ash_gpu.n_slots),
                     &ash_gpu.shared->progress, -1, ash_env.start_ticket);
    return 0;
}

void ash_cuda_shared_free(void)
{
    if (ash_gpu.shared != NULL) visible_end(ash_gpu.shared, ash_gpu.shared_nbytes);
    ash_gpu.shared = NULL;
}

static void *ordinary_alloc(size_t nbytes)
{
    void *memory = calloc(1, nbytes);
    if (memory == NULL) ash_no_memory_for("the teams");
    return memory;
}

void *ash_cuda_visible_alloc(size_t nbytes)
{
    struct ash_cuda_visit visit;
    void *memory = NULL;
    if (!ash_gpu.used) return ordinary_alloc(nbytes);
    visit = ash_cuda_enter(ash_gpu.home);
    if (visible_make(nbytes, &memory) != 0 && memory != NULL) {
        visible_end(memory, nbytes);
        memory = NULL;
    }
    ash_cuda_leave(visit);
    return memory;
}

void ash_cuda_visible_free(void *p, size_t nbytes)
{
    struct ash_cuda_visit visit;
    if (!ash_gpu.used) {
        free(p);
    } else if (p != NULL) {
        visit = ash_cuda_enter(ash_gpu.home);
        visible_end(p, nbytes);
        ash_cuda_leave(visit);
    }
}
