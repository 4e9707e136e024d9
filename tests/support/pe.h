/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks for programs that run as many PEs at once.
 *
 * A check that fails prints one line with the PE, the place, the step, what was
 * expected and what was found; the program goes on and ends with 1.  A PE that
 * does not end in time prints its step and ends the job.  A PE that reaches its
 * end prints "NAME: PE i of N: done, M checks": tests/pe/matrix requires that line
 * of each PE, because the exit status of a launcher alone proves nothing.
 */
#ifndef TESTS_SUPPORT_PE_H
#define TESTS_SUPPORT_PE_H

#include <nvshmem.h>
#include <stdbool.h>
#include <stdint.h>

/* Programs in C++ may use this, too. */
#if defined(__cplusplus)
extern "C" {
#endif

/* The caller's number and the number of PEs; -1 and 0 before pe_start. */
extern int pe_me, pe_n;

/* Start the watchdog (PE_TIME_LIMIT seconds, 100 if not set), then the library. */
void pe_start(const char *name);

/* The same without the library: the caller starts the library, then calls pe_started. */
void pe_watch(const char *name);
void pe_started(void);

/* A barrier of all PEs, end the library, print the last line; returns the exit status. */
int pe_finish(void);

/* Print the last line alone, for a caller that has ended the library itself. */
int pe_verdict(void);

/* Set the current step, which the messages of checks and of the watchdog name. */
void pe_step(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Symmetric memory, all zero; the job ends if there is none. */
void *pe_alloc(size_t nbytes);

/* Collective: exchange the names of the hosts; then pe_same_host can compare two PEs. */
void pe_find_hosts(void);
bool pe_same_host(int pe, int other);

/* True if this PE maps the memory of all PEs; if one PE does, all do. */
bool pe_all_mapped(const void *symmetric);

/* Sleep a little, so that what other PEs do meanwhile has a chance to go wrong. */
void pe_sleep_us(unsigned microseconds);

/*
 * Instead of sched_yield, in a loop that waits without the library: Linux may keep a thread that
 * yields and never sleeps off the CPU for as long as a minute, and other threads with it.
 */
void pe_yield_cpu(void);

/* The next pseudorandom number of the sequence that starts with the given state. */
uint64_t pe_random(uint64_t *state);

/* The `width` bytes of a variable as a number, and back. */
uint64_t pe_load_bits(const void *variable, size_t width);
void pe_store_bits(void *variable, size_t width, uint64_t bits);

/* Fill with bytes that depend on the seed and on their place. */
void pe_fill(void *bytes, size_t nbytes, uint64_t seed);

/* Counted checks; each returns true if it held. */
bool pe_check_true(const char *file, int line, const char *text, bool holds);
bool pe_check_equal(const char *file, int line, const char *text, uint64_t got, uint64_t want);
bool pe_check_fill(const char *file, int line, const char *text, const void *bytes, size_t nbytes,
                   uint64_t seed);
bool pe_check_bytes(const char *file, int line, const char *text, const void *bytes,
                    size_t nbytes, unsigned char want);

/* End the job: the test itself cannot go on. */
__attribute__((noreturn)) void pe_stop(const char *file, int line, const char *text);

#if defined(__cplusplus)
}
#endif

#define PE_TRUE(condition) pe_check_true(__FILE__, __LINE__, #condition, (condition))
#define PE_EQUAL(got, want) \
    pe_check_equal(__FILE__, __LINE__, #got, (uint64_t)(got), (uint64_t)(want))
/* The bytes are those that pe_fill makes. */
#define PE_FILLED(bytes, nbytes, seed) \
    pe_check_fill(__FILE__, __LINE__, #bytes, bytes, nbytes, seed)
/* Each byte has one value. */
#define PE_ALL(bytes, nbytes, want) \
    pe_check_bytes(__FILE__, __LINE__, #bytes, bytes, nbytes, want)
/* A condition without which the rest of the test makes no sense: the job ends if it is false. */
#define PE_NEED(condition) ((condition) ? (void)0 : pe_stop(__FILE__, __LINE__, #condition))

#define PE_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
