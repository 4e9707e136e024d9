/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzzers: what they share.
 *
 * A fuzzer is one function that makes something of any bytes and compares what
 * the library does with what a model says.  It is built twice: with libFuzzer,
 * which looks for bytes that reach new code (make fuzz), and with driver.c,
 * which takes a fixed sequence of random bytes and the corpus (make check).
 *
 * The library ends the process when it refuses something.  Here ash_fatal is
 * another function, put in its place by the linker (--wrap): it returns to
 * fuzz_refused, so that a million refusals fit into one process.
 */
#ifndef ASH_TESTS_FUZZ_FUZZ_H
#define ASH_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What each fuzzer defines: its name, and one execution (libFuzzer's name for it). */
extern const char fuzz_name[];
/* Executions of random bytes in make check. */
extern const unsigned long fuzz_executions;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

/* Something does not hold: say what, and abort. */
_Noreturn void fuzz_finding(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Bytes of an execution; when they are used up, zeros. */
struct fuzz_input {
    const uint8_t *at;
    size_t left;
};

static inline uint64_t fuzz_take(struct fuzz_input *input, unsigned nbytes)
{
    uint64_t value = 0;
    while (nbytes-- > 0 && input->left > 0) {
        value = value << 8 | *input->at++;
        input->left--;
    }
    return value;
}

/*
 * Run body(what): true if the library ended the process in it, and then what it
 * said is in fuzz_said.
 */
bool fuzz_refused(void (*body)(void *what), void *what);
extern char fuzz_said[];

/* What it logged since this was emptied; ash_log_write is put in place like ash_fatal. */
extern char fuzz_logged[4096];

/* Tell what is done, on standard error (driver.c's -v). */
extern bool fuzz_verbose;

/* Things that happened, counted by name, for the last line of driver.c. */
void fuzz_count(const char *what);
void fuzz_print_counts(void);
/* One of these that did not happen, or NULL, which ends them. */
const char *fuzz_missing(const char *const *wanted);
/* The fuzzer's own: what must happen in its default number of executions. */
extern const char *const fuzz_wanted[];

/* Memory of nbytes (whole pages) between two pages that nobody may touch. */
unsigned char *fuzz_guarded(size_t nbytes);

#endif
