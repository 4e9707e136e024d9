/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Source that nvcc takes and clang does not.  Lines stay where they are.
 *
 * Launches with braces, <<<grid, {32, 32, 1}>>>: "dim3" before each brace that begins an argument.
 * Special registers of PTX with one percent, asm("mov.u32 %0, %smid;" : "=r"(x)): with two.
 */
#include "ir.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *at;
    char *out;
    size_t n;
    unsigned changes;
};

static void put(struct reader *reader, const char *text, size_t n)
{
    memcpy(reader->out + reader->n, text, n);
    reader->n += n;
}

/* The end of a comment or a string that begins here; NULL if none does. */
static const char *skip_quiet(const char *at, const char *start)
{
    if (ash_ir_begins(at, "//"))
        return at + strcspn(at, "\n");
    if (ash_ir_begins(at, "/*"))
        return strstr(at + 2, "*/") ? strstr(at + 2, "*/") + 2 : at + strlen(at);
    if (ash_ir_begins(at, "R\"") && (at == start || !isalnum((unsigned char)at[-1]))) {
        char end[64];
        size_t n = strcspn(at + 2, "(");

        if (n > 16)
            return NULL;
        snprintf(end, sizeof(end), ")%.*s\"", (int)n, at + 2);
        return strstr(at, end) ? strstr(at, end) + strlen(end) : at + strlen(at);
    }
    /* 1'000'000 has no character literal. */
    if (*at == '\'' && at > start && isalnum((unsigned char)at[-1]))
        return NULL;
    if (*at != '"' && *at != '\'')
        return NULL;
    for (const char *in = at + 1; *in && *in != '\n'; in++) {
        if (*in == '\\' && in[1])
            in++;
        else if (*in == *at)
            return in + 1;
    }
    return NULL;
}

/* Behind "<<<": up to ">>>", with its arguments' depth of brackets. */
static void read_launch(struct reader *reader, const char *start)
{
    int depth = 0;
    bool first = true;

    while (*reader->at && !(depth == 0 && ash_ir_begins(reader->at, ">>>"))) {
        const char *end = skip_quiet(reader->at, start);
        char c = *reader->at;

        if (end) {
            put(reader, reader->at, (size_t)(end - reader->at));
            reader->at = end;
            continue;
        }
        if (first && depth == 0 && c == '{') {
            put(reader, "dim3", 4);
            reader->changes++;
        }
        if (!isspace((unsigned char)c))
            first = depth == 0 && c == ',';
        depth += strchr("([{", c) != NULL;
        depth -= strchr(")]}", c) != NULL;
        /* Not a launch: an operator or a template. */
        if (c == ';' || depth < 0)
            return;
        put(reader, reader->at++, 1);
    }
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Does this word, and not a longer name, begin here? */
static bool is_word(const char *at, const char *word, const char *start)
{
    return ash_ir_begins(at, word) && !is_name(at[strlen(word)]) &&
           (at == start || !is_name(at[-1]));
}

/* "%name" in a string; not "%%", and not "%k0" or "%k[x]", which name an operand. */
static bool is_single_percent(const char *at)
{
    return at[0] == '%' && (isalpha((unsigned char)at[1]) || at[1] == '_') &&
           !isdigit((unsigned char)at[2]) && at[2] != '[';
}

static void put_template(struct reader *reader, const char *end)
{
    while (reader->at < end) {
        if (is_single_percent(reader->at)) {
            put(reader, "%", 1);
            reader->changes++;
        } else if (ash_ir_begins(reader->at, "%%")) {
            put(reader, reader->at++, 1);
        }
        put(reader, reader->at++, 1);
    }
}

/* The colon behind the template of an assembler statement that begins with this parenthesis; NULL
 * if it has no operands: there a percent stands for itself. */
static const char *template_end(const char *at, const char *start)
{
    int depth = 0;

    while (*at) {
        const char *end = skip_quiet(at, start);

        depth += !end && strchr("([{", *at) != NULL;
        depth -= !end && strchr(")]}", *at) != NULL;
        if (depth == 0)
            return NULL;
        if (!end && depth == 1 && *at == ':')
            return at;
        at = end ? end : at + 1;
    }
    return NULL;
}

/* At "asm". */
static void read_asm(struct reader *reader, const char *start)
{
    const char *at = reader->at, *end;

    while (is_name(*at) || isspace((unsigned char)*at))
        at++;
    end = *at == '(' ? template_end(at, start) : NULL;
    put(reader, reader->at, (size_t)(at - reader->at));
    reader->at = at;
    if (end)
        put_template(reader, end);
}

bool ash_ir_rewrite(const char *source, const char *path, char **ret_text)
{
    /* Each brace may become five letters. */
    size_t room = strlen(source) * 5 + strlen(path) + 64;
    struct reader reader = { .at = source, .out = ash_ir_alloc(room) };

    reader.n = (size_t)snprintf(reader.out, room, "#line 1 \"%s\"\n", path);
    while (*reader.at) {
        const char *end = skip_quiet(reader.at, source);

        if (!end && ash_ir_begins(reader.at, "<<<")) {
            put(&reader, reader.at, 3);
            reader.at += 3;
            read_launch(&reader, source);
            continue;
        }
        if (!end && (is_word(reader.at, "asm", source) || is_word(reader.at, "__asm__", source) ||
                     is_word(reader.at, "__asm", source))) {
            read_asm(&reader, source);
            continue;
        }
        end = end ? end : reader.at + 1;
        put(&reader, reader.at, (size_t)(end - reader.at));
        reader.at = end;
    }
    if (reader.changes == 0)
        free(reader.out);
    else
        *ret_text = reader.out;
    return reader.changes != 0;
}
