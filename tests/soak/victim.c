/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * victim KIND VICTIM: wait for a PE that does not come, or use it, until it dies.
 *
 * Each PE prints "victim: ready" before it begins; the victim sleeps, except that
 * in "mix" it does what all do.  Nothing here ends by itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/pe.h"

#define BYTES (64u << 10)
#define VARIABLES 4

static int victim;
static int *variables;
static uint64_t *word;
static unsigned char *bytes;

static void wait_one(void) { nvshmem_int_wait_until(variables, NVSHMEM_CMP_EQ, 5); }
static void wait_signal(void) { nvshmem_signal_wait_until(word, NVSHMEM_CMP_EQ, 5); }
static void wait_any(void)
{
    nvshmem_int_wait_until_any(variables, VARIABLES, NULL, NVSHMEM_CMP_EQ, 5);
}
static void wait_barrier(void) { nvshmem_barrier_all(); }
static void wait_malloc(void) { nvshmem_malloc(64); }
static void wait_finalize(void) { nvshmem_finalize(); }

static void use_quiet(void)
{
    static unsigned char local[BYTES];
    for (;;) {
        nvshmem_putmem_nbi(bytes, local, BYTES, victim);
        nvshmem_quiet();
    }
}

static void use_amo(void)
{
    for (;;) nvshmem_uint64_atomic_fetch_add(word, 1, victim);
}

/* The channel is full all the time. */
static void use_ring(void)
{
    for (;;) nvshmem_uint64_atomic_add(word, 1, victim);
}

static void use_all(void)
{
    uint64_t state = (uint64_t)pe_me;
    for (unsigned i = 0;; i++) {
        int pe = (int)(pe_random(&state) % (uint64_t)pe_n);
        switch (pe_random(&state) % 4) {
        case 0: nvshmem_uint64_atomic_fetch_add(word, 1, pe); break;
        case 1: nvshmem_putmem_nbi(bytes, bytes + BYTES, 4096, pe); break;
        case 2:
            nvshmem_putmem_signal(bytes, bytes + BYTES, 64, word, 1, NVSHMEM_SIGNAL_ADD, pe);
            break;
        default: nvshmem_quiet();
        }
        if (i % 100 == 99) nvshmem_barrier_all();
    }
}

static const struct kind {
    const char *name;
    void (*run)(void);
    bool victim_takes_part;
} kinds[] = {{"wait", wait_one, false},       {"signal", wait_signal, false},
             {"any", wait_any, false},        {"barrier", wait_barrier, false},
             {"malloc", wait_malloc, false},  {"finalize", wait_finalize, false},
             {"quiet", use_quiet, false},     {"amo", use_amo, false},
             {"ring", use_ring, false},       {"mix", use_all, true}};

/* One write, so that lines do not mix. */
static void say_ready(void)
{
    if (write(STDOUT_FILENO, "victim: ready\n", 14) != 14) _exit(1);
}

static void start(void)
{
    pe_start("victim");
    variables = pe_alloc(VARIABLES * sizeof(*variables));
    word = pe_alloc(sizeof(*word));
    bytes = pe_alloc(2 * (size_t)BYTES);
    nvshmem_barrier_all();
}

int main(int argc, char **argv)
{
    const char *rank = getenv("PMIX_RANK");
    if (argc != 3) return 99;
    victim = atoi(argv[2]);
    /* The one kind in which the victim never starts. */
    if (strcmp(argv[1], "init") == 0) {
        say_ready();
        while (rank != NULL && atoi(rank) == victim) pause();
        start();
        return 98;
    }
    start();
    say_ready();
    for (size_t i = 0; i < PE_COUNT(kinds); i++) {
        if (strcmp(kinds[i].name, argv[1]) != 0) continue;
        while (pe_me == victim && !kinds[i].victim_takes_part) pause();
        kinds[i].run();
        printf("victim: PE %d WENT ON\n", pe_me);
        return 98;
    }
    return 99;
}
