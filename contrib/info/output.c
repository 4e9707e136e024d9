/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes the rows of each part: lines for people, or one JSON object, which has a member for
 * each part.  UCX may log to standard output, so the JSON has a stream of its own, to where
 * standard output went, and that goes to standard error.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrib/info/info.h"

/* NULL: lines for people. */
static FILE *json;
/* Levels of objects and lists that are open, and whether the innermost is still empty. */
static unsigned depth;
static bool is_empty;

bool info_json_begin(void)
{
    int own = dup(STDOUT_FILENO);
    json = own >= 0 ? fdopen(own, "w") : NULL;
    if (json == NULL || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return false;
    fputc('{', json);
    depth = 1;
    is_empty = true;
    return true;
}

bool info_is_json(void)
{
    return json != NULL;
}

bool info_json_end(void)
{
    fputs("\n}\n", json);
    return fclose(json) == 0;
}

static void write_string(const char *text)
{
    fputc('"', json);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++)
        if (*c == '"' || *c == '\\')
            fprintf(json, "\\%c", *c);
        else if (*c < ' ')
            fprintf(json, "\\u%04x", *c);
        else
            fputc(*c, json);
    fputc('"', json);
}

/* Begins a member, or an element where key is NULL. */
static void begin_value(const char *key)
{
    fprintf(json, "%s\n%*s", is_empty ? "" : ",", (int)(2 * depth), "");
    is_empty = false;
    if (key == NULL) return;
    write_string(key);
    fputs(": ", json);
}

static void open_level(const char *key, char bracket)
{
    begin_value(key);
    fputc(bracket, json);
    depth++;
    is_empty = true;
}

static void close_level(char bracket)
{
    depth--;
    if (!is_empty) fprintf(json, "\n%*s", (int)(2 * depth), "");
    fputc(bracket, json);
    is_empty = false;
}

void info_part_begin(const char *name, bool is_list)
{
    if (json != NULL) open_level(name, is_list ? '[' : '{');
}

void info_part_end(bool is_list)
{
    if (json != NULL) close_level(is_list ? ']' : '}');
}

void info_row(const char *key, const char *format, ...)
{
    char text[8192];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (json == NULL) {
        printf("%-10s %s\n", key, text);
        return;
    }
    begin_value(key);
    write_string(text);
}

void info_number(const char *key, uint64_t value, const char *text, const char *help)
{
    if (json == NULL) {
        printf("%-10s %-10s %s\n", key, text, help);
        return;
    }
    begin_value(key);
    if (value == INFO_UNLIMITED)
        fputs("null", json);
    else
        fprintf(json, "%" PRIu64, value);
}

void info_absent(const char *key, const char *text)
{
    if (json == NULL) {
        printf("%-10s %s\n", key, text);
        return;
    }
    begin_value(key);
    fputs("null", json);
}

void info_item(const char *key, const char *text)
{
    if (json != NULL) {
        begin_value(NULL);
        write_string(text);
    } else if (key != NULL) {
        info_row(key, "%s", text);
    } else {
        puts(text);
    }
}

void info_object(const struct info_member *members, size_t n)
{
    open_level(NULL, '{');
    for (size_t i = 0; i < n; i++) {
        begin_value(members[i].key);
        write_string(members[i].text);
    }
    close_level('}');
}

void info_finding(const char *level, const char *topic, const char *text)
{
    if (json == NULL)
        printf("%-5s %s: %s\n", level, topic, text);
    else
        info_object((struct info_member[]){{"level", level}, {"topic", topic}, {"text", text}}, 3);
}
