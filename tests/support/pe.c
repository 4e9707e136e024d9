/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks are counted atomically, so that all threads of a PE may check; a detached thread is
 * the watchdog, and each message is one write.
 */
#include "tests/support/pe.h"

#include <nvshmemx.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A broken library fails the same check thousands of times: the first messages are enough. */
#define MESSAGES_MAX 20u
#define EXIT_FAILED 1
#define EXIT_TOO_LATE 3

#define FNV_PRIME UINT64_C(0x100000001b3)

int pe_me = -1, pe_n;

static uint64_t *hosts;

static struct {
    const char *name;
    char step[160];
    /* Written by: all threads of the PE, atomically.  Read by: pe_verdict and the watchdog. */
    uint64_t checks, failures;
    unsigned limit;
    bool stopped;
} test = {.name = "?", .step = "start"};

/* Each line is one write, so that lines of many PEs do not mix. */
__attribute__((format(printf, 1, 2))) static void print_line(const char *format, ...)
{
    char text[640];
    int length = snprintf(text, sizeof(text), "%s: PE %d of %d: ", test.name, pe_me, pe_n);
    va_list arguments;
    va_start(arguments, format);
    length += vsnprintf(text + length, sizeof(text) - (size_t)length - 1, format, arguments);
    va_end(arguments);
    if ((size_t)length > sizeof(text) - 2) length = sizeof(text) - 2;
    text[length++] = '\n';
    if (write(STDOUT_FILENO, text, (size_t)length) != length) test.stopped = true;
}

static void *watchdog(void *unused)
{
    sigset_t all;
    (void)unused;
    /* Else a signal that a test sends would end the sleep early. */
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    sleep(test.limit);
    print_line("NO END after %u s in step '%s'; %llu checks, %llu failed", test.limit, test.step,
               (unsigned long long)test.checks, (unsigned long long)test.failures);
    /* The other PEs are as late as this one: let them print their steps, too. */
    sleep(1);
    _exit(EXIT_TOO_LATE);
}

void pe_watch(const char *name)
{
    const char *limit = getenv("PE_TIME_LIMIT");
    pthread_t thread;
    test.name = name;
    test.limit = limit != NULL ? (unsigned)atoi(limit) : 100;
    if (pthread_create(&thread, NULL, watchdog, NULL) != 0)
        pe_stop(__FILE__, __LINE__, "pthread_create");
    pthread_detach(thread);
}

void pe_started(void)
{
    pe_me = nvshmem_my_pe();
    pe_n = nvshmem_n_pes();
}

void pe_start(const char *name)
{
    pe_watch(name);
    nvshmem_init();
    pe_started();
}

int pe_verdict(void)
{
    uint64_t checks = __atomic_load_n(&test.checks, __ATOMIC_SEQ_CST);
    uint64_t failures = __atomic_load_n(&test.failures, __ATOMIC_SEQ_CST);
    if (failures > 0) {
        print_line("FAILED %llu of %llu checks", (unsigned long long)failures,
                   (unsigned long long)checks);
        return EXIT_FAILED;
    }
    print_line("done, %llu checks", (unsigned long long)checks);
    return test.stopped ? EXIT_FAILED : 0;
}

int pe_finish(void)
{
    pe_step("finish");
    nvshmem_barrier_all();
    nvshmem_finalize();
    return pe_verdict();
}

void pe_step(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(test.step, sizeof(test.step), format, arguments);
    va_end(arguments);
}

void *pe_alloc(size_t nbytes)
{
    void *block = nvshmem_calloc(1, nbytes);
    PE_NEED(block != NULL);
    return block;
}

/* A hash stands for the host's name: 64 bits are enough to tell the hosts of a test apart. */
static uint64_t hash_host(void)
{
    char name[256] = "";
    uint64_t hash = 0;
    PE_NEED(gethostname(name, sizeof(name) - 1) == 0);
    for (size_t i = 0; name[i] != '\0'; i++) hash = (hash ^ (unsigned char)name[i]) * FNV_PRIME;
    return hash;
}

void pe_find_hosts(void)
{
    uint64_t *all = pe_alloc((size_t)pe_n * sizeof(*all)), mine = hash_host();
    for (int pe = 0; pe < pe_n; pe++) nvshmem_uint64_p(&all[pe_me], mine, pe);
    nvshmem_barrier_all();
    hosts = calloc((size_t)pe_n, sizeof(*hosts));
    PE_NEED(hosts != NULL);
    memcpy(hosts, all, (size_t)pe_n * sizeof(*hosts));
    nvshmem_free(all);
}

bool pe_same_host(int pe, int other)
{
    PE_NEED(hosts != NULL);
    return hosts[pe] == hosts[other];
}

bool pe_all_mapped(const void *symmetric)
{
    for (int pe = 0; pe < pe_n; pe++)
        if (nvshmem_ptr(symmetric, pe) == NULL) return false;
    return true;
}

void pe_sleep_us(unsigned microseconds)
{
    struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000L};
    nanosleep(&time, NULL);
}

void pe_yield_cpu(void)
{
    static __thread unsigned turns;
    if (++turns % 64 == 0)
        pe_sleep_us(1);
    else
        (void)sched_yield();
}

/* Steele, Lea and Flood's SplitMix64. */
uint64_t pe_random(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

uint64_t pe_load_bits(const void *variable, size_t width)
{
    uint8_t v1;
    uint16_t v2;
    uint32_t v4;
    uint64_t v8;
    switch (width) {
    case 1: memcpy(&v1, variable, 1); return v1;
    case 2: memcpy(&v2, variable, 2); return v2;
    case 4: memcpy(&v4, variable, 4); return v4;
    default: memcpy(&v8, variable, 8); return v8;
    }
}

void pe_store_bits(void *variable, size_t width, uint64_t bits)
{
    uint8_t v1 = (uint8_t)bits;
    uint16_t v2 = (uint16_t)bits;
    uint32_t v4 = (uint32_t)bits;
    switch (width) {
    case 1: memcpy(variable, &v1, 1); break;
    case 2: memcpy(variable, &v2, 2); break;
    case 4: memcpy(variable, &v4, 4); break;
    default: memcpy(variable, &bits, 8); break;
    }
}

static inline uint8_t fill_byte(size_t i, uint32_t mixed_seed)
{
    return (uint8_t)(((uint32_t)i * 0x9e3779b1u + mixed_seed) >> 21);
}

static uint32_t mix_seed(uint64_t seed)
{
    return (uint32_t)pe_random(&seed);
}

void pe_fill(void *bytes, size_t nbytes, uint64_t seed)
{
    uint8_t *p = bytes;
    uint32_t mixed = mix_seed(seed);
    for (size_t i = 0; i < nbytes; i++) p[i] = fill_byte(i, mixed);
}

/* Count a check, and print it if it failed. */
__attribute__((format(printf, 5, 6))) static bool count(bool holds, const char *file, int line,
                                                        const char *text, const char *format, ...)
{
    char details[240];
    va_list arguments;
    __atomic_fetch_add(&test.checks, 1, __ATOMIC_RELAXED);
    if (holds) return true;
    if (__atomic_fetch_add(&test.failures, 1, __ATOMIC_RELAXED) >= MESSAGES_MAX) return false;
    va_start(arguments, format);
    vsnprintf(details, sizeof(details), format, arguments);
    va_end(arguments);
    print_line("%s:%d: %s: %s (step '%s')", file, line, text, details, test.step);
    return false;
}

bool pe_check_true(const char *file, int line, const char *text, bool holds)
{
    return count(holds, file, line, text, "expected true, got false");
}

bool pe_check_equal(const char *file, int line, const char *text, uint64_t got, uint64_t want)
{
    return count(got == want, file, line, text, "expected %llu (0x%llx), got %llu (0x%llx)",
                 (unsigned long long)want, (unsigned long long)want, (unsigned long long)got,
                 (unsigned long long)got);
}

bool pe_check_fill(const char *file, int line, const char *text, const void *bytes, size_t nbytes,
                   uint64_t seed)
{
    const uint8_t *p = bytes;
    uint32_t mixed = mix_seed(seed);
    size_t i = nbytes;
    unsigned got;
    /* From the end: a copy that is still in flight has not got there. */
    while (i > 0 && p[i - 1] == fill_byte(i - 1, mixed)) i--;
    if (i == 0) return count(true, file, line, text, "-");
    got = p[i - 1];
    return count(false, file, line, text, "byte %zu of %zu: expected 0x%02x, got 0x%02x", i - 1,
                 nbytes, fill_byte(i - 1, mixed), got);
}

bool pe_check_bytes(const char *file, int line, const char *text, const void *bytes,
                    size_t nbytes, unsigned char want)
{
    const unsigned char *p = bytes;
    size_t i = 0;
    while (i < nbytes && p[i] == want) i++;
    if (i == nbytes) return count(true, file, line, text, "-");
    return count(false, file, line, text, "byte %zu of %zu: expected 0x%02x, got 0x%02x", i, nbytes,
                 want, p[i]);
}

void pe_stop(const char *file, int line, const char *text)
{
    print_line("%s:%d: %s: cannot go on (step '%s')", file, line, text, test.step);
    if (nvshmemx_init_status() == NVSHMEM_STATUS_IS_INITIALIZED) nvshmem_global_exit(EXIT_FAILED);
    _exit(EXIT_FAILED);
}
