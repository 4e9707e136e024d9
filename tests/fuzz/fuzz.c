/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/fuzz.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/log.h"

/* What ends a process leaves memory behind, and so do its ends in here: no leaks are told. */
int __lsan_is_turned_off(void) __attribute__((visibility("default")));
int __lsan_is_turned_off(void) { return 1; }

char fuzz_said[1024];
char fuzz_logged[4096];
bool fuzz_verbose;
static jmp_buf out;
static bool may_refuse;

#define KINDS 64
static struct {
    const char *what;
    unsigned long n;
} counts[KINDS];

void fuzz_finding(const char *format, ...)
{
    va_list args;
    fprintf(stderr, "finding: ");
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n");
    abort();
}

/* ash_fatal, wherever the library calls it. */
_Noreturn void __wrap_ash_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void __wrap_ash_fatal(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(fuzz_said, sizeof(fuzz_said), format, args);
    va_end(args);
    if (!may_refuse) fuzz_finding("the library ends the process: %s", fuzz_said);
    may_refuse = false;
    longjmp(out, 1);
}

/* ash_log_write, the same way. */
void __wrap_ash_log_write(enum ash_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void __wrap_ash_log_write(enum ash_level level, const char *format, ...)
{
    size_t used = strlen(fuzz_logged);
    va_list args;
    (void)level;
    va_start(args, format);
    vsnprintf(fuzz_logged + used, sizeof(fuzz_logged) - used, format, args);
    va_end(args);
}

bool fuzz_refused(void (*body)(void *what), void *what)
{
    fuzz_said[0] = '\0';
    if (setjmp(out) != 0) return true;
    may_refuse = true;
    body(what);
    may_refuse = false;
    return false;
}

void fuzz_count(const char *what)
{
    for (int i = 0; i < KINDS; i++) {
        if (counts[i].what != NULL && strcmp(counts[i].what, what) != 0) continue;
        counts[i].what = what;
        counts[i].n++;
        return;
    }
}

void fuzz_print_counts(void)
{
    for (int i = 0; i < KINDS && counts[i].what != NULL; i++)
        printf("# %10lu %s\n", counts[i].n, counts[i].what);
}

static bool has_happened(const char *what)
{
    for (int i = 0; i < KINDS && counts[i].what != NULL; i++)
        if (strcmp(counts[i].what, what) == 0) return true;
    return false;
}

const char *fuzz_missing(const char *const *wanted)
{
    while (*wanted != NULL && has_happened(*wanted)) wanted++;
    return *wanted;
}

unsigned char *fuzz_guarded(size_t nbytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *all = mmap(NULL, nbytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                              0);
    if (all == MAP_FAILED || mprotect(all + page, nbytes, PROT_READ | PROT_WRITE) != 0)
        fuzz_finding("no memory");
    return all + page;
}
