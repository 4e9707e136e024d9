/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Argument checks, which a routine makes before it touches or sends anything.
 *
 * Before nvshmem_init and after nvshmem_finalize n_pes is 0 and the heap is empty, so each
 * check fails, and the message says that the library is not started.  While calls are
 * observed (observe.h), ash_..._is_invalid is true as well, though nothing is invalid.
 */
#ifndef ASH_DEVICE_ROUTINE_CHECK_H
#define ASH_DEVICE_ROUTINE_CHECK_H

#include "device/observe/observe.h"
#include "device/routine/static.h"
#include "device/target/bits.h"
#include "device/target/target.h"

/* Ends the program with one message. */
DEV_NORETURN void ash_raise(enum ash_fault_kind kind, const char *function, const char *argument,
                            uint64_t value, uint64_t nbytes)
{
    struct ash_fault fault;
    fault.kind = kind;
    fault.function = function;
    fault.argument = argument;
    fault.value = value;
    fault.nbytes = nbytes;
    dev_fault(&fault);
    dev_unreachable();
}

DEV void ash_check_started(const char *function)
{
    if (dev_unlikely(dev_state->n_pes == 0) && !ash_observing())
        ash_raise(ASH_FAULT_NOT_STARTED, function, "", 0, 0);
}

DEV void ash_check_pe(const char *function, int pe)
{
    if (dev_unlikely((uint32_t)pe >= dev_state->n_pes) && (uint32_t)pe >= ash_job_pes())
        ash_raise(ASH_FAULT_PE, function, "pe", (uint64_t)(int64_t)pe, 0);
}

/* Returns the bytes of so many elements or blocks, which `argument` names. */
DEV uint64_t ash_check_count(const char *function, const char *argument, uint64_t count,
                             uint64_t size)
{
    if (dev_unlikely(size != 0 && count > UINT64_MAX / size))
        ash_raise(ASH_FAULT_SIZE, function, argument, count, size);
    return count * size;
}

/* The same of nelems elements. */
DEV uint64_t ash_check_size(const char *function, uint64_t nelems, uint64_t size)
{
    return ash_check_count(function, "nelems", nelems, size);
}

DEV void ash_check_local(const char *function, const char *argument, const void *address)
{
    if (dev_unlikely(address == NULL)) ash_raise(ASH_FAULT_NULL, function, argument, 0, 0);
}

/* Likewise a variable of `width` bytes, which need not be in the heap, but must be aligned. */
DEV void ash_check_local_variable(const char *function, const char *argument, const void *address,
                                  unsigned width)
{
    ash_check_local(function, argument, address);
    if (dev_unlikely(((uintptr_t)address & (width - 1)) != 0))
        ash_raise(ASH_FAULT_ALIGNMENT, function, argument, (uint64_t)(uintptr_t)address, width);
}

/* Off the usual path: the offset in the heap of nbytes of static variables. */
DEV uint64_t ash_check_static(const char *function, const char *argument, const void *address,
                              uint64_t nbytes)
{
    uint64_t offset = ash_static_offset(address, nbytes);
    if (offset == ASH_NOT_STATIC)
        ash_raise(ASH_FAULT_RANGE, function, argument, (uint64_t)(uintptr_t)address, nbytes);
    return offset;
}

/* Returns the offset in the heap of nbytes at a symmetric address. */
DEV uint64_t ash_check_symmetric(const char *function, const char *argument, const void *address,
                                 uint64_t nbytes)
{
    const struct ash_state *s = dev_state;
    uint64_t offset = (uint64_t)((uintptr_t)address - (uintptr_t)s->heap);
    uint64_t size = s->heap_size;
    if (dev_unlikely(offset >= size || nbytes > size - offset))
        return ash_check_static(function, argument, address, nbytes);
    return offset;
}

/* True if all of nbytes at an address are in this PE's heap. */
DEV bool ash_in_heap(const void *address, uint64_t nbytes)
{
    const struct ash_state *s = dev_state;
    uint64_t offset = (uint64_t)((uintptr_t)address - (uintptr_t)s->heap);
    return offset < s->heap_size && nbytes <= s->heap_size - offset;
}

/* The offset of a symmetric address; of another one, its distance from the heap's begin. */
DEV uint64_t ash_offset_of(const void *address)
{
    const struct ash_state *s = dev_state;
    uint64_t offset = (uint64_t)((uintptr_t)address - (uintptr_t)s->heap), other;
    if (dev_likely(offset < s->heap_size)) return offset;
    other = ash_static_offset(address, 1);
    return other != ASH_NOT_STATIC ? other : offset;
}

/*
 * True for memory of the calling PE, no byte of which is in its heap.  NVSHMEM adds the distance
 * between two PEs' heaps to an address, which is 0 for the PE itself, so its programs put to and
 * get from any of their own memory in that way.  Symmetric static variables are copied so as well,
 * but where the heap is reached by the channel alone, they are: else a copy would overtake what was
 * sent before a fence.
 */
DEV bool ash_is_private(const void *address, uint64_t nbytes, int pe)
{
    const struct ash_state *s = dev_state;
    uint64_t offset = (uint64_t)((uintptr_t)address - (uintptr_t)s->heap);
    return pe == s->my_pe && offset >= s->heap_size && nbytes <= 0 - offset && address != NULL &&
           (s->peer[pe] != NULL || ash_static_offset(address, nbytes) == ASH_NOT_STATIC);
}

/* Like ash_check_symmetric, for the other side of a copy; private memory's offset is one outside
 * of the heap.  The PE must have been checked. */
DEV uint64_t ash_check_there(const char *function, const char *argument, const void *address,
                             uint64_t nbytes, int pe)
{
    if (ash_is_private(address, nbytes, pe))
        return (uint64_t)((uintptr_t)address - (uintptr_t)dev_state->heap);
    return ash_check_symmetric(function, argument, address, nbytes);
}

/* The address at which the caller reaches such an offset; NULL if the PE is not mapped. */
DEV unsigned char *ash_address_there(int pe, uint64_t offset)
{
    const struct ash_state *s = dev_state;
    uintptr_t peer = (uintptr_t)(offset < s->heap_size ? s->peer[pe] : s->heap);
    return peer == 0 ? NULL : (unsigned char *)(peer + offset);
}

/*
 * Like ash_check_symmetric, for one element of `width` bytes.  The PE must have been checked:
 * then the heap exists and is larger than any element, so one comparison is enough.
 */
DEV uint64_t ash_check_element(const char *function, const char *argument, const void *address,
                               unsigned width)
{
    const struct ash_state *s = dev_state;
    uint64_t offset = (uint64_t)((uintptr_t)address - (uintptr_t)s->heap);
    if (dev_unlikely(offset > s->heap_size - width))
        return ash_check_static(function, argument, address, width);
    return offset;
}

/* Like ash_check_element, for a variable, which must be aligned. */
DEV uint64_t ash_check_variable(const char *function, const char *argument, const void *address,
                                unsigned width)
{
    uint64_t offset = ash_check_element(function, argument, address, width);
    if (dev_unlikely(offset & (width - 1)))
        ash_raise(ASH_FAULT_ALIGNMENT, function, argument, (uint64_t)(uintptr_t)address, width);
    return offset;
}

/*
 * The number of an element in the heap: its offset divided by its width, a constant.
 * The remainder goes to the highest bits, so that one comparison with the number of
 * elements finds an address that is outside the heap or not aligned.
 */
DEV uint64_t ash_heap_element(const void *address, unsigned width)
{
    uint64_t offset = (uint64_t)((uintptr_t)address - (uintptr_t)dev_state->heap);
    unsigned shift = ash_width_log2(width);
    return shift == 0 ? offset : offset >> shift | offset << (64 - shift);
}

/* The same for a symmetric address: a static variable of the program has the number of its memory
 * in the heap. */
DEV uint64_t ash_element(const void *address, unsigned width)
{
    return ash_static_element(ash_heap_element(address, width), width);
}

/* The inverse of ash_heap_element, also for the number of an invalid address. */
DEV uint64_t ash_element_offset(uint64_t element, unsigned width)
{
    unsigned shift = ash_width_log2(width);
    return shift == 0 ? element : element << shift | element >> (64 - shift);
}

/* True if there is no such element or no such PE, or if calls are observed. */
DEV bool ash_element_is_invalid(uint64_t element, unsigned width, int pe)
{
    const struct ash_state *s = dev_state;
    return dev_unlikely(element >= s->heap_elements[ash_width_log2(width)]) ||
           dev_unlikely((uint32_t)pe >= s->n_pes);
}

/*
 * Reports the invalid argument, if there is one; else returns the element, or for a static variable
 * that was not found yet, its memory in the heap.  This function and its like
 * (ash_report_invalid_...) do not return if an argument is invalid.  Compilers must not know
 * that: a call at the end of a routine becomes a tail jump, but for a call that never
 * returns the routine gets a stack frame, on its usual path, too.
 */
DEV_COLD uint64_t ash_report_invalid_element(const char *function, const char *argument,
                                             uint64_t element, unsigned width, int pe)
{
    uintptr_t address = (uintptr_t)dev_state->heap + ash_element_offset(element, width);
    ash_check_pe(function, pe);
    return ash_check_variable(function, argument, (const void *)address, width) / width;
}

/* Checks a put or a get of nbytes; returns the offset of its side at the PE (ash_check_there), or 0
 * if there are no bytes. */
DEV uint64_t ash_check_copy(const char *function, const char *there, const void *remote,
                            const char *here, const void *local, uint64_t nbytes, int pe)
{
    uint64_t offset;
    ash_check_pe(function, pe);
    if (dev_unlikely(nbytes == 0)) return 0;
    offset = ash_check_there(function, there, remote, nbytes, pe);
    ash_check_local(function, here, local);
    return offset;
}

/*
 * True if a put or a get of nelems elements of `size` bytes has an invalid argument, or if calls
 * are observed.  Also for what is allowed, but unusual: an empty copy whose addresses are invalid,
 * one of private memory, and one of a shared library's static variables.  *io_offset is the
 * distance of the symmetric side from the heap's begin; it becomes its offset.
 */
DEV bool ash_copy_is_invalid(uint64_t *io_offset, const void *local, uint64_t nelems,
                             uint64_t size, int pe)
{
    const struct ash_state *s = dev_state;
    uint64_t room = s->heap_size - *io_offset;
    if (dev_unlikely(*io_offset >= s->heap_size) && !ash_static_room(io_offset, &room, pe))
        return true;
    return dev_unlikely(room / size < nelems) || dev_unlikely((uint32_t)pe >= s->n_pes) ||
           dev_unlikely(local == NULL);
}

/* The same for the heap alone: true for static variables as well. */
DEV bool ash_heap_copy_is_invalid(uint64_t offset, const void *local, uint64_t nelems,
                                  uint64_t size, int pe)
{
    const struct ash_state *s = dev_state;
    return dev_unlikely(offset >= s->heap_size) ||
           dev_unlikely((s->heap_size - offset) / size < nelems) ||
           dev_unlikely((uint32_t)pe >= s->n_pes) || dev_unlikely(local == NULL);
}

#endif
