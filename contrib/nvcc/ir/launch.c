/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches with braces, <<<grid, {32, 32, 1}>>>, which nvcc takes and clang does not: "dim3"
 * before each brace that begins an argument.  Lines stay where they are.
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

bool ash_launch_braces(const char *source, const char *path, char **ret_text)
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
