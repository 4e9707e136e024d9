/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Replaces lib/base/log.c: prints the messages of the library's files as lines of the
 * current topic, or to standard error if there is none.
 */
#include "lib/base/log.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "contrib/info/info.h"

enum ash_level ash_log_level = ASH_LOG_WARN;

static struct {
    const char *topic;
    /* Lines of the current topic, and lines of all topics that would stop a job. */
    unsigned said, stops;
    /* The variable that the last line that would stop a job is about, if it is about one. */
    char variable[64];
} state;

void info_topic(const char *topic)
{
    state.topic = topic;
    state.said = 0;
}

void info_topic_end(const char *format, ...)
{
    char text[1024];
    va_list args;
    if (state.said == 0) {
        va_start(args, format);
        vsnprintf(text, sizeof(text), format, args);
        va_end(args);
        info_finding("ok", state.topic, text);
    }
    state.topic = NULL;
}

unsigned info_stops(void)
{
    return state.stops;
}

const char *info_bad_variable(void)
{
    return state.variable;
}

/* Keeps the NAME of "invalid value NAME=VALUE: ...", or the first word of another message. */
static void keep_variable(const char *text)
{
    static const char invalid[] = "invalid value ";
    if (strncmp(text, invalid, strlen(invalid)) == 0) text += strlen(invalid);
    snprintf(state.variable, sizeof(state.variable), "%.*s", (int)strcspn(text, "=: "), text);
}

void ash_log_write(enum ash_level level, const char *format, ...)
{
    static const char *const names[] = {"error", "warning", "note", "note", "note"},
                             *const verdicts[] = {"stop", "warn", "note", "note", "note"};
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    for (char *c = text; *c != '\0'; c++)
        if (iscntrl((unsigned char)*c)) *c = '?';
    state.said++;
    if (level == ASH_LOG_ERROR) state.stops++;
    if (state.topic != NULL)
        info_finding(verdicts[level], state.topic, text);
    else
        fprintf(stderr, "anyshmem-info: %s: %s\n", names[level], text);
    if (level == ASH_LOG_ERROR) keep_variable(text);
}

/* This program has no log file: its messages belong to no job. */
void ash_log_to(const char *path)
{
    (void)path;
}
