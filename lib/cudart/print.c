/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * printf in kernels: clang packs the arguments in a struct, each at its alignment; failed
 * assertions, and the clock that kernels read.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anyshmem_kernel.h"
#include "device/hostdev/clock.h"
#include "device/hostdev/kernel.h"
#include "lib/base/place.h"
#include "lib/cudart/print.h"

/* The next argument, of `nbytes`. */
static const void *take(const char **arguments, size_t nbytes)
{
    uintptr_t place = ((uintptr_t)*arguments + nbytes - 1) & ~(uintptr_t)(nbytes - 1);

    *arguments = (const char *)place + nbytes;
    return (const void *)place;
}

/* "ll", "z": 8 bytes; int, and what is promoted to it, 4. */
static size_t integer_size(const char *conversion, size_t n)
{
    size_t n_l = 0;

    for (size_t i = 0; i < n; i++) {
        if (strchr("jztL", conversion[i]) && conversion[i])
            return 8;
        n_l += conversion[i] == 'l';
    }
    return n_l ? 8 : 4;
}

/* One conversion "%...c" of `n` letters. */
static void convert(FILE *to, const char *conversion, size_t n, const char **arguments)
{
    char one[64];
    int stars[2] = { 0, 0 }, n_stars = 0;

    if (n >= sizeof(one))
        return;
    memcpy(one, conversion, n);
    one[n] = 0;
    for (size_t i = 0; i < n; i++)
        if (one[i] == '*' && n_stars < 2)
            stars[n_stars++] = *(const int *)take(arguments, 4);
#define ADD(value) \
    do { \
        if (n_stars == 0) \
            fprintf(to, one, value); \
        else if (n_stars == 1) \
            fprintf(to, one, stars[0], value); \
        else \
            fprintf(to, one, stars[0], stars[1], value); \
    } while (0)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    if (strchr("eEfFgGaA", one[n - 1]))
        ADD(*(const double *)take(arguments, 8));
    else if (strchr("sp", one[n - 1]))
        ADD(*(void *const *)take(arguments, 8));
    else if (integer_size(one, n) == 8)
        ADD(*(const int64_t *)take(arguments, 8));
    else
        ADD(*(const int *)take(arguments, 4));
#pragma GCC diagnostic pop
#undef ADD
}

int ash_cuda_vprintf(const char *format, const void *arguments)
{
    char *text = NULL;
    size_t nbytes = 0;
    FILE *to = open_memstream(&text, &nbytes);
    const char *next = arguments;
    int n_converted = 0;

    if (to == NULL)
        return 0;
    for (const char *at = format; *at;) {
        size_t n = strcspn(at, "%");

        fwrite(at, 1, n, to);
        at += n;
        if (!*at)
            break;
        n = 1 + strspn(at + 1, "-+ #0123456789.*hlLjzt");
        if (!at[n])
            break;
        n++;
        if (at[n - 1] == '%') {
            fputc('%', to);
        } else {
            convert(to, at, n, &next);
            n_converted++;
        }
        at += n;
    }
    /* At once, so that lines of several threads stay whole. */
    if (fclose(to) == 0)
        fwrite(text, 1, nbytes, stdout);
    free(text);
    return n_converted;
}

/*
 * On a GPU the next call of the host returns cudaErrorAssert, and so do all later ones: no program
 * goes on with that.  Here it ends at once, because other threads may wait for this one.
 */
void ash_cuda_assert(const char *assertion, const char *file, unsigned line, const char *function)
{
    const struct anyshmem_thread *self = anyshmem_this_thread();
    const struct anyshmem_index *b = &self->block, *t = &self->thread;

    /* What the kernel has printed comes first. */
    fflush(stdout);
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
            file, line, function, b->x, b->y, b->z, t->x, t->y, t->z, assertion);
    ash_kernel_fail("an assertion failed in a kernel: cudaErrorAssert", file, line);
}

void ash_cuda_trap(void)
{
    char place[ASH_PLACE_TEXT], text[ASH_PLACE_TEXT + 16];

    fflush(stdout);
    ash_place_text(__builtin_return_address(0), place, sizeof(place));
    snprintf(text, sizeof(text), "trap at %s", place);
    ash_kernel_fail(text, NULL, 0);
}

/* Nanoseconds, as a GPU of 1 GHz would count. */
uint64_t ash_cuda_clock(void)
{
    return ash_now_ns();
}
