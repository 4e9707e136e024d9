/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the static variables that are symmetric, in the headers of what is loaded.
 *
 * These are the writable segments, without what the loader protects after it has relocated it
 * (RELRO), of the program and of each shared library that needs this one by name.  OpenSHMEM
 * promises no more than the program.  A library that does not call OpenSHMEM cannot mean its
 * variables for it, and those of the system, UCX and PMIx have state that no peer should reach.
 * What is loaded later, by dlopen, is not found.  Thread-local variables lie elsewhere.
 */
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/symmetric/static_parts.h"

struct search {
    struct ash_static_parts *parts;
    uint32_t n_objects;
    uintptr_t page;
};

/* FNV-1a. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t nbytes)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < nbytes; i++) hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool is_ours(const char *name)
{
    return begins(name, "libanyshmem") || begins(name, "libnvshmem");
}

static const ElfW(Dyn) *dynamic_of(const struct dl_phdr_info *info)
{
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            return (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    return NULL;
}

static const char *strings_of(const struct dl_phdr_info *info, const ElfW(Dyn) *dynamic)
{
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        if (dynamic->d_tag != DT_STRTAB) continue;
        /* Most loaders have relocated it. */
        return (const char *)(dynamic->d_un.d_ptr >= info->dlpi_addr
                                  ? dynamic->d_un.d_ptr
                                  : info->dlpi_addr + dynamic->d_un.d_ptr);
    }
    return NULL;
}

/* A library that needs this one by name, and is not itself a part of it. */
static bool calls_us(const struct dl_phdr_info *info)
{
    const ElfW(Dyn) *dynamic = dynamic_of(info);
    const char *strings = dynamic != NULL ? strings_of(info, dynamic) : NULL;
    bool needs = false;
    if (strings == NULL) return false;
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        const char *name = strings + dynamic->d_un.d_val;
        if (dynamic->d_tag == DT_SONAME && is_ours(name)) return false;
        needs = needs || (dynamic->d_tag == DT_NEEDED && is_ours(name));
    }
    return needs;
}

static void hash_object(struct search *search, const struct dl_phdr_info *info)
{
    uint64_t hash = search->parts->hash;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        const uint64_t facts[] = {header->p_type, header->p_flags, header->p_vaddr,
                                  header->p_filesz, header->p_memsz};
        hash = hash_bytes(hash, facts, sizeof(facts));
        /* The build id is a note. */
        if (header->p_type == PT_NOTE)
            hash = hash_bytes(hash, (const void *)(info->dlpi_addr + header->p_vaddr),
                              header->p_memsz);
    }
    search->parts->hash = hash;
}

static uintptr_t page_down(const struct search *search, uintptr_t address)
{
    return address / search->page * search->page;
}

static uintptr_t page_up(const struct search *search, uintptr_t address)
{
    return page_down(search, address + search->page - 1);
}

/* Where the protected part of a segment ends, or its begin, if it has none. */
static uintptr_t relro_end(const struct search *search, const struct dl_phdr_info *info,
                           uintptr_t begin, uintptr_t end)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *relro = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + relro->p_vaddr;
        if (relro->p_type == PT_GNU_RELRO && from < end && from + relro->p_memsz > begin)
            return page_down(search, from + relro->p_memsz);
    }
    return begin;
}

static int protection_of(const ElfW(Phdr) *load)
{
    return (load->p_flags & PF_R ? PROT_READ : 0) | PROT_WRITE |
           (load->p_flags & PF_X ? PROT_EXEC : 0);
}

static void add_segment(struct search *search, const struct dl_phdr_info *info,
                        const ElfW(Phdr) *load)
{
    struct ash_static_parts *parts = search->parts;
    struct ash_static_part *part = &parts->part[parts->n];
    uintptr_t first = info->dlpi_addr + load->p_vaddr, end = first + load->p_memsz;
    uintptr_t begin = page_down(search, relro_end(search, info, first, end));
    uintptr_t file_end = page_up(search, first + load->p_filesz);
    if (begin >= end) return;
    if (parts->n == ASH_STATIC_RANGES) {
        parts->overflows = true;
        return;
    }
    memset(part, 0, sizeof(*part));
    part->begin = (unsigned char *)begin;
    part->used_nbytes = end - begin;
    part->nbytes = page_up(search, end) - begin;
    part->file_nbytes = file_end > begin ? file_end - begin : 0;
    part->protection = protection_of(load);
    parts->nbytes += part->nbytes;
    parts->n++;
}

static int look_at(struct dl_phdr_info *info, size_t nbytes, void *argument)
{
    struct search *search = argument;
    (void)nbytes;
    /* The first one is the program. */
    if (search->n_objects++ > 0 && !calls_us(info)) return 0;
    hash_object(search, info);
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_W))
            add_segment(search, info, &info->dlpi_phdr[i]);
    return 0;
}

void ash_static_parts_find(struct ash_static_parts *ret_parts)
{
    struct search search = {ret_parts, 0, (uintptr_t)sysconf(_SC_PAGESIZE)};
    memset(ret_parts, 0, sizeof(*ret_parts));
    ret_parts->hash = UINT64_C(0xcbf29ce484222325);
    (void)dl_iterate_phdr(look_at, &search);
}
