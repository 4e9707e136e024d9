/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variables of any text: sizes against a second reading of them, and each
 * variable of env.def against what its line says is accepted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/env.h"
#include "lib/base/error.h"
#include "tests/fuzz/fuzz.h"

const char fuzz_name[] = "env";
const char *const fuzz_wanted[] = {"values", "bad values", "names", "sizes", "no sizes", "secure",
                                   NULL};
const unsigned long fuzz_executions = 120000;

typedef unsigned __int128 wide;
#define TOO_LARGE ((wide)1 << 80)

/* A number with a fraction and a unit, or a word. */
static void take_likely(struct fuzz_input *in, char *text, size_t nbytes)
{
    static const char *const units[] = {"", "", "k", "M", "g", "T", "kb", "KiB", "B", "x", "GB",
                                        "MIB"};
    static const char *const words[] = {"0", "1", "yes", "no", "all", "rma", "am", "cpu", "auto",
                                        "true", "WARN", "TRACE", "pmix", "UID", "2", "1024"};
    uint64_t what = fuzz_take(in, 1), number = fuzz_take(in, 1 + what % 8);
    if (what >= 192)
        snprintf(text, nbytes, "%s", words[number % 16]);
    else if (what % 3 == 0)
        snprintf(text, nbytes, "%llu.%llu%s", (unsigned long long)number >> what % 64,
                 (unsigned long long)fuzz_take(in, 1 + what % 8), units[what / 8 % 12]);
    else
        snprintf(text, nbytes, "%llu%s", (unsigned long long)number, units[what / 8 % 12]);
}

/* Text that looks like a value, or any bytes but zero. */
static void take_text(struct fuzz_input *in, char *text, size_t nbytes)
{
    static const char letters[] = "0123456789012345.kKmMgGtTbBiI -+exa|yYnN";
    size_t length = fuzz_take(in, 1) % (nbytes - 1), i;
    bool any = length > 40;
    if (length % 2 == 0 && !any) {
        take_likely(in, text, nbytes);
        return;
    }
    if (!any) length %= 12;
    for (i = 0; i < length && in->left > 0; i++) {
        unsigned byte = (unsigned)fuzz_take(in, 1);
        text[i] = any ? (char)byte : letters[byte % (sizeof(letters) - 1)];
        if (text[i] == '\0') text[i] = '0';
    }
    text[i] = '\0';
}

static int unit_of(const char *suffix)
{
    static const char *const units[] = {"k", "m", "g", "t"};
    char with[8];
    if (*suffix == '\0' || strcasecmp(suffix, "b") == 0) return 0;
    for (int i = 0; i < 4; i++) {
        static const char *const endings[] = {"", "b", "ib"};
        for (int e = 0; e < 3; e++) {
            snprintf(with, sizeof(with), "%s%s", units[i], endings[e]);
            if (strcasecmp(suffix, with) == 0) return 10 * (i + 1);
        }
    }
    return -1;
}

/* The size that a text means, to within a rounding of its fraction; false: none. */
static bool size_of(const char *text, wide *ret_low, wide *ret_high)
{
    size_t digits = strspn(text, "0123456789"), more = 0;
    wide whole = 0, fraction = 0, scale = 1, slack;
    int shift;
    for (size_t i = 0; i < digits; i++)
        whole = whole < TOO_LARGE ? whole * 10 + (wide)(text[i] - '0') : TOO_LARGE;
    if (digits == 0) return false;
    text += digits;
    if (*text == '.') {
        more = strspn(++text, "0123456789");
        if (more == 0) return false;
        for (size_t i = 0; i < more && i < 18; i++) {
            fraction = fraction * 10 + (wide)(text[i] - '0');
            scale *= 10;
        }
        text += more;
    }
    shift = unit_of(text);
    if (shift < 0 || (shift == 0 && more > 0)) return false;
    /* Of the fraction, so many digits may be left away. */
    slack = more > 0 ? ((wide)1 << shift) / 100000 + 1 : 0;
    *ret_high = (whole << shift) + ((fraction << shift) + scale - 1) / scale;
    *ret_low = *ret_high - (whole << shift) > slack ? *ret_high - slack : whole << shift;
    return true;
}

static void check_size(const char *text)
{
    wide low = 0, high = 0;
    uint64_t size = 0;
    bool is_size = size_of(text, &low, &high), accepted = ash_size_parse(text, &size);
    if (accepted && !is_size) fuzz_finding("\"%s\" is accepted as a size", text);
    if (accepted && (size < low || size > high))
        fuzz_finding("\"%s\" is %llu", text, (unsigned long long)size);
    /* Near 2^64 it may refuse. */
    if (!accepted && is_size && high < UINT64_MAX >> 2) fuzz_finding("\"%s\" is refused", text);
    fuzz_count(accepted ? "sizes" : "no sizes");
}

static bool accepts_bool(const char *text)
{
    static const char *const words[] = {"0", "1", "false", "true", "no", "yes", "off", "on"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcasecmp(text, words[i]) == 0) return true;
    return false;
}

static bool accepts_int(const char *text, const char *accepted, int64_t *ret_value)
{
    long long low, high;
    char *end;
    *ret_value = strtoll(text, &end, 10);
    return end != text && *end == '\0' && sscanf(accepted, "%lld..%lld", &low, &high) == 2 &&
           *ret_value >= low && *ret_value <= high;
}

static bool accepts_choice(const char *text, const char *accepted)
{
    size_t length = strlen(text);
    if (length == 0 || strchr(text, '|') != NULL) return false;
    for (const char *p = accepted; (p = strcasestr(p, text)) != NULL; p++)
        if ((p == accepted || p[-1] == '|') && (p[length] == '|' || p[length] == '\0'))
            return true;
    return false;
}

enum kind { BOOL, INT, SIZE, STRING, CHOICE };
static const struct line {
    const char *name, *accepted;
    enum kind kind;
    const void *field;
} lines[] = {
#define ENV(field, kind, name, otherwise, accepted, help) {name, accepted, kind, &ash_env.field},
#define TEST_SETTING(field, kind, name, otherwise, accepted) {name, accepted, kind, &ash_env.field},
#include "lib/base/env.def"
#undef TEST_SETTING
#undef ENV
};
#define N_LINES (sizeof(lines) / sizeof(lines[0]))

/* 1: must be accepted, 0: must be refused, -1: see check_size. */
static int accepts(const struct line *line, const char *text)
{
    int64_t value;
    bool ok = false;
    if (*text == '\0') return 1;
    switch (line->kind) {
    case STRING: return 1;
    case SIZE: return -1;
    case BOOL: return accepts_bool(text);
    case CHOICE: return accepts_choice(text, line->accepted);
    case INT: ok = accepts_int(text, line->accepted, &value); break;
    }
    if (ok && line->field == (const void *)&ash_env.channel_slots) ok = (value & (value - 1)) == 0;
    return ok;
}

static void print_all(void)
{
    static char text[65536];
    FILE *to = fmemopen(text, sizeof(text), "w");
    if (to == NULL) return;
    ash_env_print(to);
    fclose(to);
}

/* AT_SECURE: the program has other rights than its user's. */
static unsigned long secure;
unsigned long __wrap_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type)
{
    (void)type;
    return secure;
}

/* Such a program is refused, and no variable is read. */
static void check_secure(const struct line *line, const char *text)
{
    struct ash_env before = ash_env;
    secure = 1;
    setenv(line->name, text, 1);
    if (ash_env_load() == 0 || memcmp(&before, &ash_env, sizeof(before)) != 0)
        fuzz_finding("%s=%s is obeyed", line->name, text);
    unsetenv(line->name);
    secure = 0;
    fuzz_count("secure");
}

static void check_variable(const struct line *line, const char *text)
{
    int wanted = accepts(line, text), rc;
    bool told;
    /* Opens the file. */
    if (line->field == (const void *)&ash_env.debug_file) return;
    setenv(line->name, text, 1);
    fuzz_logged[0] = '\0';
    rc = ash_env_load();
    told = strstr(fuzz_logged, line->name) != NULL &&
           (line->kind == INT || strstr(fuzz_logged, text) != NULL);
    if (rc != 0 && (rc != ASH_ERROR_BAD_VALUE || !told))
        fuzz_finding("%s=%s: %d: %s", line->name, text, rc, fuzz_logged);
    if (wanted >= 0 && (rc == 0) != (wanted == 1))
        fuzz_finding("%s=%s is %s", line->name, text, rc == 0 ? "accepted" : "refused");
    if (rc == 0) print_all();
    unsetenv(line->name);
    fuzz_count(rc == 0 ? "values" : "bad values");
}

/* A name that begins like ours: told, and no more. */
static void check_name(const char *text)
{
    char name[300];
    snprintf(name, sizeof(name), "%s_%s", strlen(text) % 2 ? "ANYSHMEM" : "NVSHMEM", text);
    if (strchr(name, '=') != NULL || setenv(name, "1", 1) != 0) return;
    ash_env_load();
    unsetenv(name);
    fuzz_count("names");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    struct fuzz_input in = {data, nbytes};
    static bool cleared;
    char text[250];
    uint64_t what;
    if (!cleared) clearenv();
    cleared = true;
    what = fuzz_take(&in, 1);
    take_text(&in, text, sizeof(text));
    if (what < 96)
        check_size(text);
    else if (what == 255)
        check_name(text);
    else if (what >= 240)
        check_secure(&lines[fuzz_take(&in, 1) % N_LINES], text);
    else
        check_variable(&lines[what % N_LINES], text);
    return 0;
}
