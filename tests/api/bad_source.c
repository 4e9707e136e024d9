/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bad_source CASE: PE 1 puts from memory that is not there, or that it unmaps too early, while PE
 * 0 waits for it; or PE 0 has unmapped what PE 1 gets.  tests/api/bad_source.sh knows what must
 * be said.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/pe.h"

/* The kernel copies so many bytes; of fewer, UCX may be the one that reads them. */
#define BYTES 20000u
#define MANY (UINT64_C(64) << 20)
#define NOWHERE ((const void *)(uintptr_t)0x1000)

static char *map(void)
{
    char *bytes = mmap(NULL, MANY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    PE_NEED(bytes != MAP_FAILED);
    return bytes;
}

/* Its second half is not mapped any more. */
static const char *map_half(void)
{
    char *bytes = map();
    PE_NEED(munmap(bytes + MANY / 2, MANY / 2) == 0);
    return bytes;
}

/* PE 0, whose process id the word is, is stopped meanwhile: the put cannot be complete before. */
static void put_and_unmap(char *to, const uint64_t *word)
{
    pid_t target = (pid_t)nvshmem_uint64_g(word, 0);
    char *bytes = map();
    PE_NEED(kill(target, SIGSTOP) == 0);
    nvshmem_putmem_nbi(to, bytes, MANY, 0);
    PE_NEED(munmap(bytes, MANY) == 0);
    PE_NEED(kill(target, SIGCONT) == 0);
    nvshmem_quiet();
}

#define CALLS(X) \
    X(put, nvshmem_putmem(to, NOWHERE, BYTES, 0)) \
    X(put_nbi, nvshmem_putmem_nbi(to, NOWHERE, BYTES, 0); nvshmem_quiet()) \
    X(put_signal, nvshmem_putmem_signal(to, NOWHERE, BYTES, word, 1, NVSHMEM_SIGNAL_SET, 0)) \
    X(put_signal_nbi, \
      nvshmem_putmem_signal_nbi(to, NOWHERE, BYTES, word, 1, NVSHMEM_SIGNAL_SET, 0); \
      nvshmem_quiet()) \
    X(half, nvshmem_putmem(to, map_half(), MANY, 0)) \
    X(unmapped, put_and_unmap(to, word)) \
    X(heap, nvshmem_getmem(map(), to, MANY, 0))

static void call(const char *name, char *to, uint64_t *word)
{
#define X(NAME, CALL) \
    if (strcmp(name, #NAME) == 0) { \
        CALL; \
        printf("bad_source: %s CAME BACK\n", name); \
        return; \
    }
    CALLS(X)
#undef X
    printf("bad_source: no such case: %s\n", name);
}

int main(int argc, char **argv)
{
    char *to;
    uint64_t *word;
    setenv("NVSHMEM_SYMMETRIC_SIZE", "80M", 1);
    pe_start("bad_source");
    PE_NEED(argc == 2);
    to = nvshmem_align(1 << 16, MANY);
    PE_NEED(to != NULL);
    word = pe_alloc(sizeof(*word));
    if (pe_me == 0) *word = (uint64_t)getpid();
    /* PE 1 is connected, so that what it puts does not wait for that. */
    if (pe_me == 1) nvshmem_putmem(to, to, BYTES, 0);
    nvshmem_barrier_all();
    if (pe_me == 0 && strcmp(argv[1], "heap") == 0)
        PE_NEED(munmap(to, MANY / 2) == 0);
    nvshmem_barrier_all();
    if (pe_me == 1) call(argv[1], to, word);
    nvshmem_barrier_all();
    return pe_finish();
}
