/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/env.h"

/* "k", "M", "GB", "tib": log2 of the unit, or -1. */
static int unit_shift(const char *suffix)
{
    static const char letters[] = "kmgt";
    const char *letter;
    if (*suffix == '\0') return 0;
    letter = strchr(letters, tolower((unsigned char)*suffix));
    if (letter == NULL) return strcasecmp(suffix, "b") == 0 ? 0 : -1;
    suffix++;
    if (*suffix != '\0' && strcasecmp(suffix, "b") != 0 && strcasecmp(suffix, "ib") != 0) return -1;
    return 10 * (int)(letter - letters + 1);
}

bool ash_size_parse(const char *text, uint64_t *ret_size)
{
    uint64_t whole = 0, fraction = 0, scale = 1, unit;
    const char *p = text;
    int shift;
    for (; isdigit((unsigned char)*p); p++) {
        if (whole > (UINT64_MAX - 9) / 10) return false;
        whole = whole * 10 + (uint64_t)(*p - '0');
    }
    if (p == text) return false;
    if (*p == '.') {
        if (!isdigit((unsigned char)*++p)) return false;
        for (; isdigit((unsigned char)*p); p++) {
            if (scale > 100000) continue; /* more digits than matter */
            fraction = fraction * 10 + (uint64_t)(*p - '0');
            scale *= 10;
        }
    }
    shift = unit_shift(p);
    /* There is no half byte. */
    if (shift < 0 || (shift == 0 && scale > 1)) return false;
    unit = UINT64_C(1) << shift;
    if (whole > UINT64_MAX / unit - 1) return false;
    *ret_size = whole * unit + fraction * unit / scale;
    return true;
}
