/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out whether a kernel may access an address on a GPU: -fsanitize=host-memory makes kernels
 * ask before they do.
 */
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/hostdev/kernel.h"
#include "device/hostdev/running.h"
#include "lib/base/place.h"
#include "lib/cudart/check.h"
#include "lib/cudart/kernel.h"
#include "lib/symmetric/heap.h"

/* Ranges that the thread has found last, as long as the table of memory has not changed. */
#define RANGES 4
static __thread struct {
    uint64_t change;
    uintptr_t start[RANGES];
    size_t nbytes[RANGES];
    unsigned next;
} found;

static bool is_found(uintptr_t address)
{
    unsigned i;
    if (found.change != ash_allocation_changes()) return false;
    for (i = 0; i < RANGES; i++)
        if (address - found.start[i] < found.nbytes[i]) return true;
    return false;
}

static void remember(uintptr_t start, size_t nbytes, uint64_t change)
{
    if (found.change != change) memset(&found, 0, sizeof(found));
    found.change = change;
    found.start[found.next] = start;
    found.nbytes[found.next] = nbytes;
    found.next = (found.next + 1) % RANGES;
}

/* Constants of the program, which the device half has as well: what cannot be written, or only
 * while the program is loaded. */
static int is_constant(struct dl_phdr_info *object, size_t nbytes, void *address)
{
    int i;
    (void)nbytes;
    for (i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if ((uintptr_t)address - (object->dlpi_addr + part->p_vaddr) >= part->p_memsz) continue;
        if (part->p_type == PT_GNU_RELRO) return 1;
        if (part->p_type == PT_LOAD && !(part->p_flags & PF_W)) return 1;
    }
    return 0;
}

static bool may(const void *address)
{
    struct ash_allocation a;
    uint64_t change = ash_allocation_changes();
    uintptr_t start;
    size_t nbytes;
    if (ash_hostdev_owns(address, &start, &nbytes)) return true;
    if (ash_allocation_find(address, &a)) {
        remember(a.start, a.nbytes, change);
        return true;
    }
    if (ash_heap_reaches(address, &start, &nbytes) ||
        ash_variable_range(address, &start, &nbytes)) {
        remember(start, nbytes, change);
        return true;
    }
    return dl_iterate_phdr(is_constant, (void *)(uintptr_t)address) != 0;
}

/* What the memory is, by the system's list of mappings; false if it is none. */
static bool kind_of(const void *address, char *ret_text, size_t nbytes)
{
    char line[512], name[384];
    unsigned long first, end;
    bool is_mapped = false;
    FILE *file = fopen("/proc/self/maps", "re");
    while (file != NULL && !is_mapped && fgets(line, sizeof(line), file) != NULL) {
        name[0] = '\0';
        if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %383[^\n]", &first, &end, name) < 2) continue;
        is_mapped = (uintptr_t)address >= first && (uintptr_t)address < end;
    }
    if (file != NULL) (void)fclose(file);
    if (strcmp(name, "[stack]") == 0)
        snprintf(ret_text, nbytes, "the stack of the host");
    else if (strcmp(name, "[heap]") == 0 || name[0] == '\0')
        snprintf(ret_text, nbytes, "malloc's or a thread's stack of the host");
    else
        snprintf(ret_text, nbytes, "variables of the host");
    return is_mapped;
}

void ash_cuda_check(const void *address, size_t nbytes, int write)
{
    char what[64], place[ASH_PLACE_TEXT], text[ASH_PLACE_TEXT + 192];
    if (is_found((uintptr_t)address) || nbytes == 0 || may(address)) return;
    /* The machine refuses the access. */
    if (!kind_of(address, what, sizeof(what))) return;
    ash_place_text(__builtin_return_address(0), place, sizeof(place));
    snprintf(text, sizeof(text), "a kernel %s memory that only the host has: %zu bytes at "
                                 "0x%" PRIxPTR ", %s, at %s",
             write ? "writes" : "reads", nbytes, (uintptr_t)address, what, place);
    ash_kernel_fail(text, NULL, 0);
}

void *ash_cuda_malloc(size_t nbytes)
{
    struct ash_allocation a = {
        .nbytes = nbytes, .type = cudaMemoryTypeDevice, .foreign = true};
    void *memory = malloc(nbytes);
    a.start = (uintptr_t)memory;
    if (memory != NULL && nbytes > 0) (void)ash_allocation_enter(&a);
    return memory;
}

void ash_cuda_free(void *memory)
{
    struct ash_allocation a;
    if (memory == NULL) return;
    (void)ash_allocation_remove(memory, cudaMemoryTypeDevice, true, &a);
    free(memory);
}
