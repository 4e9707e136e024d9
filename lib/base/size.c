/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parses sizes with units and compares words without the C library's locale (env.h).
 */
#include <string.h>

#include "lib/base/env.h"

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool ash_word_is(const char *text, const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (lower(text[i]) != lower(word[i])) return false;
    return text[length] == '\0';
}

/* "k", "M", "GB", "tib": log2 of the unit, or -1. */
static int unit_shift(const char *suffix)
{
    static const char letters[] = "kmgt";
    const char *letter;
    if (*suffix == '\0') return 0;
    letter = strchr(letters, lower(*suffix));
    if (letter == NULL) return ash_word_is(suffix, "b", 1) ? 0 : -1;
    suffix++;
    if (*suffix != '\0' && !ash_word_is(suffix, "b", 1) && !ash_word_is(suffix, "ib", 2)) return -1;
    return 10 * (int)(letter - letters + 1);
}

bool ash_size_parse(const char *text, uint64_t *ret_size)
{
    uint64_t whole = 0, fraction = 0, scale = 1, unit;
    const char *p = text;
    int shift;
    for (; is_digit(*p); p++) {
        if (whole > (UINT64_MAX - 9) / 10) return false;
        whole = whole * 10 + (uint64_t)(*p - '0');
    }
    if (p == text) return false;
    if (*p == '.') {
        if (!is_digit(*++p)) return false;
        for (; is_digit(*p); p++) {
            if (scale > 100000) continue; /* six digits of a fraction are enough */
            fraction = fraction * 10 + (uint64_t)(*p - '0');
            scale *= 10;
        }
    }
    shift = unit_shift(p);
    /* A number of bytes without a unit must be whole. */
    if (shift < 0 || (shift == 0 && scale > 1)) return false;
    unit = UINT64_C(1) << shift;
    if (whole > UINT64_MAX / unit - 1) return false;
    /* Rounded up, as OpenSHMEM has it. */
    *ret_size = whole * unit + (fraction * unit + scale - 1) / scale;
    return true;
}
